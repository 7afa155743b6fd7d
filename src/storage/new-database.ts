import { join } from "node:path";

import type { Migration } from "../../migrations/migration.ts";
import { openConnection } from "./connection.ts";
import { APPLICATION_ID } from "./database-header.ts";
import { DATABASE, virtualPath } from "./file-names.ts";
import type { HostFs } from "./host-fs.ts";
import { migrate } from "./migrate.ts";
import { makePrivateFile, publish, removeFile } from "./safe-files.ts";
import type { Sqlite } from "./sqlite.ts";

/**
 * Makes a new database. Under its name it exists only as a whole: it is built under another, of
 * which a crash may leave something that the next start removes.
 *
 * @throws {StorageError} as SQLite answers, or the system's error.
 */
export function createDatabase(
  sqlite: Sqlite,
  { fs, folder, migrations }: { fs: HostFs; folder: string; migrations: readonly Migration[] },
): void {
  const draft = `${DATABASE}.new`;
  removeFile(fs, join(folder, draft));
  fs.closeSync(makePrivateFile(fs, join(folder, draft)));
  const connection = openConnection(sqlite, virtualPath(draft));
  // No file is left beside the draft, and the whole of it is synced at the end.
  connection.get("PRAGMA journal_mode = MEMORY");
  connection.run("PRAGMA synchronous = OFF");
  connection.run(`PRAGMA application_id = ${APPLICATION_ID}`);
  migrate(connection, migrations);
  connection.close();
  publish(fs, join(folder, draft), join(folder, DATABASE));
}
