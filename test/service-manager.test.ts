import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
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
  /** Resolves when it has heard of somebody else, in the way that servers take. */
  hearsOther(): Promise<void>;
  /** All messages so far, in their order. */
  heard: string[];
}

/** What should come is waited for so long, in milliseconds. */
const patienceMs = 60_000;

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
      await once(lines, "line", { signal: AbortSignal.timeout(patienceMs) });
    }
  }
  await hears("bound");
  return {
    env: { NOTIFY_SOCKET },
    hears,
    async hearsOther() {
      const env = { ...process.env, NOTIFY_SOCKET };
      spawn("systemd-notify", ["STATUS=other"], { env, stdio: "ignore" });
      await hears("STATUS=other");
    },
    heard,
    async [Symbol.asyncDispose]() {
      const exit = once(child, "exit");
      child.kill("SIGKILL");
      await exit;
    },
  };
}

/** The server's event loop hangs from SIGUSR2 on, of which it tells. */
const hanging = `
import { writeSync } from "node:fs";
process.env.WATCHDOG_PID = String(process.pid);
process.on("SIGUSR2", () => {
  writeSync(2, "hanging\\n");
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
});
`;

/** Waits until the server's stderr has such a line. */
async function says(server: ServerProcess, part: string): Promise<void> {
  const end = Date.now() + patienceMs;
  while (!server.stderr.some((line) => line.includes(part))) {
    assert.ok(Date.now() < end, server.stderr.join("\n"));
    await sleep(10);
  }
}

function isPing(message: string): boolean {
  return message === "WATCHDOG=1";
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
    assert.ok(!manager.heard.some(isPing));
    assert.deepEqual(server.stderr, []);
  });

  test("hears that the event loop turns, and no more when it hangs", async () => {
    using folder = temporaryFolder();
    await using manager = await startManager(folder.path);
    const preload = join(folder.path, "hanging.mjs");
    writeFileSync(preload, hanging);
    const env = { ...manager.env, WATCHDOG_USEC: "100000" };
    await using server = await startProcess({ folder: join(folder.path, "data"), env, preload });
    for (let ping = 1; ping <= 3; ping += 1) await manager.hears("WATCHDOG=1");
    server.kill("SIGUSR2");
    await says(server, "hanging");
    await manager.hearsOther();
    const before = manager.heard.filter(isPing).length;
    for (let other = 1; other <= 10; other += 1) await manager.hearsOther();
    // One may have been on its way.
    assert.ok(manager.heard.filter(isPing).length <= before + 1, manager.heard.join("\n"));
  });

  test("hears nothing of the event loop when another process is meant", async () => {
    using folder = temporaryFolder();
    await using manager = await startManager(folder.path);
    const env = { ...manager.env, WATCHDOG_USEC: "1000", WATCHDOG_PID: "1" };
    await using server = await startProcess({ folder: join(folder.path, "data"), env });
    await manager.hears("READY=1");
    await stop(server);
    await manager.hears("STOPPING=1");
    assert.ok(!manager.heard.some(isPing));
  });

  test("hears of a reload, and that it is over", async () => {
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
    const env = { NOTIFY_SOCKET: join(folder.path, "nobody"), WATCHDOG_USEC: "20000" };
    await using server = await startProcess({ folder: join(folder.path, "data"), env });
    await says(server, "The service manager cannot be told: systemd-notify failed (1)");
    assert.equal((await fetch(`${server.url}/health`)).status, 200);
    await stop(server);
    const told = server.stderr.filter((line) => line.includes("service manager"));
    assert.equal(told.length, 1);
  });
});
