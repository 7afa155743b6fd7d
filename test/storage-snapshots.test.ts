import assert from "node:assert/strict";
import { readdirSync, readFileSync, readlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import type { Database } from "../src/storage/database.ts";
import type { StorageError } from "../src/storage/errors.ts";
import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import type { Snapshot } from "../src/storage/snapshots.ts";
import { withDatabaseFile } from "../src/storage/verify.ts";
import {
  addNote,
  fsWith,
  logSize,
  makeFolder,
  migrations,
  openNotes,
  systemError,
} from "./_storage.ts";

const MIB = 1024 * 1024;

/** A database of some chunks' size: its notes, and so the pages, are changed as a whole. */
async function openLarge(t: TestContext, fs: HostFs = nodeFs): Promise<Database> {
  const db = await openNotes(t, { fs });
  db.transaction(() => {
    for (let number = 0; number < 300; number++) addNote(db, `${number} ${"x".repeat(2000)}`);
  });
  return db;
}

function rewrite(db: Database, letter: string): void {
  db.run("UPDATE notes SET text = id || ?", [letter.repeat(2000)]);
}

/** Takes the rest of a snapshot, and does something after each of its chunks. */
async function takeAll(snapshot: Snapshot, between: () => void = () => {}): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  try {
    for await (const chunk of snapshot.read()) {
      chunks.push(chunk);
      between();
    }
  } finally {
    snapshot.close();
  }
  return Buffer.concat(chunks);
}

interface Found {
  check: string;
  count: number;
  /** The last letters of the notes, each once. */
  letters: string;
}

function look(t: TestContext, bytes: Buffer): Found {
  const path = join(makeFolder(t), "copy.db");
  writeFileSync(path, bytes);
  return withDatabaseFile(nodeFs, path, (copy) => ({
    check: copy.get<{ integrity_check: string }>("PRAGMA integrity_check")!.integrity_check,
    ...copy.get<Omit<Found, "check">>(
      "SELECT count(*) AS count, group_concat(DISTINCT substr(text, -1)) AS letters FROM notes",
    )!,
  }));
}

describe("a snapshot", () => {
  test("holds all of before, and nothing of after, whatever is written meanwhile", async (t) => {
    const db = await openLarge(t);
    rewrite(db, "b");
    const snapshot = db.snapshot();
    assert.ok(snapshot.size > MIB, `${snapshot.size} bytes`);
    let letter = "c".charCodeAt(0);
    const bytes = await takeAll(snapshot, () => {
      rewrite(db, String.fromCharCode(letter++));
      // Large enough for a checkpoint, which is what writes to the file.
      db.run("DELETE FROM notes WHERE id % 7 = 3");
      rewrite(db, String.fromCharCode(letter++));
    });
    assert.ok(logSize(db.folder) < 16 * MIB, "the log is bounded meanwhile");
    assert.deepEqual(look(t, bytes), { check: "ok", count: 300, letters: "b" });
  });

  test("holds what was committed and is not yet on the disk", async (t) => {
    const db = await openLarge(t);
    // Transactions of this turn are a batch that is still open.
    addNote(db, "just now z");
    const found = look(t, await takeAll(db.snapshot()));
    assert.deepEqual([found.check, found.count], ["ok", 301]);
    assert.ok(found.letters.includes("z"));
  });

  test("may be taken while another is read", async (t) => {
    const db = await openLarge(t);
    rewrite(db, "b");
    const first = db.snapshot();
    rewrite(db, "c");
    const second = db.snapshot();
    rewrite(db, "d");
    const [earlier, later] = await Promise.all([
      takeAll(first, () => rewrite(db, "e")),
      takeAll(second, () => rewrite(db, "f")),
    ]);
    assert.equal(look(t, earlier).letters, "b");
    assert.equal(look(t, later).letters, "c");
  });

  test("is one plain file, which needs no log", async (t) => {
    const db = await openLarge(t);
    const bytes = await takeAll(db.snapshot());
    assert.deepEqual([...bytes.subarray(18, 20)], [1, 1]);
  });

  test("leaves no file and keeps none open", { skip: process.platform !== "linux" }, async (t) => {
    const db = await openLarge(t);
    const open = (): string[] =>
      readdirSync("/proc/self/fd").flatMap((fd) => {
        try {
          return [readlinkSync(`/proc/self/fd/${fd}`)].filter((path) => path.startsWith(db.folder));
        } catch {
          return [];
        }
      });
    const before = { files: readdirSync(db.folder), open: open() };
    const snapshot = db.snapshot();
    await takeAll(snapshot, () => rewrite(db, "b"));
    // Its files are closed in the next turn at the latest.
    await new Promise(setImmediate);
    assert.deepEqual({ files: readdirSync(db.folder), open: open() }, before);
  });

  test("fails when what changes cannot be kept, and the database goes on", async (t) => {
    let isFull = false;
    const openSync = ((path: string, ...more: never[]) => {
      if (isFull && path.endsWith(".before")) throw systemError("ENOSPC");
      return (nodeFs.openSync as (...all: unknown[]) => number)(path, ...more);
    }) as HostFs["openSync"];
    const db = await openLarge(t, fsWith({ openSync }));
    isFull = true;
    await assert.rejects(
      takeAll(db.snapshot(), () => rewrite(db, "b")),
      (error: StorageError) => {
        assert.equal(error.code, "full");
        return true;
      },
    );
    rewrite(db, "c");
    await db.durable();
    assert.equal(look(t, await takeAll(db.snapshot())).letters, "c");
  });

  test("fails when the file cannot be read", async (t) => {
    const read = ((...args: unknown[]) => {
      const done = args.at(-1) as (error: Error) => void;
      setImmediate(() => done(systemError("EIO")));
    }) as unknown as HostFs["read"];
    const db = await openLarge(t, fsWith({ read }));
    await assert.rejects(takeAll(db.snapshot()), { code: "io" });
  });

  test("ends with the database", async (t) => {
    const db = await openLarge(t);
    const snapshot = db.snapshot();
    const chunks = snapshot.read();
    await chunks.next();
    await db.close();
    await assert.rejects(chunks.next(), { code: "failed" });
    snapshot.close();
  });
});

describe("a database that is opened without being upgraded", () => {
  test("keeps its schema, and no copy is made", async (t) => {
    const db = await openNotes(t);
    await db.close();
    const before = readFileSync(join(db.folder, "todo.db"));
    const next = { version: 2, name: "more", up: "CREATE TABLE more (id INTEGER PRIMARY KEY);" };
    const same = await openNotes(t, {
      folder: db.folder,
      migrations: [...migrations, next],
      upgrade: false,
    });
    await same.close();
    assert.deepEqual(readdirSync(db.folder), ["todo.db"]);
    assert.equal(
      readFileSync(join(db.folder, "todo.db")).readUInt32BE(60),
      before.readUInt32BE(60),
    );
  });
});
