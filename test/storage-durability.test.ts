import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  existsSync,
  linkSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, test, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";

import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import { addNote, countNotes, fsWith, logSize, openNotes, systemError } from "./_storage.ts";

type Done = (error: NodeJS.ErrnoException | null) => void;

/** Holds back every fdatasync until the test lets it happen, or fail. */
function heldSyncs(): { fs: HostFs; pending: { fd: number; done: Done }[] } {
  const pending: { fd: number; done: Done }[] = [];
  const fdatasync = ((fd: number, done: Done) =>
    void pending.push({ fd, done })) as HostFs["fdatasync"];
  return { fs: fsWith({ fdatasync }), pending };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await nextTurn();
}

/** Whether a promise has settled by the end of a few turns of the event loop. */
async function isPending(promise: Promise<unknown>): Promise<boolean> {
  let settled = false;
  const settle = (): void => void (settled = true);
  promise.then(settle, settle);
  for (let turn = 0; turn < 5; turn++) await nextTurn();
  return !settled;
}

describe("durable", () => {
  test("has nothing to wait for before the first write and after the last sync", async (t) => {
    const db = await openNotes(t);
    assert.equal(db.durable(), undefined);
    addNote(db, "one");
    await db.durable();
    assert.equal(db.durable(), undefined);
    countNotes(db);
    assert.equal(db.durable(), undefined);
  });

  test("takes no sync for transactions that only read", async (t) => {
    const { fs, pending } = heldSyncs();
    const db = await openNotes(t, { fs });
    db.transaction(() => countNotes(db));
    await db.durable();
    assert.equal(pending.length, 0);
  });

  test("waits after a write, with or without a transaction", async (t) => {
    const db = await openNotes(t);
    addNote(db, "one");
    assert.ok(db.durable());
    await db.durable();
    db.transaction(() => addNote(db, "two"));
    assert.ok(db.durable());
    await db.durable();
    db.get("INSERT INTO notes (text) VALUES (?) RETURNING id", ["three"]);
    assert.ok(db.durable());
  });

  test("takes one sync for everything that is written in the same turn", async (t) => {
    const { fs, pending } = heldSyncs();
    const db = await openNotes(t, { fs });
    const waiting = Array.from({ length: 64 }, (_, number) => {
      addNote(db, `note ${number}`);
      return db.durable()!;
    });
    await until(() => pending.length > 0);
    nodeFs.fdatasync(pending[0]!.fd, pending[0]!.done);
    await Promise.all(waiting);
    assert.equal(pending.length, 1);
  });

  test("is not reached by a sync that began before the commit", async (t) => {
    const { fs, pending } = heldSyncs();
    const db = await openNotes(t, { fs });
    addNote(db, "one");
    const first = db.durable()!;
    await until(() => pending.length === 1);
    addNote(db, "two");
    const second = db.durable()!;

    pending[0]!.done(null);
    await first;
    assert.equal(await isPending(second), true);
    assert.equal(pending.length, 2);
    pending[1]!.done(null);
    await second;
  });

  test("is reached by a checkpoint, once no other sync is under way", async (t) => {
    const { fs, pending } = heldSyncs();
    const db = await openNotes(t, { fs });
    addNote(db, "x".repeat(7 * 1024 * 1024));
    assert.equal(db.durable(), undefined);
    assert.equal(pending.length, 0);

    addNote(db, "small");
    const first = db.durable()!;
    await until(() => pending.length === 1);
    addNote(db, "y".repeat(7 * 1024 * 1024));
    // The failure of one of two syncs at a time may be told to the other.
    const second = db.durable()!;
    assert.equal(await isPending(second), true);
    pending[0]!.done(null);
    await Promise.all([first, second]);
    assert.equal(pending.length, 1);
  });
});

