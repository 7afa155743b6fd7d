import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { createClient } from "../src/client/client.ts";
import { openDatabase } from "../src/storage/database.ts";
import { insert } from "../src/storage/todos.ts";
import { findByEmail } from "../src/storage/users.ts";
import { startProcess } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";

const mebibyte = 1024 * 1024;

/** The page cache's default size, which both servers may fill. */
const cacheBytes = 16 * mebibyte;

/** What garbage that is not collected yet may make of a difference. */
const slackBytes = 16 * mebibyte;

const lists = 20;
const perPage = 200;

interface Peak {
  fileBytes: number;
  /** The most memory that the server has had resident. */
  peakBytes: number;
}

/** Serves lists from a database of so many todos, and a search through all of them. */
async function measure(todos: number): Promise<Peak> {
  using folder = temporaryFolder();
  const key = await fill(folder.path, todos);
  const fileBytes = statSync(join(folder.path, "todo.db")).size;
  await using server = await startProcess({ folder: folder.path });
  const client = createClient({ server: server.url, key });
  for (let list = 0; list < lists; list += 1) {
    const page = 1 + Math.floor((list * todos) / perPage / lists);
    const sort = ["-created_at", "title", "due_date"][list % 3]!;
    const query = { page, per_page: perPage, sort };
    const { data, pagination } = await client.todos.list({ query });
    assert.equal(data.length, perPage);
    assert.equal(pagination.total, todos);
  }
  // Reads every todo: what is cached without bound shows now.
  const { data } = await client.todos.list({ query: { q: "in no todo" } });
  assert.deepEqual(data, []);
  return { fileBytes, peakBytes: peakOf(server.pid) };
}

/** Makes a database of one user and so many todos; resolves to the user's key. */
async function fill(folder: string, todos: number): Promise<string> {
  let key = "";
  let email = "";
  {
    await using server = await startProcess({ folder });
    const user = await server.register();
    key = user.key;
    email = (await user.client.profile.get()).data.email;
    server.kill("SIGTERM");
    await server.exit;
  }
  const db = await openDatabase({ folder });
  const owner = findByEmail(db, email)!;
  const description = "All of it, and then some more. ".repeat(8);
  db.transaction(() => {
    for (let i = 0; i < todos; i += 1) {
      const month = String(1 + (i % 12)).padStart(2, "0");
      insert(
        db,
        { seq: owner.seq, id: owner.user.id },
        {
          id: randomUUID(),
          title: `todo ${(i * 7919) % todos}`,
          description,
          status: "open",
          due_date: `2026-${month}-01`,
          sync_enabled: true,
          reminder_enabled: false,
          recurring_enabled: false,
          now: "2026-11-20 12:00:00",
        },
      );
    }
  });
  await db.close();
  return key;
}

/** VmHWM of proc(5): the peak of the resident set, in bytes. */
function peakOf(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) * 1024;
}

function inMebibytes(bytes: number): string {
  return `${Math.round(bytes / mebibyte)} MiB`;
}

describe("the server's memory", { skip: process.platform !== "linux" }, () => {
  test("is bounded by the page cache, not by the size of the database", async (t) => {
    const small = await measure(1000);
    const large = await measure(100_000);
    for (const { fileBytes, peakBytes } of [small, large]) {
      t.diagnostic(`database ${inMebibytes(fileBytes)}, peak ${inMebibytes(peakBytes)}`);
    }
    const bound = cacheBytes + slackBytes;
    assert.ok(large.fileBytes > 2 * bound, "the database is too small to tell");
    const growth = large.peakBytes - small.peakBytes;
    assert.ok(growth < bound, `grew by ${inMebibytes(growth)}`);
  });
});
