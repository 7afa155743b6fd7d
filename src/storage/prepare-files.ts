import { join } from "node:path";

import type { Migration } from "../../migrations/migration.ts";
import { inspectFolder } from "./data-folder.ts";
import { checkDatabaseFile } from "./database-header.ts";
import { DATABASE, RESERVE } from "./file-names.ts";
import { finishRestore } from "./finish-restore.ts";
import type { HostFs } from "./host-fs.ts";
import { latestVersion } from "./migrate.ts";
import { createDatabase } from "./new-database.ts";
import { isUnclean, raiseGuard, recoverLog } from "./recovery.ts";
import { removeFile } from "./safe-files.ts";
import type { Sqlite } from "./sqlite.ts";

/**
 * Makes a folder's files ready to be opened: a new database where there is nothing, a checked and
 * recovered one where there is something. A restore that was interrupted is gone through with.
 *
 * @returns whether the last process did not close the database.
 * @throws {StorageError} when the files are refused; they are then as they were.
 * @throws the system's error.
 */
export function prepareFiles(
  sqlite: Sqlite,
  options: { fs: HostFs; folder: string; migrations: readonly Migration[] },
): boolean {
  const { fs, folder, migrations } = options;
  const path = join(folder, DATABASE);
  finishRestore(fs, folder);
  const state = inspectFolder(fs, folder);
  const { log, guard, journal } = state;
  if (state.database === "none") {
    createDatabase(sqlite, options);
  } else {
    checkDatabaseFile(fs, path, {
      version: latestVersion(migrations),
      incomplete: [log, guard, journal].includes("content"),
    });
  }
  // The last process kept it for a time like this, when there may be no other space.
  removeFile(fs, join(folder, RESERVE));
  recoverLog(fs, folder, state);
  raiseGuard(fs, folder);
  // A backup that someone put here may be readable for all; it holds everyone's data.
  fs.chmodSync(path, 0o600);
  return isUnclean(state);
}
