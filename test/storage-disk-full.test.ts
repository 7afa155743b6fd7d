import assert from "node:assert/strict";
import { fstatSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import { addNote, countNotes, fsWith, logSize, openNotes, systemError } from "./_storage.ts";

const MIB = 1024 * 1024;

/** A disk on which some files cannot grow while it is full. */
function smallDisk(): {
  fs: HostFs;
  fill: (folder: string, ...names: string[]) => void;
  empty: () => void;
} {
  let full: number[] = [];
  const writeSync = ((fd: number, bytes: Uint8Array, from: number, length: number, at: number) => {
    const { ino, size } = fstatSync(fd);
    if (full.includes(ino) && at + length > size) throw systemError("ENOSPC");
    return nodeFs.writeSync(fd, bytes, from, length, at);
  }) as HostFs["writeSync"];
  return {
    fs: fsWith({ writeSync }),
    fill: (folder, ...names) => {
      full = names.map((name) => statSync(join(folder, name)).ino);
    },
    empty: () => {
      full = [];
    },
  };
}

async function openOnSmallDisk(t: TestContext) {
  const disk = smallDisk();
  const db = await openNotes(t, { fs: disk.fs });
  return { db, disk };
}

describe("on a full disk", () => {
  test("a write is refused and changes nothing; reads go on; all is well when space returns", async (t) => {
    const { db, disk } = await openOnSmallDisk(t);
    addNote(db, "before");
    await db.durable();
    disk.fill(db.folder, "todo.wal", "todo.db");

    assert.throws(() => addNote(db, "one"), { code: "full" });
    const two = (): void => {
      addNote(db, "two");
      addNote(db, "three");
    };
    db.transaction(two);
    await assert.rejects(db.durable()!, { code: "full" });
    assert.deepEqual(db.all("SELECT text FROM notes"), [{ text: "before" }]);
    assert.equal(
      db.transaction(() => countNotes(db)),
      1,
    );

    disk.empty();
    db.transaction(two);
    await db.durable();
    assert.equal(countNotes(db), 3);
    assert.deepEqual(db.failures, []);
  });

  test("a transaction that is too large for memory changes nothing either", async (t) => {
    const disk = smallDisk();
    const db = await openNotes(t, { fs: disk.fs, cacheKiB: 64 });
    disk.fill(db.folder, "todo.wal");
    const large = (): void => {
      for (let number = 0; number < 1000; number++) addNote(db, `${number} ${"x".repeat(1000)}`);
    };
    assert.throws(() => db.transaction(large), { code: "full" });
    assert.equal(countNotes(db), 0);
    disk.empty();
    await nextTurn();
    db.transaction(large);
    assert.equal(countNotes(db), 1000);
  });

  test("no statement gets out of a transaction that was undone, though its error was caught", async (t) => {
    const disk = smallDisk();
    const db = await openNotes(t, { fs: disk.fs, cacheKiB: 64 });
    disk.fill(db.folder, "todo.wal");
    const stubborn = (): void => {
      addNote(db, "first");
      assert.throws(
        () =>
          db.transaction(() => {
            for (let number = 0; number < 1000; number++)
              addNote(db, `${number} ${"x".repeat(1000)}`);
          }),
        { code: "full" },
      );
      disk.empty();
      try {
        addNote(db, "last");
      } catch {
        // As one that goes on whatever happens.
      }
    };
    assert.throws(() => db.transaction(stubborn), { code: "full" });
    assert.equal(countNotes(db), 0);
    addNote(db, "next");
    assert.equal(countNotes(db), 1);
  });

  test("the log does not grow without end while the database cannot", async (t) => {
    const { db, disk } = await openOnSmallDisk(t);
    disk.fill(db.folder, "todo.db");
    let written = 0;
    const fillUp = (): void => {
      for (; written < 100; written++) addNote(db, `${written} ${"x".repeat(0.5 * MIB)}`);
    };
    assert.throws(fillUp, { code: "full" });
    assert.ok(logSize(db.folder) <= 16 * MIB, `${logSize(db.folder)} bytes`);
    assert.equal(countNotes(db), written);
    await db.durable();

    disk.empty();
    countNotes(db);
    fillUp();
    await db.durable();
    assert.equal(countNotes(db), 100);
    assert.ok(logSize(db.folder) <= 4 * MIB, `${logSize(db.folder)} bytes`);
    assert.deepEqual(db.failures, []);
  });

  test("a stop leaves everything for the next start", async (t) => {
    const { db, disk } = await openOnSmallDisk(t);
    disk.fill(db.folder, "todo.db");
    addNote(db, "x".repeat(MIB));
    await assert.rejects(db.close(), { code: "full" });
    const again = await openNotes(t, { folder: db.folder });
    assert.equal(countNotes(again), 1);
  });
});

describe("an error of the disk", () => {
  test("in a write changes nothing, and is not the end", async (t) => {
    let broken = false;
    const writeSync = ((...args: Parameters<typeof nodeFs.writeSync>) => {
      if (broken) throw systemError("EIO");
      return nodeFs.writeSync(...args);
    }) as HostFs["writeSync"];
    const db = await openNotes(t, { fs: fsWith({ writeSync }) });
    broken = true;
    assert.throws(() => addNote(db, "one"), { code: "io" });
    broken = false;
    assert.equal(countNotes(db), 0);
    addNote(db, "two");
    await db.durable();
    assert.equal(countNotes(db), 1);
  });

  test("in a checkpoint is final, because it cannot be left unsaid", async (t) => {
    const disk = { broken: 0 };
    const writeSync = ((
      fd: number,
      bytes: Uint8Array,
      from: number,
      length: number,
      at: number,
    ) => {
      if (fstatSync(fd).ino === disk.broken) throw systemError("EIO");
      return nodeFs.writeSync(fd, bytes, from, length, at);
    }) as HostFs["writeSync"];
    const db = await openNotes(t, { fs: fsWith({ writeSync }) });
    disk.broken = statSync(join(db.folder, "todo.db")).ino;
    addNote(db, "x".repeat(4 * MIB));
    assert.deepEqual(
      db.failures.map(({ code }) => code),
      ["io"],
    );
    assert.throws(() => db.durable(), { code: "io" });
  });
});
