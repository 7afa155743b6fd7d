import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { writeCertificate } from "./_certificates.ts";
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

  test("hears that the event loop turns, and no more when it hangs", async () => {
    using folder = temporaryFolder();
    await using manager = await startManager(folder.path);
    const data = join(folder.path, "data");
    const env = { ...manager.env, WATCHDOG_USEC: "200000" };
    await using server = await startProcess({ folder: data, env });
    await manager.hears("READY=1");
    for (let ping = 1; ping <= 3; ping += 1) await manager.hears("WATCHDOG=1");
    server.kill("SIGSTOP");
    // Those that were on their way arrive; then there is silence.
    const settled = async () => {
      const before = manager.heard.length;
      await new Promise((resolve) => setTimeout(resolve, 1000));
      return manager.heard.length === before;
    };
    while (!(await settled()));
    server.kill("SIGCONT");
    await manager.hears("WATCHDOG=1");
    await stop(server);
  });

  test("pings only the process that is meant", async () => {
    using folder = temporaryFolder();
    await using manager = await startManager(folder.path);
    const data = join(folder.path, "data");
    const env = { ...manager.env, WATCHDOG_USEC: "1000", WATCHDOG_PID: "1" };
    await using server = await startProcess({ folder: data, env });
    await stop(server);
    await manager.hears("STOPPING=1");
    assert.ok(!manager.heard.some((line) => line.startsWith("WATCHDOG")));
  });

  test("hears of a reload", async () => {
    using folder = temporaryFolder();
    await using manager = await startManager(folder.path);
    const files = await writeCertificate(folder.path);
    const flags = ["--tls-cert", files.cert, "--tls-key", files.key];
    const data = join(folder.path, "data");
    await using server = await startProcess({ folder: data, flags, env: manager.env });
    await manager.hears("READY=1");
    server.kill("SIGHUP");
    await manager.hears("RELOADING=1");
    await manager.hears("READY=1");
    await stop(server);
  });

  test("that cannot be told is a line in the log, and no more", async () => {
    using folder = temporaryFolder();
    const env = { NOTIFY_SOCKET: join(folder.path, "nobody"), WATCHDOG_USEC: "100000" };
    await using server = await startProcess({ folder: join(folder.path, "data"), env });
    assert.equal((await fetch(`${server.url}/health`)).status, 200);
    await stop(server);
    const told = server.stderr.filter((line) => line.includes("service manager"));
    assert.equal(told.length, 1);
  });
});
