import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import {
  addNote,
  countNotes,
  fsWith,
  logSize,
  makeFolder,
  openNotes,
  snapshot,
  systemError,
} from "./_storage.ts";
import { startWriter } from "./_storage-writer.ts";

const hasSqlite3 = spawnSync("sqlite3", ["--version"]).status === 0;

function sqlite3(folder: string, sql: string): string {
  return spawnSync("sqlite3", [join(folder, "todo.db"), sql], { encoding: "utf8" }).stdout.trim();
}

/** A folder as a kill leaves it: the files of an open database with some notes. */
async function makeUnclean(t: TestContext, notes: readonly string[]): Promise<string> {
  const db = await openNotes(t);
  for (const text of notes) addNote(db, text);
  await db.durable();
  return copyUnclean(t, db.folder);
}

/** What a kill would leave now of an open database. */
function copyUnclean(t: TestContext, open: string): string {
  const folder = makeFolder(t);
  mkdirSync(join(folder, "todo.db-wal"));
  for (const name of ["todo.db", "todo.wal"]) {
    copyFileSync(join(open, name), join(folder, name));
  }
  return folder;
}

async function makeClean(t: TestContext, notes: readonly string[]): Promise<string> {
  const db = await openNotes(t);
  for (const text of notes) addNote(db, text);
  await db.close();
  return db.folder;
}

describe("after kill -9 under load", () => {
  test("every acknowledged write is there, again and again", async (t) => {
    const folder = makeFolder(t);
    const acknowledged: string[] = [];
    for (const share of [300, 3000, 20_000]) {
      const writer = await startWriter(t, folder, 16);
      await writer.reaches(share);
      await writer.kill();
      acknowledged.push(...writer.acknowledged);

      const db = await openNotes(t, { folder });
      const found = new Set(
        db.all<{ text: string }>("SELECT text FROM notes").map(({ text }) => text),
      );
      await db.close();
      assert.deepEqual(
        acknowledged.filter((text) => !found.has(text)),
        [],
      );
    }
  });

  test("a second process only waits for the first one's end", async (t) => {
    const folder = makeFolder(t);
    const writer = await startWriter(t, folder);
    await assert.rejects(openNotes(t, { folder }), { code: "locked" });
    await writer.kill();
    await openNotes(t, { folder });
  });
});

describe("a stop", () => {
  test("leaves one plain file that other programs read", { skip: !hasSqlite3 }, async (t) => {
    const folder = makeFolder(t);
    const writer = await startWriter(t, folder);
    await writer.reaches(500);
    assert.equal(await writer.stop(), 0);
    assert.deepEqual(readdirSync(folder), ["todo.db"]);
    assert.equal(sqlite3(folder, "PRAGMA journal_mode; PRAGMA integrity_check"), "delete\nok");
    assert.ok(Number(sqlite3(folder, "SELECT count(*) FROM notes")) >= writer.acknowledged.length);
  });

  test("waits for the sync that is under way, and then refuses everything", async (t) => {
    let finish = (): void => {};
    const fdatasync = ((fd: number, done: (error: NodeJS.ErrnoException | null) => void) => {
      finish = () => nodeFs.fdatasync(fd, done);
    }) as HostFs["fdatasync"];
    const db = await openNotes(t, { fs: fsWith({ fdatasync }) });
    addNote(db, "one");
    const durable = db.durable()!;
    await new Promise(setImmediate);
    const closed = db.close();
    assert.equal(existsSync(join(db.folder, "todo.wal")), true);
    finish();
    await Promise.all([durable, closed]);
    assert.equal(existsSync(join(db.folder, "todo.wal")), false);
    assert.equal(db.close(), closed);
  });

  test("has its journal on the disk as a whole before the journal counts", async (t) => {
    const steps: string[] = [];
    let journal: number | undefined;
    const fs = fsWith({
      openSync: (path, flags, mode) => {
        const fd = nodeFs.openSync(path, flags, mode);
        if (String(path).endsWith("-journal")) journal = fd;
        return fd;
      },
      writeSync: ((fd: number, from: Uint8Array, start: number, length: number, at: number) => {
        if (fd === journal) steps.push(at === 0 ? "header" : "content");
        return nodeFs.writeSync(fd, from, start, length, at);
      }) as HostFs["writeSync"],
      fsyncSync: (fd) => {
        if (fd === journal) steps.push("sync");
        nodeFs.fsyncSync(fd);
      },
    });
    const db = await openNotes(t, { fs });
    addNote(db, "one");
    await db.durable();
    steps.length = 0;
    await db.close();
    const content = steps.lastIndexOf("content");
    // The count of what is in the journal is part of its header.
    assert.deepEqual(steps.slice(content, content + 4), ["content", "sync", "header", "sync"]);
  });

  test(
    "that is cut short anywhere loses nothing",
    { skip: process.platform === "win32" },
    async (t) => {
      for (let step = 1; ; step++) {
        // The disk is gone from the given change of a folder on: removals, renames.
        let changes = 0;
        const failing = (name: "unlinkSync" | "rmdirSync" | "ftruncateSync") =>
          ((...args: never[]) => {
            if (++changes >= step) throw systemError("EIO");
            (nodeFs[name] as (...all: never[]) => void)(...args);
          }) as never;
        const folder = makeFolder(t);
        const first = await openNotes(t, { folder });
        addNote(first, "one");
        await first.close();
        const fs = fsWith({});
        const db = await openNotes(t, { folder, fs });
        addNote(db, "two");
        Object.assign(fs, {
          unlinkSync: failing("unlinkSync"),
          rmdirSync: failing("rmdirSync"),
          ftruncateSync: failing("ftruncateSync"),
        });
        const failed = await db.close().then(
          () => false,
          () => true,
        );
        const again = await openNotes(t, { folder });
        assert.equal(countNotes(again), 2, `step ${step}`);
        await again.close();
        assert.deepEqual(readdirSync(folder), ["todo.db"]);
        if (!failed) {
          assert.ok(step > 2, `${step} steps`);
          return;
        }
      }
    },
  );
});

