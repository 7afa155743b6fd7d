import assert from "node:assert/strict";
import { copyFileSync, existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Client } from "../src/client/client.ts";
import { createClient } from "../src/client/client.ts";
import { type ServerProcess, startProcess } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";
import { sqlite3 } from "./_sqlite.ts";
import { createLedger, settle, writeUntilTheEnd } from "./_writers.ts";

const rounds = 20;
const writers = 32;

/** Generous: shared machines are slow at times. What was measured is in the test's output. */
const readyLimitMs = 60_000;

const flags = ["--log-level", "error"];

async function stop(server: ServerProcess, signal: NodeJS.Signals): Promise<void> {
  server.kill(signal);
  await server.exit;
}

/** Every todo's title by its id. */
async function readTitles(client: Client): Promise<Map<string, string>> {
  const titles = new Map<string, string>();
  for (let page = 1; ; page += 1) {
    const query = { page, per_page: 200, sort: "created_at" };
    const { data, pagination } = await client.todos.list({ query });
    for (const { id, title } of data) titles.set(id, title);
    if (!pagination.has_more) {
      assert.equal(titles.size, pagination.total);
      return titles;
    }
  }
}

/** What SQLite itself makes of the files that a killed server left, on a copy of them. */
function checkIntegrity(folder: string): void {
  using copy = temporaryFolder();
  copyFileSync(join(folder, "todo.db"), join(copy.path, "todo.db"));
  const log = join(folder, "todo.wal");
  if (existsSync(log)) copyFileSync(log, join(copy.path, "todo.db-wal"));
  assert.deepEqual(sqlite3(copy.path, "PRAGMA integrity_check"), ["ok"]);
}

describe("a server killed under load", () => {
  test(`has every acknowledged write afterwards, ${rounds} times`, async (t) => {
    using folder = temporaryFolder();
    const options = { folder: folder.path, flags };
    const ledger = createLedger();
    const readyMs: number[] = [];
    let total = 0;

    const first = await startProcess(options);
    const { key } = await first.register();
    await stop(first, "SIGTERM");
    await using clean = await startProcess(options);
    await stop(clean, "SIGTERM");

    for (let round = 1; round <= rounds; round += 1) {
      await using server = await startProcess(options);
      // The first start of the loop is after a clean stop.
      if (round > 1) readyMs.push(server.readyMs);
      const client = createClient({ server: server.url, key });
      assert.deepEqual(settle(ledger, await readTitles(client)), [], `after round ${round - 1}`);
      const target = 100 + Math.floor(Math.random() * 500);
      const load = { url: server.url, key, writers, label: String(round) };
      await writeUntilTheEnd(ledger, load, (acknowledged) => {
        total += 1;
        if (acknowledged === target) server.kill("SIGKILL");
      });
      assert.deepEqual(await server.exit, { code: null, signal: "SIGKILL" });
      checkIntegrity(folder.path);
    }

    await using server = await startProcess(options);
    readyMs.push(server.readyMs);
    const client = createClient({ server: server.url, key });
    assert.deepEqual(settle(ledger, await readTitles(client)), []);
    await stop(server, "SIGTERM");
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
    assert.deepEqual(sqlite3(folder.path, "PRAGMA integrity_check"), ["ok"]);

    const slowest = Math.max(...readyMs);
    t.diagnostic(`${total} writes acknowledged, ${ledger.titles.size} todos left`);
    t.diagnostic(
      `ready after a kill: slowest ${Math.round(slowest)} ms, clean start ${Math.round(clean.readyMs)} ms`,
    );
    assert.ok(slowest < readyLimitMs, `ready after ${slowest} ms`);
  });
});
