import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestContext } from "node:test";

import type { Migration } from "../migrations/migration.ts";
import { openDatabase, type Database, type DatabaseOptions } from "../src/storage/database.ts";
import type { StorageError } from "../src/storage/errors.ts";
import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";

/** A schema that is just enough for storage: notes, each perhaps an answer to another. */
export const migrations: readonly Migration[] = [
  {
    version: 1,
    name: "notes",
    up: `CREATE TABLE notes (
      id     INTEGER PRIMARY KEY,
      text   TEXT UNIQUE,
      answers INTEGER REFERENCES notes (id) DEFERRABLE INITIALLY DEFERRED
    );`,
  },
];

/** An empty folder, removed after the test. */
export function makeFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "todo-storage-"));
  t.after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** A database of notes that is closed after the test, and the failures that it reported. */
export async function openNotes(
  t: TestContext,
  options: Partial<DatabaseOptions> = {},
): Promise<Database & { failures: StorageError[] }> {
  const failures: StorageError[] = [];
  const db = await openDatabase({
    folder: options.folder ?? makeFolder(t),
    migrations,
    onFatal: (error) => failures.push(error),
    ...options,
  });
  // A test may have damaged it on purpose.
  t.after(() => db.close().catch(() => {}));
  return { ...db, failures };
}

export function addNote(db: Database, text: string | null): void {
  db.run("INSERT INTO notes (text) VALUES (?)", [text]);
}

export function countNotes(db: Database): number {
  return db.get<{ count: number }>("SELECT count(*) AS count FROM notes")!.count;
}

/** The real file system, but for the given functions; `fsyncSync` stands for both kinds of sync. */
export function fsWith(overrides: Partial<HostFs>): HostFs {
  const { fsyncSync } = overrides;
  return { ...nodeFs, ...(fsyncSync && { fdatasyncSync: fsyncSync }), ...overrides };
}

export function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: made for a test`), { code, syscall: "test" });
}

/** The log's size in bytes. */
export function logSize(folder: string): number {
  return statSync(join(folder, "todo.wal")).size;
}

/** The names and bytes of a folder's files. */
export function snapshot(folder: string): Record<string, string> {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(
    ({ name }) => name !== ".lock",
  );
  return Object.fromEntries(
    entries.map((entry) => [
      entry.name,
      entry.isFile() ? readFileSync(join(folder, entry.name)).toString("base64") : "folder",
    ]),
  );
}
