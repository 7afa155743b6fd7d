import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";

import { openDatabase, type Database } from "../../../src/storage/database.ts";
import { nodeFs } from "../../../src/storage/host-fs.ts";
import { apply, changed, count, digest, migrationsTo, read } from "./history.ts";
import type { Change, Notes } from "./history.ts";
import { CACHE_KIB } from "./judge.ts";
import { below, pick, randomFrom, type Random } from "./random.ts";
import { recordingFs } from "./recording-fs.ts";
import { BACKUP, type Trace, type TraceEvent } from "./trace.ts";

/** How much a workload does. */
export interface Extent {
  /** How many steps of {@link steps} there are between each start and stop. */
  steps: number;
  /** Whether the log grows until it is checkpointed by itself, which takes some MiB. */
  isLarge: boolean;
}

/** Few notes, so that a database has some dozen pages. */
const NOTES = 30;

interface Run {
  db: Database;
  random: Random;
  notes: Notes;
  events: TraceEvent[];
  digests: string[];
  answers: Promise<void>[];
}

/**
 * Runs the engine on real files and records what it asks of the system: it makes a database, works
 * on it, stops, starts with a newer schema (which takes a backup), works, stops, and so on.
 *
 * @throws Error when the database is not, at every start, what it was told to be
 */
export async function recordTrace(seed: number, extent: Extent): Promise<Trace> {
  const base = mkdtempSync(join(tmpdir(), "todo-prove-"));
  const folder = join(base, "data");
  mkdirSync(folder);
  const random = randomFrom(seed);
  const events: TraceEvent[] = [];
  const digests = [digest(new Map())];
  const fs = recordingFs({
    fs: nodeFs,
    folder,
    record: (call) => events.push(call),
    syncTurns: () => below(random, 4),
  });
  let notes: Notes = new Map();
  try {
    for (const version of [1, 2, 2]) {
      events.push({ kind: "starting", version });
      const migrations = migrationsTo(version);
      const db = await openDatabase({ folder, migrations, cacheKiB: CACHE_KIB, fs });
      const found = read(db);
      if (found.digest !== digests.at(-1)) throw new Error("The database is not as it was left");
      events.push({ kind: "ready", version, transaction: found.transaction });
      const run: Run = { db, random, notes, events, digests, answers: [] };
      await work(run, extent);
      await Promise.all(run.answers);
      notes = run.notes;
      await db.close();
    }
    return { events, digests, backups: [readFileSync(join(folder, BACKUP))] };
  } finally {
    rmSync(base, { recursive: true });
  }
}

async function work(run: Run, { steps: stepCount, isLarge }: Extent): Promise<void> {
  for (let step = 0; step < stepCount; step++) {
    await pick(run.random, steps)(run);
    if (run.random() < 0.4) await Promise.all(run.answers.splice(0));
  }
  if (isLarge) await checkpoints(run);
}

/** What clients may do, several of them at once. */
const steps: readonly ((run: Run) => Promise<void> | void)[] = [
  (run) => transact(run, someChanges(run, 1 + below(run.random, 3), 500)),
  function burst(run) {
    for (let client = below(run.random, 6); client >= 0; client--) {
      transact(run, someChanges(run, 2, 900));
    }
  },
  async function commitsWhileASyncIsUnderWay(run) {
    transact(run, someChanges(run, 2, 300));
    await nextTurn();
    for (let next = below(run.random, 3); next >= 0; next--) bump(run);
  },
  async function largerThanTheCache(run) {
    transact(run, someChanges(run, 12, 9000));
    if (run.random() < 0.3) await nextTurn();
  },
  (run) => rollback(run, someChanges(run, 2, 500)),
  (run) => rollback(run, someChanges(run, 12, 9000)),
  function savepoint(run) {
    const undone = someChanges(run, 3, 2000);
    transact(run, someChanges(run, 3, 800), () => {
      tolerate(() => {
        run.db.transaction(() => {
          apply(run.db, undone);
          throw new Error("only this part");
        });
      });
    });
  },
  function removal(run) {
    const ids = [...run.notes.keys()].filter(() => run.random() < 0.4);
    transact(
      run,
      ids.map((id): Change => [id, null]),
    );
  },
  vacuum,
];

/** Past the sizes at which the log is used again from its beginning, and at which it is cut. */
async function checkpoints(run: Run): Promise<void> {
  const around = (): void => transact(run, someChanges(run, 2, 500));
  for (let number = 0; number < 20; number++) {
    transact(run, someChanges(run, 20, 22_000));
    await settle(run);
  }
  around();
  await settle(run);
  around();
  bump(run);
  await settle(run);
  // Larger at once than the log may stay, and then than the database needs to be.
  transact(run, [[1, "x".repeat(6_400_000)]]);
  await settle(run);
  transact(run, [[1, null]]);
  await settle(run);
  await vacuum(run);
  around();
}

async function vacuum(run: Run): Promise<void> {
  await settle(run);
  run.db.run("VACUUM");
  answer(run);
}

function someChanges({ random }: Run, length: number, size: number): Change[] {
  return Array.from({ length }, () => {
    const letter = String.fromCodePoint(97 + below(random, 26));
    return [1 + below(random, NOTES), `${random()} ${letter.repeat(below(random, size))}`];
  });
}

function transact(run: Run, changes: readonly Change[], also: () => void = () => {}): void {
  const transaction = begin(run, changed(run.notes, changes));
  run.db.transaction(() => {
    apply(run.db, changes);
    also();
    count(run.db, transaction);
  });
  answer(run, transaction);
}

/** A transaction of one statement, which is committed by itself unless others are under way. */
function bump(run: Run): void {
  const transaction = begin(run, run.notes);
  count(run.db, transaction);
  answer(run, transaction);
}

function begin(run: Run, notes: Notes): number {
  const transaction = run.digests.length;
  run.events.push({ kind: "begun", transaction });
  run.digests.push(digest(notes));
  run.notes = notes;
  return transaction;
}

function rollback(run: Run, changes: readonly Change[]): void {
  tolerate(() => {
    run.db.transaction(() => {
      apply(run.db, changes);
      throw new Error("all of it");
    });
  });
  answer(run);
}

function tolerate(action: () => void): void {
  try {
    action();
  } catch (error) {
    if (!(error instanceof Error) || !/^(all of it|only this part)$/.test(error.message)) {
      throw error;
    }
  }
}

/** As the server answers: once it is durable. */
function answer(run: Run, transaction = run.digests.length - 1): void {
  const told = (): void => void run.events.push({ kind: "acknowledged", transaction });
  const durable = run.db.durable();
  if (durable) run.answers.push(durable.then(told));
  else told();
}

async function settle(run: Run): Promise<void> {
  await Promise.all(run.answers.splice(0));
  await run.db.durable();
}
