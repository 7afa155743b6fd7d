import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { closeSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { findHolder } from "../src/storage/lock.ts";
import { type Home, createHome } from "./_cli.ts";
import { bundledProgram } from "./_program.ts";

/** Starts a server on a folder, with its log in JSON, both of its outputs at that path. */
function start(home: Home, output: string, env: Record<string, string> = {}): ChildProcess {
  const fd = openSync(output, "w");
  const [command, ...words] = [...bundledProgram, "serve", "--port", "0"];
  try {
    return spawn(command, [...words, "--data", dataOf(home), "--log-format", "json"], {
      env: { ...home.env, ...env },
      stdio: ["ignore", fd, fd],
    });
  } finally {
    closeSync(fd);
  }
}

const dataOf = (home: Home) => join(home.path, "todo");

/** Its URL, as soon as it serves. */
async function urlOf(server: ChildProcess, home: Home): Promise<string> {
  for (;;) {
    assert.equal(server.exitCode, null, "the server has ended");
    const url = (await findHolder(dataOf(home)).catch(() => undefined))?.url;
    if (url !== undefined) return url;
    await sleep(20);
  }
}

async function get(url: string): Promise<void> {
  const response = await fetch(`${url}/health`, { headers: { connection: "close" } });
  assert.equal(response.status, 200);
  await response.text();
}

async function stop(server: ChildProcess): Promise<void> {
  server.kill("SIGTERM");
  const [code] = server.exitCode === null ? await once(server, "exit") : [server.exitCode];
  assert.equal(code, 0);
}

describe("a server whose log's disk is full", { concurrency: 2 }, () => {
  test("goes on, and stops in order", async () => {
    using home = createHome();
    const server = start(home, "/dev/full");
    const url = await urlOf(server, home);
    for (let i = 0; i < 3; i += 1) await get(url);
    await stop(server);
  });

  test("logs again when there is room, from a line of its own", async () => {
    using home = createHome();
    const [full, preload, log] = ["full", "full.mjs", "log"].map((name) => join(home.path, name));
    // While that file is there, a write takes half of what it is given, and the next nothing.
    writeFileSync(
      preload!,
      `import fs from "node:fs";
       import { syncBuiltinESMExports } from "node:module";
       const { writeSync } = fs;
       let isCut = false;
       fs.writeSync = (fd, bytes, ...more) => {
         if (fd > 2 || !fs.existsSync(${JSON.stringify(full)})) return writeSync(fd, bytes, ...more);
         if (isCut) throw Object.assign(new Error("ENOSPC"), { code: "ENOSPC" });
         isCut = true;
         return writeSync(fd, bytes.subarray(0, bytes.length / 2));
       };
       syncBuiltinESMExports();`,
    );
    const server = start(home, log!, { NODE_OPTIONS: `--import ${preload}` });
    const url = await urlOf(server, home);
    await get(url);
    writeFileSync(full!, "");
    for (let i = 0; i < 3; i += 1) await get(url);
    rmSync(full!);
    await get(url);
    await stop(server);
    const lines = readFileSync(log!, "utf8").trimEnd().split("\n");
    const [said, ...rest] = lines.filter((line) => !line.endsWith("}"));
    assert.match(said!, /^todo is serving /);
    assert.equal(rest.length, 1, lines.join("\n"));
    const count = lines.filter((line) => line.endsWith("}") && JSON.parse(line).path === "/health");
    assert.equal(count.length, 2, lines.join("\n"));
  });
});
