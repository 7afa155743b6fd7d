import { createHash } from "node:crypto";

import type { Migration } from "../../../migrations/migration.ts";
import type { Connection } from "../../../src/storage/connection.ts";

/** The schema of the proof: notes, and the number of the last transaction that changed anything. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: "notes",
    up: `CREATE TABLE progress (transactions INTEGER NOT NULL);
      INSERT INTO progress VALUES (0);
      CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT NOT NULL);
      CREATE INDEX notes_by_start ON notes (substr(text, 1, 12));`,
  },
  {
    version: 2,
    name: "notes with authors",
    // Built anew, as is usual where ALTER TABLE does not suffice.
    up: `CREATE TABLE written (id INTEGER PRIMARY KEY, text TEXT NOT NULL, author INTEGER);
      INSERT INTO written SELECT id, text, id % 7 FROM notes;
      DROP TABLE notes;
      ALTER TABLE written RENAME TO notes;
      CREATE INDEX notes_by_start ON notes (substr(text, 1, 12));
      CREATE INDEX notes_by_author ON notes (author);`,
  },
];

/** The steps up to a version. */
export function migrationsTo(version: number): readonly Migration[] {
  return migrations.filter((migration) => migration.version <= version);
}

export type Notes = ReadonlyMap<number, string>;

/** A change of one transaction: a note's new text, or null when it is removed. */
export type Change = readonly [id: number, text: string | null];

/** The notes after some changes. */
export function changed(notes: Notes, changes: readonly Change[]): Notes {
  const next = new Map(notes);
  for (const [id, text] of changes) {
    if (text === null) next.delete(id);
    else next.set(id, text);
  }
  return next;
}

/** Makes the changes in the database, which other parts of the transaction may follow. */
export function apply(db: Connection, changes: readonly Change[]): void {
  for (const [id, text] of changes) {
    if (text === null) db.run("DELETE FROM notes WHERE id = ?", [id]);
    else {
      db.run(
        "INSERT INTO notes (id, text) VALUES (?, ?) ON CONFLICT (id) DO UPDATE SET text = excluded.text",
        [id, text],
      );
    }
  }
}

/** Numbers the transaction. Alone, it is a transaction that changes nothing else. */
export function count(db: Connection, transaction: number): void {
  db.run("UPDATE progress SET transactions = ?", [transaction]);
}

/** What stands for the whole content of the notes. */
export function digest(notes: Notes): string {
  const text = [...notes]
    .toSorted(([one], [other]) => one - other)
    .map(([id, content]) => `${id}=${content};`)
    .join("");
  return createHash("sha3-256").update(text).digest("hex");
}

/** The same digest, as the sqlite3 command computes it. */
export const DIGEST_SQL = `lower(hex(sha3(
  coalesce((SELECT group_concat(id || '=' || text || ';', '') FROM (SELECT * FROM notes ORDER BY id)), ''))))`;

/** What a database holds, as one reads it. */
export function read(db: Connection): { transaction: number; digest: string } {
  const progress = db.all<{ transactions: number }>("SELECT transactions FROM progress");
  const notes = db.all<{ id: number; text: string }>("SELECT id, text FROM notes");
  return {
    transaction: progress[0]?.transactions ?? -1,
    digest: digest(new Map(notes.map(({ id, text }) => [id, text]))),
  };
}
