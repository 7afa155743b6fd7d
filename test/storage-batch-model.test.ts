import assert from "node:assert/strict";
import { copyFileSync, fstatSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";
import { setImmediate as nextTurn } from "node:timers/promises";

import type { Database } from "../src/storage/database.ts";
import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import { addNote, fsWith, makeFolder, openNotes, systemError } from "./_storage.ts";

const KIB = 1024;
const files = ["todo.db", "todo.wal"];

type Random = () => number;

/** The same numbers again for the same seed: mulberry32. */
function randomFrom(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

interface Disk {
  fs: HostFs;
  /** Which share of the writes fails. */
  failing: number;
  /** What a power cut leaves: each file (by its inode) as it was at its last sync. */
  synced: Map<number, Buffer>;
}

/** A disk that is full now and then, and takes some turns for a sync. */
function unreliable(random: Random): Disk {
  const disk: Disk = { fs: nodeFs, failing: 0, synced: new Map() };
  const content = (fd: number): Buffer => {
    const bytes = Buffer.alloc(fstatSync(fd).size);
    nodeFs.readSync(fd, bytes, 0, bytes.length, 0);
    return bytes;
  };
  const keep = (fd: number, bytes: Buffer): void => {
    if (fstatSync(fd).isFile()) disk.synced.set(fstatSync(fd).ino, bytes);
  };
  const writeSync = ((fd: number, bytes: Uint8Array, from: number, length: number, at: number) => {
    if (random() >= disk.failing) return nodeFs.writeSync(fd, bytes, from, length, at);
    // Full disks often take a part.
    if (random() < 0.5) throw systemError("ENOSPC");
    return nodeFs.writeSync(fd, bytes, from, Math.ceil(length / 2), at);
  }) as HostFs["writeSync"];
  const fsyncSync = (fd: number): void => {
    if (fstatSync(fd).isFile()) keep(fd, content(fd));
  };
  const fdatasync = ((fd: number, done: (error: null) => void) => {
    const bytes = content(fd);
    let turns = Math.floor(random() * 8);
    const wait = (): void => {
      turns -= 1;
      if (turns >= 0) return void setImmediate(wait);
      keep(fd, bytes);
      done(null);
    };
    setImmediate(wait);
  }) as HostFs["fdatasync"];
  disk.fs = fsWith({ writeSync, fsyncSync, fdatasync });
  return disk;
}

/** What clients were told, by the notes' texts. */
interface Told {
  there: Set<string>;
  gone: Set<string>;
}

const copyOf = ({ there, gone }: Told): Told => ({ there: new Set(there), gone: new Set(gone) });

/** What reads have shown that were answered: of what failed, nothing may ever be seen. */
interface Shown {
  /** Each note is written once, and removed once at most. */
  acknowledged: Set<string>;
  failed: Set<string>;
  present: Set<string>;
  /** Acknowledged before, and no longer there. */
  absent: Set<string>;
}

/** The first word of a note names it; the rest only takes space. */
function notesOf(db: Database): Set<string> {
  return new Set(
    db.all<{ text: string }>("SELECT text FROM notes").map(({ text }) => text.split(" ")[0]!),
  );
}

const common = (one: Set<string>, other: Set<string>): string[] =>
  [...one].filter((note) => other.has(note));

function assertTold(notes: Set<string>, { there, gone }: Told): void {
  assert.deepEqual(
    [...there].filter((note) => !notes.has(note)),
    [],
    "notes that were acknowledged are missing",
  );
  assert.deepEqual(
    [...gone].filter((note) => notes.has(note)),
    [],
    "notes that were said to be gone are there",
  );
}

/** As the server: no answer, and no error, before it is durable. */
async function settle<T>(db: Database, answer: () => T | Promise<T>): Promise<T> {
  try {
    const result = await answer();
    // An answer goes through several hands in the same turn.
    await Promise.resolve();
    return result;
  } finally {
    await db.durable();
  }
}

/** More often than the server, as the writes here begin anew in the very moment they fail. */
const maxLooks = 20;

/** As the server, too: what was seen beside writes that failed is looked at again. */
async function settleRead<T>(db: Database, answer: () => T): Promise<T> {
  for (let look = 1; look < maxLooks; look += 1) {
    try {
      return await settle(db, answer);
    } catch {
      // Again.
    }
  }
  return settle(db, answer);
}

interface World {
  db: Database;
  random: Random;
  told: Told;
  shown: Shown;
  disk: Disk;
}

async function write({ db, random, told, shown }: World, name: string): Promise<void> {
  const kind = random();
  const size = random() < 0.1 ? 100 * KIB : 100;
  const [first, second, undone] = [`${name}-1`, `${name}-2`, `${name}-undone`];
  const add = (note: string): void => addNote(db, `${note} ${"x".repeat(random() * size)}`);
  told.gone.add(undone);
  shown.failed.add(undone);
  try {
    await settle(db, () =>
      db.transaction(() => {
        add(first);
        try {
          db.transaction(() => {
            add(undone);
            throw new Error("only this part");
          });
        } catch {
          // As an action that can do without it.
        }
        add(second);
        if (kind < 0.2) throw new Error("all of it");
      }),
    );
    told.there.add(first).add(second);
    shown.acknowledged.add(first).add(second);
  } catch {
    told.gone.add(first).add(second);
    shown.failed.add(first).add(second);
  }
}

async function remove({ db, told }: World, note: string): Promise<void> {
  const forget = (): number => db.run("DELETE FROM notes WHERE text GLOB ?", [`${note} *`]);
  told.there.delete(note);
  try {
    assert.equal(await settle(db, () => db.transaction(forget)), 1);
    told.gone.add(note);
  } catch {
    told.there.add(note);
  }
}

async function read({ db, told, shown }: World): Promise<void> {
  const before = copyOf(told);
  const acknowledged = [...shown.acknowledged];
  const notes = await settleRead(db, () => notesOf(db));
  for (const note of notes) shown.present.add(note);
  for (const note of acknowledged) if (!notes.has(note)) shown.absent.add(note);
  // Removals may have been begun since.
  for (const note of before.there) if (!told.there.has(note)) before.there.delete(note);
  assertTold(notes, before);
}

async function client(world: World, name: string): Promise<void> {
  const { random, told, disk } = world;
  const written: string[] = [];
  for (let step = 0; step < 25; step += 1) {
    const kind = random();
    if (kind < 0.5) {
      await write(world, `${name}.${step}`);
      if (told.there.has(`${name}.${step}-1`)) written.push(`${name}.${step}-1`);
    } else if (kind < 0.6 && written.length > 0) {
      const note = written.pop()!;
      await remove(world, note);
    } else {
      await read(world);
    }
    if (random() < 0.1) disk.failing = random() < 0.5 ? 0 : random();
    while (random() < 0.3) await nextTurn();
  }
}

/** Copies the files as a crash at this moment would leave them. */
function crash(t: TestContext, { db, disk, told }: World, cause: "kill" | "power cut") {
  const folder = makeFolder(t);
  // The guard, which tells an unclean end.
  mkdirSync(join(folder, "todo.db-wal"));
  for (const name of files) {
    const from = join(db.folder, name);
    const to = join(folder, name);
    const synced = disk.synced.get(statSync(from).ino);
    if (cause === "kill" || synced === undefined) copyFileSync(from, to);
    else writeFileSync(to, synced);
  }
  return { folder, told: copyOf(told) };
}

async function crashes(t: TestContext, world: World, isOver: () => boolean) {
  const left: ReturnType<typeof crash>[] = [];
  while (!isOver()) {
    if (world.random() < 0.02) {
      left.push(crash(t, world, world.random() < 0.5 ? "kill" : "power cut"));
    }
    await nextTurn();
  }
  return left;
}

describe("what clients of an unreliable disk were told", () => {
  for (let seed = 1; seed <= 12; seed += 1) {
    test(`is what there is, also after a crash (seed ${seed})`, async (t) => {
      const random = randomFrom(seed);
      const disk = unreliable(random);
      // Some transactions are larger than the cache, and so find the disk full in their middle.
      const db = await openNotes(t, { fs: disk.fs, cacheKiB: seed % 2 === 0 ? 64 : 1024 });
      const told: Told = { there: new Set(), gone: new Set() };
      const shown: Shown = {
        acknowledged: new Set(),
        failed: new Set(),
        present: new Set(),
        absent: new Set(),
      };
      const world = { db, random, told, shown, disk };
      let isOver = false;
      const left = crashes(t, world, () => isOver);
      try {
        await Promise.all(Array.from({ length: 8 }, (_, number) => client(world, `c${number}`)));
      } finally {
        isOver = true;
      }
      assert.deepEqual(db.failures, []);
      assert.deepEqual(common(shown.present, shown.failed), [], "seen, but not written");
      assert.deepEqual(common(shown.absent, told.there), [], "not seen, but not removed");
      disk.failing = 0;
      assertTold(notesOf(db), told);
      await db.close();
      for (const { folder, told: then } of [...(await left), { folder: db.folder, told }]) {
        const again = await openNotes(t, { folder });
        assertTold(notesOf(again), then);
        await again.close();
      }
    });
  }
});
