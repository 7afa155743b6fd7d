import assert from "node:assert/strict";
import { fstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import { addNote, countNotes, fsWith, logSize, openNotes, systemError } from "./_storage.ts";

const MIB = 1024 * 1024;

/** A disk that can be made full for the log. */
function fillable(): { fs: HostFs; fill: (folder: string) => void; empty: () => void } {
  let full: number | undefined;
  const writeSync = ((fd: number, bytes: Uint8Array, from: number, length: number, at: number) => {
    if (fstatSync(fd).ino === full) throw systemError("ENOSPC");
    return nodeFs.writeSync(fd, bytes, from, length, at);
  }) as HostFs["writeSync"];
  return {
    fs: fsWith({ writeSync }),
    fill: (folder) => {
      full = statSync(join(folder, "todo.wal")).ino;
    },
    empty: () => {
      full = undefined;
    },
  };
}

describe("transactions of one turn", () => {
  test("are written together, which takes less of the log than one by one", async (t) => {
    const db = await openNotes(t);
    let added = 0;
    const add = () => db.transaction(() => addNote(db, `note ${(added += 1)}`));
    const start = logSize(db.folder);
    for (let number = 0; number < 20; number += 1) {
      add();
      await db.durable();
    }
    const oneByOne = logSize(db.folder) - start;
    for (let number = 0; number < 20; number += 1) add();
    await db.durable();
    const together = logSize(db.folder) - start - oneByOne;
    assert.ok(together * 5 < oneByOne, `${together} and ${oneByOne} bytes`);
    assert.equal(countNotes(db), 40);
  });

  test("are one write to the log, and few when they are large", async (t) => {
    let writes = 0;
    const writeSync = ((...args: Parameters<typeof nodeFs.writeSync>) => {
      writes += 1;
      return nodeFs.writeSync(...args);
    }) as HostFs["writeSync"];
    const db = await openNotes(t, { fs: fsWith({ writeSync }) });
    // The log begins with a write and a sync of its own.
    db.transaction(() => addNote(db, "first"));
    await db.durable();
    for (const [bytes, atMost] of [
      [10, 1],
      [100_000, 12],
    ] as const) {
      writes = 0;
      for (let number = 0; number < 10; number += 1) {
        db.transaction(() => addNote(db, `${number} ${"x".repeat(bytes)}`));
      }
      assert.equal(writes, 0);
      await db.durable();
      assert.ok(writes >= 1 && writes <= atMost, `${writes} writes`);
    }
  });

  test("see what those before them have done", async (t) => {
    const db = await openNotes(t);
    db.transaction(() => addNote(db, "one"));
    assert.equal(countNotes(db), 1);
    db.transaction(() => {
      assert.equal(countNotes(db), 1);
      db.transaction(() => addNote(db, "two"));
    });
    await db.durable();
    assert.equal(countNotes(db), 2);
  });

  test("fail each by itself when it is their own fault", async (t) => {
    const db = await openNotes(t);
    db.transaction(() => addNote(db, "one"));
    assert.throws(() =>
      db.transaction(() => {
        addNote(db, "two");
        db.run("INSERT INTO nowhere VALUES (1)");
      }),
    );
    db.transaction(() => addNote(db, "three"));
    await db.durable();
    assert.deepEqual(db.all("SELECT text FROM notes ORDER BY id"), [
      { text: "one" },
      { text: "three" },
    ]);
  });

  test("have all failed when the disk is full for their commit, and the next ones have not", async (t) => {
    const disk = fillable();
    const db = await openNotes(t, { fs: disk.fs });
    db.transaction(() => addNote(db, "before"));
    await db.durable();
    disk.fill(db.folder);
    const waiting = ["one", "two", "three"].map((text) => {
      db.transaction(() => addNote(db, text));
      return db.durable()!;
    });
    for (const { status } of await Promise.allSettled(waiting)) assert.equal(status, "rejected");
    assert.equal(countNotes(db), 1);

    disk.empty();
    db.transaction(() => addNote(db, "after"));
    await db.durable();
    assert.deepEqual(db.all("SELECT text FROM notes ORDER BY id"), [
      { text: "before" },
      { text: "after" },
    ]);
    assert.deepEqual(db.failures, []);
  });

  test("have all failed when the disk is full for one of them, and nobody misses it", async (t) => {
    const disk = fillable();
    const db = await openNotes(t, { fs: disk.fs, cacheKiB: 64 });
    disk.fill(db.folder);
    db.transaction(() => addNote(db, "one"));
    const one = db.durable()!;
    assert.throws(
      () =>
        db.transaction(() => {
          for (let number = 0; number < 1000; number += 1)
            addNote(db, `${number} ${"x".repeat(1000)}`);
        }),
      { code: "full" },
    );
    disk.empty();
    // One that comes in the same turn, and one that has yet to wait for its durability.
    assert.throws(() => db.transaction(() => addNote(db, "two")), { code: "full" });
    await assert.rejects(db.durable()!, { code: "full" });
    await assert.rejects(one, { code: "full" });

    await nextTurn();
    assert.equal(countNotes(db), 0);
    db.transaction(() => addNote(db, "next"));
    await db.durable();
    assert.equal(countNotes(db), 1);
  });

  test("are committed without anybody waiting", async (t) => {
    const db = await openNotes(t);
    const before = logSize(db.folder);
    db.transaction(() => addNote(db, "one"));
    await nextTurn();
    await nextTurn();
    assert.ok(logSize(db.folder) > before);
  });

  test("are there after a clean stop right behind them", async (t) => {
    const db = await openNotes(t);
    db.transaction(() => addNote(db, "one"));
    await db.close();
    const again = await openNotes(t, { folder: db.folder });
    assert.equal(countNotes(again), 1);
  });

  test("do not take those along who waited before them, when they fail", async (t) => {
    const disk = fillable();
    const db = await openNotes(t, { fs: disk.fs });
    addNote(db, "by itself");
    const before = db.durable()!;
    disk.fill(db.folder);
    db.transaction(() => addNote(db, "in a batch"));
    const inBatch = db.durable()!;
    await assert.rejects(inBatch, { code: "full" });
    await before;
    assert.deepEqual(db.all("SELECT text FROM notes"), [{ text: "by itself" }]);
  });

  test("have all failed when a read beside them breaks them, and the next read does not", async (t) => {
    let broken = false;
    const readSync = ((...args: Parameters<typeof nodeFs.readSync>) => {
      if (broken) throw systemError("EIO");
      return nodeFs.readSync(...args);
    }) as HostFs["readSync"];
    const fdatasync = ((fd: number, done: () => void) => {
      const wait = (): void => void (broken ? setImmediate(wait) : nodeFs.fdatasync(fd, done));
      wait();
    }) as HostFs["fdatasync"];
    const db = await openNotes(t, { fs: fsWith({ readSync, fdatasync }), cacheKiB: 64 });
    for (let number = 0; number < 100; number += 1) addNote(db, `${number} ${"x".repeat(4000)}`);
    await db.durable();
    db.transaction(() => addNote(db, "one"));
    const one = db.durable()!;
    broken = true;
    assert.throws(() => db.all("SELECT * FROM notes"), { code: "io" });
    broken = false;
    assert.equal(db.all("SELECT * FROM notes").length, 100);
    await assert.rejects(one, { code: "io" });
    assert.deepEqual(db.failures, []);
  });

  test("that are lost do not keep the database from a clean stop in the same turn", async (t) => {
    const disk = fillable();
    const db = await openNotes(t, { fs: disk.fs, cacheKiB: 64 });
    disk.fill(db.folder);
    const large = () =>
      db.transaction(() => {
        for (let number = 0; number < 100; number += 1)
          addNote(db, `${number} ${"x".repeat(9000)}`);
      });
    assert.throws(large, { code: "full" });
    disk.empty();
    await db.close();
    assert.equal(countNotes(await openNotes(t, { folder: db.folder })), 0);
  });

  test("are committed before the log grows large, however long a sync takes", async (t) => {
    let isHeld = true;
    const fdatasync = ((fd: number, done: () => void) => {
      const wait = (): void => void (isHeld ? setImmediate(wait) : nodeFs.fdatasync(fd, done));
      wait();
    }) as HostFs["fdatasync"];
    const db = await openNotes(t, { fs: fsWith({ fdatasync }) });
    let largest = 0;
    for (let number = 0; number < 1000; number += 1) {
      db.transaction(() => addNote(db, `${number} ${"x".repeat(30_000)}`));
      void db.durable();
      largest = Math.max(largest, logSize(db.folder));
      if (number % 10 === 0) await nextTurn();
    }
    isHeld = false;
    await db.durable();
    assert.ok(largest > MIB, `${largest} bytes: nothing was committed`);
    assert.ok(Math.max(largest, logSize(db.folder)) <= 12 * MIB, `${largest} bytes`);
    assert.equal(countNotes(db), 1000);
  });
});
