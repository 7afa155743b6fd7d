import { join } from "node:path";

import { openConnection, type OwnedConnection } from "./connection.ts";
import { StorageError } from "./errors.ts";
import { virtualPath } from "./file-names.ts";
import type { HostFs } from "./host-fs.ts";
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
  { sqlite, fs, folder, name }: { sqlite: Sqlite; fs: HostFs; folder: string; name: string },
): void {
  const draft = `${name}.new`;
  const draftPath = join(folder, draft);
  removeFile(fs, draftPath);
  try {
    source.run("VACUUM INTO ?", [virtualPath(draft)]);
    checkIntegrity(openConnection(sqlite, virtualPath(draft)));
    publish(fs, draftPath, join(folder, name));
  } catch (error) {
    removeFile(fs, draftPath);
    throw error;
  }
}

function checkIntegrity(copy: OwnedConnection): void {
  const [first] = copy.all<{ integrity_check: string }>("PRAGMA integrity_check(1)");
  copy.close();
  if (first?.integrity_check === "ok") return;
  throw new StorageError(
    "corrupt",
    "The database is damaged, so no copy of it was made. Keep the data folder and restore an earlier backup.",
    { cause: new Error(first?.integrity_check) },
  );
}