describe("a failed sync", () => {
  test("of the log is final for all who wait, and for all who come later", async (t) => {
    const { fs, pending } = heldSyncs();
    const db = await openNotes(t, { fs });
    addNote(db, "one");
    const first = db.durable()!;
    await until(() => pending.length === 1);
    addNote(db, "two");
    const second = db.durable()!;

    pending[0]!.done(systemError("EIO"));
    await assert.rejects(first, { code: "io" });
    await assert.rejects(second, { code: "io" });
    assert.throws(() => db.durable(), { code: "io" });
    assert.throws(() => addNote(db, "three"), { code: "io" });
    assert.throws(() => countNotes(db), { code: "io" });
    assert.equal(db.failures.length, 1);
    assert.equal(pending.length, 1);
  });

  test("within SQLite is final, although SQLite itself would go on", async (t) => {
    let broken = false;
    const fsyncSync = (fd: number): void => {
      if (broken) throw systemError("EIO");
      nodeFs.fsyncSync(fd);
    };
    const db = await openNotes(t, { fs: fsWith({ fsyncSync }) });
    addNote(db, "one");
    const waiting = db.durable()!;
    broken = true;
    // Large enough for a checkpoint.
    addNote(db, "x".repeat(7 * 1024 * 1024));
    broken = false;
    await assert.rejects(waiting, { code: "io" });
    assert.throws(() => db.durable(), { code: "io" });
    assert.throws(() => addNote(db, "two"), { code: "io" });
    assert.equal(db.failures.length, 1);
  });

  test("that SQLite does not mind, of its folder, is final too", async (t) => {
    let broken = false;
    const fsyncSync = (fd: number): void => {
      if (broken && nodeFs.fstatSync(fd).isDirectory()) throw systemError("EIO");
      nodeFs.fsyncSync(fd);
    };
    const db = await openNotes(t, { fs: fsWith({ fsyncSync }) });
    broken = true;
    // The first commit makes the log.
    db.transaction(() => addNote(db, "one"));
    await assert.rejects(db.durable()!, { code: "io" });
    assert.equal(db.failures.length, 1);
  });

  test("is waited for by a stop, since it still uses the log", async (t) => {
    const { fs, pending } = heldSyncs();
    const disk = { broken: false };
    const fsyncSync = (fd: number): void => {
      if (disk.broken) throw systemError("EIO");
      nodeFs.fsyncSync(fd);
    };
    const db = await openNotes(t, { fs: { ...fs, fsyncSync, fdatasyncSync: fsyncSync } });
    addNote(db, "one");
    const waiting = db.durable()!;
    await until(() => pending.length === 1);
    disk.broken = true;
    addNote(db, "x".repeat(7 * 1024 * 1024));
    const closed = db.close();
    assert.equal(await isPending(closed), true);
    pending[0]!.done(null);
    await closed;
    await assert.rejects(waiting, { code: "io" });
  });

  test("during the start ends it", { skip: process.platform === "win32" }, async (t) => {
    const first = await openNotes(t);
    addNote(first, "one");
    await first.close();
    // While SQLite goes over to its log.
    const fsyncSync = (fd: number): void => {
      if (existsSync(join(first.folder, "todo.db-journal"))) throw systemError("EIO");
      nodeFs.fsyncSync(fd);
    };
    const failures: unknown[] = [];
    await assert.rejects(
      openNotes(t, {
        folder: first.folder,
        fs: fsWith({ fsyncSync }),
        onFatal: (error) => failures.push(error),
      }),
      { code: "io", message: /could not save/ },
    );
    assert.equal(failures.length, 1);
    assert.equal(countNotes(await openNotes(t, { folder: first.folder })), 1);
  });

  test("leaves files from which every acknowledged write is read again", async (t) => {
    const { fs, pending } = heldSyncs();
    const db = await openNotes(t, { fs });
    addNote(db, "one");
    const first = db.durable()!;
    await until(() => pending.length === 1);
    nodeFs.fdatasync(pending[0]!.fd, pending[0]!.done);
    await first;
    addNote(db, "two");
    const second = db.durable()!;
    await until(() => pending.length === 2);
    pending[1]!.done(systemError("EIO"));
    await assert.rejects(second);
    await db.close();

    const again = await openNotes(t, { folder: db.folder });
    assert.deepEqual(again.get("SELECT id FROM notes WHERE text = ?", ["one"]), { id: 1 });
  });

  test("ends the process with status 1 and says why", () => {
    const script = fileURLToPath(new URL("_storage-failing.ts", import.meta.url));
    const { status, stdout, stderr } = spawnSync(process.execPath, ["--import", "tsx", script], {
      encoding: "utf8",
    });
    assert.deepEqual([status, stdout], [1, "written\n"]);
    assert.match(stderr, /^todo: The disk could not save the database \(EIO\).*\n$/);
  });
});