describe("an unclean start", () => {
  test("opens a copy of the log, never the log itself", async (t) => {
    const folder = await makeUnclean(t, ["one"]);
    const before = statSync(join(folder, "todo.wal")).ino;
    const steps: string[] = [];
    const fs = fsWith({
      renameSync: (from, to) => {
        steps.push(`rename ${String(from).replace(folder, "")} ${String(to).replace(folder, "")}`);
        nodeFs.renameSync(from, to);
      },
      fsyncSync: (fd) => {
        const { ino } = nodeFs.fstatSync(fd);
        const name = readdirSync(folder).find((entry) => statSync(join(folder, entry)).ino === ino);
        steps.push(`sync ${name ?? "folder"}`);
        nodeFs.fsyncSync(fd);
      },
    });
    const db = await openNotes(t, { folder, fs });
    assert.deepEqual(steps.slice(0, 3), [
      "sync todo.wal.new",
      "rename /todo.wal.new /todo.wal",
      ...(process.platform === "win32" ? [] : ["sync folder"]),
    ]);
    assert.notEqual(statSync(join(folder, "todo.wal")).ino, before);
    assert.equal(countNotes(db), 1);
  });

  test("starts over when it was itself cut short", async (t) => {
    const folder = await makeUnclean(t, ["one"]);
    writeFileSync(join(folder, "todo.wal.new"), "a part of it");
    assert.equal(countNotes(await openNotes(t, { folder })), 1);
    assert.equal(existsSync(join(folder, "todo.wal.new")), false);
  });

  test("removes the copy of a log of which nothing is left", async (t) => {
    const folder = await makeClean(t, ["one"]);
    writeFileSync(join(folder, "todo.wal.new"), "a part of it");
    mkdirSync(join(folder, "todo.db-wal"));
    const db = await openNotes(t, { folder });
    await db.close();
    assert.deepEqual(readdirSync(folder), ["todo.db"]);
  });

  test("leaves the log alone when it cannot be copied", async (t) => {
    const folder = await makeUnclean(t, ["one"]);
    const before = readFileSync(join(folder, "todo.wal"));
    const writeSync = (): never => {
      throw systemError("ENOSPC");
    };
    await assert.rejects(openNotes(t, { folder, fs: fsWith({ writeSync }) }), { code: "full" });
    assert.deepEqual(readFileSync(join(folder, "todo.wal")), before);
    assert.equal(countNotes(await openNotes(t, { folder })), 1);
  });

  test("needs no log: a kill may come when there is none", async (t) => {
    const folder = await makeClean(t, ["one"]);
    mkdirSync(join(folder, "todo.db-wal"));
    assert.equal(countNotes(await openNotes(t, { folder })), 1);
  });

  test("ignores the end of a log that was not written to its end", async (t) => {
    const folder = await makeUnclean(t, ["one", "two"]);
    const log = readFileSync(join(folder, "todo.wal"));
    writeFileSync(join(folder, "todo.wal"), log.subarray(0, log.length - 1000));
    assert.deepEqual((await openNotes(t, { folder })).all("SELECT text FROM notes"), [
      { text: "one" },
    ]);
  });

  test("lets nothing count again that was lost with what came before it", async (t) => {
    const db = await openNotes(t);
    const ends: number[] = [];
    for (const text of ["one", "two", "three"]) {
      db.transaction(() => addNote(db, text));
      await db.durable();
      ends.push(logSize(db.folder));
    }
    const folder = copyUnclean(t, db.folder);
    const log = readFileSync(join(folder, "todo.wal"));
    log[ends[1]! - 1]! ^= 1;
    writeFileSync(join(folder, "todo.wal"), log);

    const again = await openNotes(t, { folder });
    assert.equal(countNotes(again), 1);
    // Byte for byte what was lost.
    again.transaction(() => addNote(again, "two"));
    await again.durable();
    const last = await openNotes(t, { folder: copyUnclean(t, folder) });
    assert.deepEqual(last.all("SELECT text FROM notes"), [{ text: "one" }, { text: "two" }]);
  });

  test("refuses a database that is damaged", async (t) => {
    const folder = await makeClean(
      t,
      Array.from({ length: 500 }, (_, number) => `${number} ${"x".repeat(100)}`),
    );
    mkdirSync(join(folder, "todo.db-wal"));
    const bytes = readFileSync(join(folder, "todo.db"));
    bytes.fill(0x55, 4 * 4096, 6 * 4096);
    writeFileSync(join(folder, "todo.db"), bytes);
    await assert.rejects(openNotes(t, { folder }), { code: "corrupt" });
  });

  test("undoes what another program had begun", { skip: !hasSqlite3 }, async (t) => {
    const folder = await makeClean(t, ["one"]);
    // A cache of one page, so that the transaction is in the file when the program dies.
    const script = `PRAGMA cache_size = 1; BEGIN; UPDATE notes SET text = 'changed';
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 5000)
      INSERT INTO notes (text) SELECT 'foreign ' || i FROM n;
      .shell kill -9 $PPID`;
    spawnSync("sqlite3", [join(folder, "todo.db")], { input: script.replace(/\n\s+\./, "\n.") });
    assert.ok(statSync(join(folder, "todo.db-journal")).size > 0);
    assert.deepEqual((await openNotes(t, { folder })).all("SELECT text FROM notes"), [
      { text: "one" },
    ]);
  });

  test("takes over the log of another program that died", { skip: !hasSqlite3 }, async (t) => {
    const folder = await makeClean(t, ["one"]);
    const script = `PRAGMA journal_mode = WAL;
INSERT INTO notes (text) VALUES ('foreign');
.shell kill -9 $PPID`;
    spawnSync("sqlite3", [join(folder, "todo.db")], { input: script });
    assert.ok(statSync(join(folder, "todo.db-wal")).size > 0);
    const db = await openNotes(t, { folder });
    assert.deepEqual(db.all("SELECT text FROM notes ORDER BY id"), [
      { text: "one" },
      { text: "foreign" },
    ]);
    assert.equal(statSync(join(folder, "todo.db-wal")).isDirectory(), true);
  });

  test("refuses to choose between two logs", async (t) => {
    const folder = await makeUnclean(t, ["one"]);
    nodeFs.rmdirSync(join(folder, "todo.db-wal"));
    writeFileSync(join(folder, "todo.db-wal"), "another log");
    const before = snapshot(folder);
    await assert.rejects(openNotes(t, { folder }), { code: "failed", message: /two logs/ });
    assert.deepEqual(snapshot(folder), before);
  });
});
