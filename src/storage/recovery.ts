import { join } from "node:path";

import type { OwnedConnection } from "./connection.ts";
import type { FolderState } from "./data-folder.ts";
import { errorName } from "./errno.ts";
import { StorageError } from "./errors.ts";
import { GUARD, JOURNAL, LOG } from "./file-names.ts";
import type { HostFiles } from "./host-files.ts";
import type { HostFs } from "./host-fs.ts";
import { findDamage } from "./integrity.ts";
import { copyFile, publish, removeFile, syncFolder } from "./safe-files.ts";

/**
 * Puts the log that the last process left into a state in which SQLite may open it.
 *
 * The log is copied to a new file and synced. After a failed sync the system may show bytes that
 * are not on the disk and that no later sync would write; those of a new file are written for sure.
 *
 * @throws {StorageError} `failed` when there are two logs, of which only one can be right.
 * @throws the system's error when the log cannot be copied; it is then still there.
 */
export function recoverLog(fs: HostFs, folder: string, state: FolderState): void {
  const log = join(folder, LOG);
  const guard = join(folder, GUARD);
  if (state.log === "content" && state.guard === "content") {
    throw new StorageError(
      "failed",
      `There are two logs of one database in ${folder}: ${LOG} is ours, ${GUARD} another program's. Keep a copy of the folder, then move away the one that is not wanted. Nothing was changed.`,
    );
  }
  if (state.guard === "content") fs.renameSync(guard, log);
  if (state.guard === "empty") fs.unlinkSync(guard);
  const copy = `${log}.new`;
  // Of a start that was cut short, after which a power cut may have left nothing of the log itself.
  removeFile(fs, copy);
  if (state.log !== "content" && state.guard !== "content") return;
  copyFile(fs, log, copy);
  publish(fs, copy, log);
}

/** Whether the last process to use the database did not close it. */
export function isUnclean({ log, guard, journal }: FolderState): boolean {
  return log !== "none" || guard !== "none" || journal === "content";
}

/**
 * Checks a database that was not closed.
 *
 * @throws {StorageError} `corrupt` when it is not sound, `io` when it cannot be read.
 */
export function quickCheck(connection: OwnedConnection, files: HostFiles): void {
  const damage = findDamage(connection, "quick_check", files);
  if (damage === undefined) return;
  throw new StorageError(
    "corrupt",
    "The database was damaged when the server last stopped. Keep a copy of the data folder and restore a backup.",
    { cause: new Error(damage) },
  );
}

/**
 * Keeps other SQLite programs from opening the database; see {@link GUARD}.
 *
 * @throws the system's error.
 */
export function raiseGuard(fs: HostFs, folder: string): void {
  // The last process may have made the database and ended before this: a guard without it would be
  // refused.
  syncFolder(fs, folder);
  try {
    fs.mkdirSync(join(folder, GUARD), { mode: 0o700 });
  } catch (error) {
    if (errorName(error) !== "EEXIST") throw error;
  }
  syncFolder(fs, folder);
}

/**
 * Leaves the closed database to every program: a single, plain file.
 *
 * @throws the system's error.
 */
export function lowerGuard(fs: HostFs, folder: string): void {
  // SQLite leaves it, empty or void, because it held the database exclusively.
  removeFile(fs, join(folder, JOURNAL));
  fs.rmdirSync(join(folder, GUARD));
  syncFolder(fs, folder);
}
