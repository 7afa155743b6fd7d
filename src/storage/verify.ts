import { basename, dirname } from "node:path";

import { openConnection, type OwnedConnection } from "./connection.ts";
import { StorageError } from "./errors.ts";
import { virtualPath } from "./file-names.ts";
import { createHostFiles } from "./host-files.ts";
import { nodeFs, type HostFs } from "./host-fs.ts";
import { schemaVersion } from "./migrate.ts";
import { loadSqliteModule } from "./sqlite-module.ts";
import { startSqlite } from "./sqlite.ts";

/** What a database that is not in use holds. */
export interface Contents {
  /** The version of its schema. */
  schema: number;
  users: number;
  todos: number;
}

/**
 * Opens a database file that nobody uses, apart from any data folder.
 *
 * @param readOnly leaves everything as it is, also a log that is still to be taken over: it is read.
 * @param work gets the connection, which is closed after it.
 * @throws {StorageError} as SQLite answers.
 */
export function withDatabaseFile<T>(
  fs: HostFs,
  path: string,
  work: (connection: OwnedConnection) => T,
  { readOnly = false } = {},
): T {
  // Every failed sync comes back as an error of SQLite's, too.
  const files = createHostFiles({ fs, folder: dirname(path), readOnly, onSyncFailure: () => {} });
  try {
    const sqlite = startSqlite(loadSqliteModule(), files);
    const connection = openConnection(sqlite, virtualPath(basename(path)));
    // Before anything is read: the log's index then needs no file of its own.
    connection.get("PRAGMA locking_mode = EXCLUSIVE");
    connection.run("PRAGMA trusted_schema = OFF");
    connection.run("PRAGMA temp_store = MEMORY");
    connection.run("PRAGMA cache_size = -16384");
    const result = work(connection);
    connection.close();
    return result;
  } finally {
    files.abandon();
  }
}

/**
 * Checks all of a database: its pages, its indexes, and that what records refer to is there.
 *
 * @throws {StorageError} `corrupt` when it is not sound, or as SQLite answers.
 */
export function verify(connection: OwnedConnection): Contents {
  const [first] = connection.all<{ integrity_check: string }>("PRAGMA integrity_check(1)");
  if (first?.integrity_check !== "ok") throw unsound(first?.integrity_check);
  const [broken] = connection.all<{ table: string }>("PRAGMA foreign_key_check");
  if (broken) throw unsound(`a record of ${broken.table} refers to one that is missing`);
  return {
    schema: schemaVersion(connection),
    ...connection.get<{ users: number; todos: number }>(
      "SELECT (SELECT count(*) FROM users) AS users, (SELECT count(*) FROM todos) AS todos",
    )!,
  };
}

/**
 * The same for a file that nobody uses.
 *
 * @throws {StorageError} as {@link verify}.
 */
export function verifyFile(path: string): Contents {
  return withDatabaseFile(nodeFs, path, verify);
}

function unsound(reason: string | undefined): StorageError {
  const detail = (reason ?? "no answer").replace(/^\*\*\* in database main \*\*\*\s*/, "");
  return new StorageError(
    "corrupt",
    `The database is damaged (${detail.replaceAll("\n", " ")}). Keep a copy of the data folder, then restore a backup.`,
  );
}
