import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { type ServerProcess, startProcess } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";

/** What is needed and missing here. */
const missing = ["python3", "systemd-notify"].find(
  (command) => spawnSync(command, ["--version"]).error !== undefined,
);
const skip = missing === undefined ? false : `${missing} is not installed here`;

/** Prints each datagram on one line. Node has no such sockets. */
const listening = `
import socket, sys
s = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
s.bind(sys.argv[1])
print("bound", flush=True)
while True:
    print(s.recv(4096).decode().replace("\\n", " "), flush=True)
`;

interface Manager extends AsyncDisposable {
  env: Record<string, string>;
  /** Resolves to the next message that begins so. */
  hears(start: string): Promise<string>;
  /** All messages so far, in their order. */
  heard: string[];
}

/** A service manager, as far as a service sees one. */
async function startManager(folder: string): Promise<Manager> {
  const NOTIFY_SOCKET = join(folder, "notify");
  const child = spawn("python3", ["-c", listening, NOTIFY_SOCKET]);
  const lines = createInterface({ input: child.stdout });
  const heard: string[] = [];
  lines.on("line", (line) => heard.push(line));
  let seen = 0;
  async function hears(start: string): Promise<string> {
    for (;;) {
      while (seen < heard.length) {
        const line = heard[seen]!;
        seen += 1;
        if (line.startsWith(start)) return line;
      }
      await once(lines, "line");
    }
  }
  await hears("bound");
  return {
    env: { NOTIFY_SOCKET },
    hears,
    heard,
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

async function stop(server: ServerProcess): Promise<void> {
  server.kill("SIGTERM");
  assert.deepEqual(await server.exit, { code: 0, signal: null });
}

describe("a service manager", { skip }, () => {
  test("hears that the server is ready, and that it stops", async () => {
    using folder = temporaryFolder();
    await using manager = await startManager(folder.path);
    const data = join(folder.path, "data");
    await using server = await startProcess({ folder: data, env: manager.env });
    assert.equal(await manager.hears("READY=1"), `READY=1 STATUS=Serving ${server.url}`);
    await stop(server);
    await manager.hears("STOPPING=1");
    assert.ok(!manager.heard.some((line) => line.startsWith("WATCHDOG")));
    assert.deepEqual(server.stderr, []);
  });
});