describe("a write is never acknowledged", () => {
  const damages: Record<string, (folder: string) => void> = {
    "when the database was deleted": (folder) => unlinkSync(join(folder, "todo.db")),
    "when the log was deleted": (folder) => unlinkSync(join(folder, "todo.wal")),
    "when the database was replaced by a copy": (folder) => {
      const path = join(folder, "todo.db");
      writeFileSync(`${path}.copy`, readFileSync(path));
      renameSync(`${path}.copy`, path);
    },
    "when the log was cut short": (folder) => truncateSync(join(folder, "todo.wal"), 64),
    "when the log has a second name": (folder) =>
      linkSync(join(folder, "todo.wal"), join(folder, "second")),
    "when the folder was renamed": (folder) => {
      renameSync(folder, `${folder}-moved`);
      rmSync(`${folder}-moved`, { recursive: true });
    },
  };
  for (const [what, damage] of Object.entries(damages)) {
    test(what, { skip: process.platform === "win32" }, async (t) => {
      const db = await openNotes(t);
      addNote(db, "one");
      const waiting = db.durable()!;
      damage(db.folder);
      await assert.rejects(waiting, { code: "gone" });
      assert.throws(() => db.durable(), { code: "gone" });
      assert.deepEqual(
        db.failures.map(({ code }) => code),
        ["gone"],
      );
    });
  }

  test("when the log was cut short and would grow again", async (t) => {
    const db = await openNotes(t);
    addNote(db, "one");
    await db.durable();
    truncateSync(join(db.folder, "todo.wal"), 0);
    db.transaction(() => addNote(db, "two"));
    await assert.rejects(db.durable()!, { code: "gone" });
  });

  test("when a checkpoint has already synced it", async (t) => {
    const db = await openNotes(t);
    unlinkSync(join(db.folder, "todo.db"));
    addNote(db, "x".repeat(7 * 1024 * 1024));
    assert.throws(() => db.durable(), { code: "gone" });
  });
});

