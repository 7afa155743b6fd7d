import { constants } from "node:fs";
import { dirname, join } from "node:path";

import { StorageError } from "./errors.ts";
import { DATABASE, GUARD, JOURNAL, LOG } from "./file-names.ts";
import type { HostFs } from "./host-fs.ts";
import { syncFolder } from "./safe-files.ts";

/** What is at one of the folder's names. */
export type Entry = "none" | "empty" | "content" | "folder";

export interface FolderState {
  database: Entry;
  log: Entry;
  /** A folder when it is our guard; otherwise the log of another SQLite program. */
  guard: Entry;
  journal: Entry;
}

/**
 * Makes sure that the data folder exists, for this user alone when it is made here, and that it can
 * be written.
 *
 * @throws {StorageError} `not_writable`, or the system's error.
 */
export function prepareFolder(fs: HostFs, folder: string): void {
  makeFolder(fs, folder);
  // oxlint-disable-next-line no-bitwise -- a set of permissions
  fs.accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
}

/** Not by Node's recursive `mkdir`: it never ends where a folder cannot be made, as in /proc. */
function makeFolder(fs: HostFs, folder: string): void {
  const isFolder = () => fs.statSync(folder, { throwIfNoEntry: false })?.isDirectory() ?? false;
  if (isFolder()) return;
  const parent = dirname(folder);
  if (parent !== folder) makeFolder(fs, parent);
  try {
    fs.mkdirSync(folder, { mode: 0o700 });
  } catch (error) {
    // Another process may have made it just now.
    if (!isFolder()) throw error;
  }
  syncFolder(fs, parent);
}

/**
 * Looks at what is in the data folder.
 *
 * @throws {StorageError} `failed` when a file there is of a kind that a database cannot be, and
 *   `missing` when there are parts of a database but not the database itself.
 */
export function inspectFolder(fs: HostFs, folder: string): FolderState {
  const state: FolderState = {
    database: entryAt(fs, join(folder, DATABASE)),
    log: entryAt(fs, join(folder, LOG)),
    guard: entryAt(fs, join(folder, GUARD)),
    journal: entryAt(fs, join(folder, JOURNAL)),
  };
  for (const [name, entry] of [
    [DATABASE, state.database],
    [LOG, state.log],
    [JOURNAL, state.journal],
  ] as const) {
    if (entry === "folder") throw notAFile(join(folder, name), "is a folder");
  }
  const remains = [LOG, GUARD, JOURNAL].filter((_, index) => {
    return [state.log, state.guard, state.journal][index] !== "none";
  });
  if (state.database === "none" && remains.length > 0) {
    throw new StorageError(
      "missing",
      `The database ${join(folder, DATABASE)} is missing, but parts of it are there (${remains.join(", ")}). Put it back or restore a backup; to start anew, move those parts away. Nothing was changed.`,
    );
  }
  return state;
}

function entryAt(fs: HostFs, path: string): Entry {
  const stats = fs.lstatSync(path, { throwIfNoEntry: false });
  if (!stats) return "none";
  if (stats.isDirectory()) return "folder";
  if (stats.isSymbolicLink()) throw notAFile(path, "is a symbolic link");
  if (!stats.isFile()) throw notAFile(path, "is not a regular file");
  if (stats.nlink > 1) throw notAFile(path, "has another name too (a hard link)");
  return stats.size === 0 ? "empty" : "content";
}

function notAFile(path: string, what: string): StorageError {
  return new StorageError(
    "failed",
    `${path} ${what}, where a file of the database must be. Move it away or choose another folder. Nothing was changed.`,
  );
}
