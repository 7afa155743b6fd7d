import type { Migration } from "../../migrations/migration.ts";
import { openDatabase, type Database } from "../../src/storage/database.ts";
import type { StorageError } from "../../src/storage/errors.ts";
import type { HostFs } from "../../src/storage/host-fs.ts";

const KIB = 1024;

const notes: Migration = {
  version: 1,
  name: "notes",
  up: "CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT UNIQUE);",
};
const tags: Migration = {
  version: 2,
  name: "tags",
  up: "CREATE TABLE tags (note INTEGER REFERENCES notes (id), tag TEXT); CREATE INDEX by_tag ON tags (tag);",
};

/** The schema that a workload ends with. */
export const latest: readonly Migration[] = [notes, tags];

/** The notes, by their ids. */
export type Notes = ReadonlyMap<number, string>;

/** What a workload was told. */
export interface Outcome {
  /** What was confirmed, and nothing else, is there. */
  confirmed: Notes;
  /** The same with what was under way when the database failed: it may be there or not. */
  possible: Notes;
  /** The errors that were answered. */
  errors: unknown[];
  /** What is wrong already, in sentences. */
  wrong: string[];
}

/** A change of the notes: in the database, in a transaction, and in what is expected of it. */
interface Change {
  make: (db: Database) => void;
  expect: (notes: Map<number, string>) => void;
}

function insert(id: number, text: string): Change {
  return {
    make: (db) => db.run("INSERT INTO notes (id, text) VALUES (?, ?)", [id, text]),
    expect: (all) => all.set(id, text),
  };
}

function remove(id: number): Change {
  return {
    make: (db) => db.removal(() => db.run("DELETE FROM notes WHERE id = ?", [id])),
    expect: (all) => all.delete(id),
  };
}

function change(id: number, text: string): Change {
  return {
    make: (db) => db.run("UPDATE notes SET text = ? WHERE id = ?", [text, id]),
    expect: (all) => all.has(id) && all.set(id, text),
  };
}

/** Several changes as one. */
function together(changes: readonly Change[]): Change {
  return {
    make: (db) => changes.forEach(({ make }) => make(db)),
    expect: (all) => changes.forEach(({ expect }) => expect(all)),
  };
}

/** A transaction that comes to nothing, by its own will. */
const rolledBack: Change = {
  make(db) {
    try {
      db.transaction(() => {
        db.run("INSERT INTO notes (id, text) VALUES (999, 'never')");
        throw new RangeError("on purpose");
      });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
    }
  },
  expect() {},
};

const text = (id: number, length: number): string => `${id} `.repeat(length / 2).slice(0, length);

/** Changes that are made in the same turn of the event loop, and so are of one batch. */
type Turn = readonly Change[];

/** Small transactions, a rollback, and one that is larger than the page cache. */
const first: readonly Turn[] = [
  [together([insert(1, "one"), insert(2, "two"), insert(3, "three")])],
  [insert(4, "four"), remove(1), change(2, "zwei"), rolledBack],
  [together(Array.from({ length: 4 }, (_, note) => insert(10 + note, text(note, 9 * KIB))))],
  [remove(10), remove(11), change(3, "drei")],
];
const second: readonly Turn[] = [[insert(5, "five"), remove(2)], [change(4, "vier")]];

/** Enough for the log to be copied into the database while it is in use, and then some. */
const large: readonly Turn[] = Array.from({ length: 8 }, (_, turn) => [
  together([insert(100 + turn, text(100 + turn, 220 * KIB)), change(4, `vier ${turn}`)]),
]);

interface Life {
  migrations: readonly Migration[];
  turns: readonly Turn[];
  keepReserve: boolean;
}

/**
 * A database from its making through its use to its stop, and, with a new schema, once more; in the
 * large workload with checkpoints on the way.
 *
 * @param beforeStop called before each stop, and when the database cannot be opened.
 */