describe("what a checkpoint has copied into the database", () => {
  /** Holds back the syncs of the database, and tells what happens to its files. */
  function watched() {
    const events: string[] = [];
    const held: Done[] = [];
    let isReleased = false;
    const names = new Map<number, string>();
    const fs = fsWith({
      openSync(path, flags, mode) {
        const fd = nodeFs.openSync(path, flags, mode);
        names.set(fd, basename(String(path)));
        return fd;
      },
      writeSync: ((fd: number, ...args: [Uint8Array, number, number, number]) => {
        events.push(`write ${names.get(fd)}`);
        return nodeFs.writeSync(fd, ...args);
      }) as HostFs["writeSync"],
      fsyncSync(fd) {
        events.push(`sync ${names.get(fd)}`);
        nodeFs.fsyncSync(fd);
      },
      fdatasync: ((fd: number, done: Done) => {
        if (names.get(fd) === "todo.db" && !isReleased) held.push(done);
        else nodeFs.fdatasync(fd, done);
      }) as HostFs["fdatasync"],
    });
    function release(): void {
      isReleased = true;
      for (const done of held) done(null);
    }
    return { fs, events, held, release };
  }

  /** With two of them, each also in an index, the log is large enough to be checkpointed, and small enough to be kept. */
  const text = "x".repeat(2.2 * 1024 * 1024);

  /** Leaves a database whose copy is not synced. */
  async function openCopied(t: TestContext) {
    const { fs, events, held, release } = watched();
    // So that the database can be closed, whatever a test finds.
    t.after(release);
    const db = await openNotes(t, { fs });
    events.length = 0;
    for (const number of [1, 2]) {
      db.transaction(() => addNote(db, `${number} ${text}`));
      await db.durable();
    }
    await until(() => held.length === 1);
    assert.ok(!events.includes("sync todo.db"));
    events.length = 0;
    return { db, events, held };
  }

  test("is synced while reads go on, and before the next commit", async (t) => {
    const { db, events, held } = await openCopied(t);
    assert.equal(countNotes(db), 2);
    assert.equal(db.durable(), undefined);
    db.transaction(() => addNote(db, "small"));
    const next = db.durable()!;
    assert.equal(await isPending(next), true);
    assert.equal(events.length, 0);
    held[0]!(null);
    await next;
    assert.ok(events.includes("write todo.wal"));
    assert.ok(!events.includes("sync todo.db"));
  });

  test("is synced by a commit that cannot wait, before it writes to the log", async (t) => {
    const { db, events, held } = await openCopied(t);
    for (const number of [3, 4]) db.transaction(() => addNote(db, `${number} ${text}`));
    const next = db.durable()!;
    await until(() => events.length > 0);
    assert.deepEqual(events.slice(0, 2), ["sync todo.db", "write todo.wal"]);
    held[0]!(null);
    await next;
  });

  test("is final for all who wait when it cannot be synced", async (t) => {
    const { db, events, held } = await openCopied(t);
    db.transaction(() => addNote(db, "small"));
    const next = db.durable()!;
    held[0]!(systemError("EIO"));
    await assert.rejects(next, { code: "io" });
    assert.throws(() => addNote(db, "later"), { code: "io" });
    assert.equal(db.failures.length, 1);
    assert.deepEqual(events, []);
    await db.close();
    assert.equal(countNotes(await openNotes(t, { folder: db.folder })), 2);
  });
});

describe("the log", () => {
  const MIB = 1024 * 1024;

  test("stays small under constant load, with a sync always under way", async (t) => {
    // Each sync takes until the load has gone on for a while.
    let rounds = 0;
    const fdatasync = ((fd: number, done: Done) => {
      const end = rounds + 500;
      const wait = (): void =>
        rounds < end ? void setImmediate(wait) : nodeFs.fdatasync(fd, done);
      wait();
    }) as HostFs["fdatasync"];
    const db = await openNotes(t, { fs: fsWith({ fdatasync }) });
    let largest = 0;
    for (; rounds < 3000; rounds++) {
      addNote(db, `${rounds} ${"x".repeat(8000)}`);
      void db.durable();
      largest = Math.max(largest, logSize(db.folder));
      if (rounds % 50 === 0) await nextTurn();
    }
    rounds = Infinity;
    await db.durable();
    assert.ok(largest > MIB, `${largest} bytes: there was no load`);
    assert.ok(largest <= 12 * MIB, `${largest} bytes`);
    assert.equal(countNotes(db), 3000);
  });

  test("is small again after a large transaction", async (t) => {
    const db = await openNotes(t);
    let within = 0;
    db.transaction(() => {
      for (let number = 0; number < 30; number++) addNote(db, `${number} ${"x".repeat(MIB)}`);
      within = logSize(db.folder);
    });
    assert.ok(within > 12 * MIB, `${within} bytes: it was not large`);
    await db.durable();
    assert.ok(logSize(db.folder) <= 12 * MIB);
    assert.equal(countNotes(db), 30);
  });

  test("is not checkpointed again by reads", async (t) => {
    let cuts = 0;
    const ftruncateSync = (fd: number, length?: number): void => {
      cuts++;
      nodeFs.ftruncateSync(fd, length);
    };
    const db = await openNotes(t, { fs: fsWith({ ftruncateSync }) });
    addNote(db, "x".repeat(7 * MIB));
    const before = cuts;
    assert.ok(before > 0);
    for (let read = 0; read < 10; read++) countNotes(db);
    assert.equal(cuts, before);
  });
});
