import assert from "node:assert/strict";
import { copyFileSync, existsSync, fstatSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Database } from "../src/storage/database.ts";
import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import {
  addNote,
  countNotes,
  fsWith,
  logSize,
  makeFolder,
  openNotes,
  systemError,
} from "./_storage.ts";

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
    assert.ok(logSize(db.folder) <= 12 * MIB, `${logSize(db.folder)} bytes`);
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

/** A disk with so much space left, for all files together. */
function limitedDisk(): { fs: HostFs; free: number } {
  const disk = { fs: nodeFs, free: Infinity };
  disk.fs = fsWith({
    writeSync: ((
      fd: number,
      bytes: Uint8Array,
      from: number,
      length: number,
      at: number | null,
    ) => {
      const { size } = fstatSync(fd);
      const growth = Math.max(0, (at ?? size) + length - size);
      if (growth > disk.free) throw systemError("ENOSPC");
      disk.free -= growth;
      return nodeFs.writeSync(fd, bytes, from, length, at);
    }) as HostFs["writeSync"],
    unlinkSync(path) {
      disk.free += existsSync(path) ? statSync(path).size : 0;
      nodeFs.unlinkSync(path);
    },
    statfsSync: (() => ({ bavail: disk.free, bsize: 1 })) as unknown as HostFs["statfsSync"],
  });
  return disk;
}

describe("space kept for a full disk", () => {
  async function openWithReserve(t: TestContext) {
    const disk = limitedDisk();
    const db = await openNotes(t, { fs: disk.fs });
    db.keepReserve();
    const hasReserve = () => existsSync(join(db.folder, "todo.reserve"));
    assert.ok(hasReserve());
    return { db, disk, hasReserve };
  }

  const insert = (db: Database, text: string) => db.transaction(() => addNote(db, text));
  const remove = (db: Database, text: string) =>
    db.removal(() => db.run("DELETE FROM notes WHERE text = ?", [text]));

  test("lets removals go on, and nothing else, until there is space again", async (t) => {
    const { db, disk, hasReserve } = await openWithReserve(t);
    for (let number = 0; number < 500; number++) insert(db, `${number}`);
    await db.durable();
    disk.free = 0;

    insert(db, "refused");
    await assert.rejects(db.durable()!, { code: "full" });
    assert.ok(hasReserve());
    for (let number = 0; number < 200; number++) {
      remove(db, `${number}`);
      await db.durable();
    }
    assert.ok(!hasReserve());
    assert.ok(disk.free > 0);
    insert(db, "refused");
    await assert.rejects(db.durable()!, { code: "full" });
    assert.equal(countNotes(db), 300);

    disk.free = 24 * MIB;
    insert(db, "accepted");
    await db.durable();
    assert.equal(countNotes(db), 301);
    assert.ok(hasReserve());
  });

  test("lets a removal succeed together with what was written at the same moment", async (t) => {
    const { db, disk } = await openWithReserve(t);
    insert(db, "one");
    await db.durable();
    disk.free = 0;
    insert(db, "two");
    remove(db, "one");
    await db.durable();
    assert.deepEqual(db.all("SELECT text FROM notes"), [{ text: "two" }]);
  });

  test("lets the log be copied into the database", async (t) => {
    const { db, disk, hasReserve } = await openWithReserve(t);
    insert(db, "x".repeat(3.4 * MIB));
    await db.durable();
    disk.free = 2 * MIB;
    insert(db, "y".repeat(0.8 * MIB));
    await db.durable();
    assert.ok(!hasReserve());
    assert.ok(statSync(join(db.folder, "todo.db")).size > 4 * MIB);
  });

  test("lets a stop leave one plain file", async (t) => {
    const { db, disk } = await openWithReserve(t);
    insert(db, "x".repeat(2 * MIB));
    await db.durable();
    disk.free = 0;
    await db.close();
    assert.deepEqual(readdirSync(db.folder), ["todo.db"]);
  });

  test("is there for the next start when there was no stop", async (t) => {
    const { db, disk } = await openWithReserve(t);
    insert(db, "x".repeat(2 * MIB));
    await db.durable();
    const folder = makeFolder(t);
    for (const name of ["todo.db", "todo.wal", "todo.reserve"]) {
      copyFileSync(join(db.folder, name), join(folder, name));
    }
    disk.free = 0;
    const again = await openNotes(t, { folder, fs: disk.fs });
    assert.equal(countNotes(again), 1);
  });

  test("is not taken by a process that was not told to", async (t) => {
    const db = await openNotes(t);
    assert.ok(!existsSync(join(db.folder, "todo.reserve")));
  });
});

describe("an error of the disk", () => {
  test("in a read is no damage of the database", async (t) => {
    let broken = false;
    const readSync = ((...args: Parameters<typeof nodeFs.readSync>) => {
      if (broken) throw systemError("EIO");
      return nodeFs.readSync(...args);
    }) as HostFs["readSync"];
    const first = await openNotes(t);
    addNote(first, "x".repeat(100_000));
    await first.close();
    const db = await openNotes(t, { folder: first.folder, fs: fsWith({ readSync }) });
    broken = true;
    assert.throws(() => db.all("SELECT text FROM notes"), { code: "io" });
    broken = false;
    assert.equal(countNotes(db), 1);
  });

  test("in the check after a crash is no damage of the database", async (t) => {
    const first = await openNotes(t);
    addNote(first, "x".repeat(100_000));
    await first.close();
    const killed = makeFolder(t);
    const live = await openNotes(t, { folder: first.folder });
    addNote(live, "one");
    await live.durable();
    for (const name of ["todo.db", "todo.wal"]) {
      copyFileSync(join(live.folder, name), join(killed, name));
    }
    const database = statSync(join(killed, "todo.db")).ino;
    const readSync = ((fd: number, into: Uint8Array, from: number, length: number, at: number) => {
      if (fstatSync(fd).ino === database && at > 40_000) throw systemError("EIO");
      return nodeFs.readSync(fd, into, from, length, at);
    }) as HostFs["readSync"];
    await assert.rejects(openNotes(t, { folder: killed, fs: fsWith({ readSync }) }), {
      code: "io",
    });
    assert.equal(countNotes(await openNotes(t, { folder: killed })), 2);
  });

  test("that never lets a call end is an error, and no endless wait", async (t) => {
    let broken = false;
    const writeSync = ((...args: Parameters<typeof nodeFs.writeSync>) => {
      if (broken) throw systemError("EINTR");
      return nodeFs.writeSync(...args);
    }) as HostFs["writeSync"];
    const db = await openNotes(t, { fs: fsWith({ writeSync }) });
    broken = true;
    assert.throws(() => addNote(db, "one"), { code: "io" });
    broken = false;
    assert.equal(countNotes(db), 0);
  });

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
    addNote(db, "x".repeat(7 * MIB));
    assert.deepEqual(
      db.failures.map(({ code }) => code),
      ["io"],
    );
    assert.throws(() => db.durable(), { code: "io" });
  });
});