export async function runWorkload(
  options: { folder: string; fs: HostFs; isLarge: boolean },
  beforeStop: (outcome: Outcome) => void,
): Promise<Outcome> {
  const { isLarge } = options;
  const confirmed: Notes = new Map();
  const outcome: Outcome = { confirmed, possible: confirmed, errors: [], wrong: [] };
  const lives: Life[] = [
    { migrations: [notes], turns: isLarge ? [...first, ...large] : first, keepReserve: isLarge },
    { migrations: latest, turns: second, keepReserve: !isLarge },
  ];
  for (const life of lives) await live(life, options, outcome, beforeStop);
  return outcome;
}

async function live(
  { migrations, turns, keepReserve }: Life,
  { folder, fs }: Parameters<typeof runWorkload>[0],
  ...[outcome, beforeStop]: [Outcome, (outcome: Outcome) => void]
): Promise<void> {
  const failures: StorageError[] = [];
  const onFatal = (error: StorageError): void => void failures.push(error);
  // Some pages, so that a transaction is written before its end.
  const cacheKiB = 32;
  const options = { folder, fs, migrations, onFatal, cacheKiB, keepReserve };
  let db: Database;
  try {
    db = await openDatabase(options);
  } catch (error) {
    outcome.errors.push(error);
    beforeStop(outcome);
    return;
  }
  const hasFailed = (): boolean => failures.length > 0;
  if (settle(db, outcome)) {
    for (const turn of turns) if (!hasFailed()) await carryOut(db, turn, outcome, hasFailed);
  }
  outcome.errors.push(...failures);
  beforeStop(outcome);
  await db.close().catch((error: unknown) => outcome.errors.push(error));
}

/** What the last life left open is one thing or the other now; false when it cannot be read. */
function settle(db: Database, outcome: Outcome): boolean {
  let found: Notes;
  try {
    found = readNotes(db);
  } catch (error) {
    outcome.errors.push(error);
    return false;
  }
  if (!isExpected(found, outcome)) outcome.wrong.push("after a restart there was something else");
  outcome.confirmed = outcome.possible = found;
  return true;
}

async function carryOut(
  db: Database,
  turn: Turn,
  outcome: Outcome,
  hasFailed: () => boolean,
): Promise<void> {
  const made: Change[] = [];
  for (const one of turn) {
    try {
      db.transaction(() => one.make(db));
      made.push(one);
    } catch (error) {
      outcome.errors.push(error);
    }
  }
  const after = new Map(outcome.confirmed);
  for (const { expect } of made) expect(after);
  try {
    await db.durable();
    if (hasFailed()) outcome.wrong.push("confirmed after the end");
    outcome.confirmed = outcome.possible = after;
  } catch (error) {
    outcome.errors.push(error);
    if (hasFailed()) outcome.possible = after;
  }
  look(db, outcome, hasFailed);
}

/** What a read shows is what was confirmed, neither less nor more. */
function look(db: Database, outcome: Outcome, hasFailed: () => boolean): void {
  let found: Notes;
  try {
    found = readNotes(db);
  } catch (error) {
    outcome.errors.push(error);
    return;
  }
  if (hasFailed() || areSame(found, outcome.confirmed)) return;
  outcome.wrong.push(`a read showed ${found.size} notes, confirmed ${outcome.confirmed.size}`);
}

/** All notes of a database. */
export function readNotes(db: Database): Notes {
  const rows = db.all<{ id: number; text: string }>("SELECT id, text FROM notes");
  return new Map(rows.map((row) => [row.id, row.text]));
}

/** Whether notes are what was confirmed, or that with what was under way. */
export function isExpected(found: Notes, { confirmed, possible }: Outcome): boolean {
  return areSame(found, confirmed) || areSame(found, possible);
}

function areSame(one: Notes, other: Notes): boolean {
  return one.size === other.size && [...one].every(([id, found]) => other.get(id) === found);
}
