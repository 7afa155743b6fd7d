import { join } from "node:path";

import { migrations } from "../../migrations/index.ts";
import { openConnection } from "./connection.ts";
import { inspectFolder } from "./data-folder.ts";
import { checkDatabaseFile, schemaOf } from "./database-header.ts";
import { StorageError } from "./errors.ts";
import { DATABASE, JOURNAL, LOG } from "./file-names.ts";
import { READY } from "./finish-restore.ts";
import { createHostFiles } from "./host-files.ts";
import { nodeFs } from "./host-fs.ts";
import { latestVersion } from "./migrate.ts";
import { isUnclean } from "./recovery.ts";
import { loadSqliteModule } from "./sqlite-module.ts";
import { startSqlite } from "./sqlite.ts";
import { type Contents, verify, withDatabaseFile } from "./verify.ts";

/** What the files of a data folder are, as a start would find them. */
export interface Files {
  database: "none" | "there";
  /** A restore was interrupted, which the next start goes through with. */
  isRestoring: boolean;
  /** The last process did not close the database: the next start recovers it. */
  isUnclean: boolean;
  /** There is a rollback journal, without which the database's content means nothing. */
  hasJournal: boolean;
  /** In bytes. */
  size: number;
  /** In bytes. */
  logSize: number;
  /** The version of the database's schema, as its header says; 0 where there is none. */
  schema: number;
}

/** The newest version of the schema that this program knows. */
export const knownSchema = latestVersion(migrations);

/**
 * Looks at the files of a data folder, and changes nothing.
 *
 * @throws {StorageError} what a start would refuse them with, or the system's error.
 */
export function examineFiles(folder: string): Files {
  const path = join(folder, DATABASE);
  const sizeOf = (name: string): number =>
    nodeFs.lstatSync(join(folder, name), { throwIfNoEntry: false })?.size ?? 0;
  const isRestoring = nodeFs.readdirSync(folder).some((name) => name.startsWith(READY));
  const none = { hasJournal: false, isUnclean: false, size: 0, logSize: 0, schema: 0 };
  if (isRestoring) return { ...none, database: "none", isRestoring };
  const state = inspectFolder(nodeFs, folder);
  if (state.database === "none") return { ...none, database: "none", isRestoring };
  const { log, guard, journal } = state;
  checkDatabaseFile(nodeFs, path, {
    version: knownSchema,
    incomplete: [log, guard, journal].includes("content"),
  });
  if (log === "content" && guard === "content") {
    throw new StorageError("failed", `There are two logs of one database in ${folder}.`);
  }
  return {
    database: "there",
    isRestoring,
    isUnclean: isUnclean(state),
    hasJournal: sizeOf(JOURNAL) > 0,
    size: sizeOf(DATABASE),
    logSize: sizeOf(LOG),
    schema: schemaOf(nodeFs, path),
  };
}

/** What a database holds, and when its newest record was made or changed (UTC). */
export type Examined = Contents & { newest: string | null };

/**
 * Checks all of a database that nobody uses, with what only its log holds, and changes nothing.
 *
 * @throws {StorageError} `corrupt` when it is not sound, or as SQLite answers.
 */
export function examineContents(path: string): Examined {
  return withDatabaseFile(
    nodeFs,
    path,
    (connection) => ({
      ...verify(connection),
      ...connection.get<{ newest: string | null }>(
        `SELECT max(time) AS newest FROM
           (SELECT max(updated_at) AS time FROM users UNION ALL SELECT max(updated_at) FROM todos)`,
      )!,
    }),
    { readOnly: true },
  );
}

/** The version of SQLite itself. */
export function sqliteVersion(): string {
  const files = createHostFiles({ fs: nodeFs, folder: "/", readOnly: true, onSyncFailure() {} });
  const connection = openConnection(startSqlite(loadSqliteModule(), files), ":memory:");
  return connection.get<{ version: string }>("SELECT sqlite_version() AS version")!.version;
}
