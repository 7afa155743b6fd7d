import type { OwnedConnection } from "./connection.ts";
import { StorageError } from "./errors.ts";
import type { SqlValue } from "./statement.ts";

/** Each pragma with the value it is given and the one it must then answer, in this order. */
const pragmas: readonly [name: string, value: string, expected: SqlValue][] = [
  // Before WAL: SQLite then keeps the log's index in its own memory and needs no shared one.
  ["locking_mode", "EXCLUSIVE", "exclusive"],
  ["journal_mode", "WAL", "wal"],
  // A commit does not sync by itself; the group commit does.
  ["synchronous", "NORMAL", 1],
  // Automatic checkpoints hide their errors; see checkpoints.ts.
  ["wal_autocheckpoint", "0", 0],
  // The data folder is the only one there is, and not for temporary files.
  ["temp_store", "MEMORY", 2],
  ["foreign_keys", "ON", 1],
  ["trusted_schema", "OFF", 0],
];

/**
 * Sets a connection up for the live database.
 *
 * @param cacheKiB the size of the page cache, which is what SQLite's memory is bounded by.
 * @throws {StorageError} `failed` when SQLite does not do as told, or as it answers.
 */
export function configure(connection: OwnedConnection, cacheKiB: number): void {
  for (const [name, value, expected] of pragmas) set(connection, name, value, expected);
  // Negative: in KiB, not in pages.
  set(connection, "cache_size", String(-cacheKiB), -cacheKiB);
}

/**
 * Turns a live database into one plain file.
 *
 * @throws {StorageError} `failed` when SQLite does not do as told, or as it answers.
 */
export function leaveWal(connection: OwnedConnection): void {
  // The change goes through a rollback journal. With NORMAL, one sync covers the journal's content
  // and the count that makes it valid, so a power cut could leave a journal that counts and is not
  // whole, which the next start would copy over the first page.
  set(connection, "synchronous", "FULL", 2);
  set(connection, "journal_mode", "DELETE", "delete");
}

function set(connection: OwnedConnection, name: string, value: string, expected: SqlValue): void {
  connection.all(`PRAGMA ${name} = ${value}`);
  const answer = Object.values(connection.get<Record<string, SqlValue>>(`PRAGMA ${name}`) ?? {})[0];
  if (answer === expected) return;
  throw new StorageError("failed", "The database could not be set up. Install the program again.", {
    cause: new Error(`${name} is ${String(answer)}, not ${String(expected)}`),
  });
}
