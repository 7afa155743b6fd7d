import { join } from "node:path";

import { openConnection, type OwnedConnection } from "./connection.ts";
import { StorageError } from "./errors.ts";
import { virtualPath } from "./file-names.ts";
import type { HostFiles } from "./host-files.ts";
import type { HostFs } from "./host-fs.ts";
import { findDamage } from "./integrity.ts";
import { publish, removeFile } from "./safe-files.ts";
import type { Sqlite } from "./sqlite.ts";

/**
 * Writes a copy of the whole database, as one plain and compact SQLite file, into its own folder.
 * Under its final name it exists only complete, checked and on the disk. Blocks until it is.
 *
 * @param name the file's name; a file of that name is replaced.
 * @throws {StorageError} `full` or `io` when the copy cannot be written, `corrupt` when it is not
 *   sound; nothing is left of it then.
 */
export function writeBackup(
  source: OwnedConnection,
  options: { sqlite: Sqlite; files: HostFiles; fs: HostFs; folder: string; name: string },
): void {
  const { sqlite, files, fs, folder, name } = options;
  const draft = `${name}.new`;
  const draftPath = join(folder, draft);
  removeFile(fs, draftPath);
  try {
    source.run("VACUUM INTO ?", [virtualPath(draft)]);
    checkIntegrity(openConnection(sqlite, virtualPath(draft)), files);
    publish(fs, draftPath, join(folder, name));
  } catch (error) {
    removeFile(fs, draftPath);
    throw error;
  }
}

function checkIntegrity(copy: OwnedConnection, files: HostFiles): void {
  const damage = findDamage(copy, "integrity_check", files);
  copy.close();
  if (damage === undefined) return;
  throw new StorageError(
    "corrupt",
    "The database is damaged, so no copy of it was made. Keep the data folder and restore an earlier backup.",
    { cause: new Error(damage) },
  );
}
