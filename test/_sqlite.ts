import { spawnSync } from "node:child_process";
import { join } from "node:path";

/**
 * Lets the sqlite3 command, which knows nothing of us, read the database of a data folder.
 *
 * @returns the lines that it printed
 * @throws Error with what it says when it fails or is not installed
 */
export function sqlite3(folder: string, sql: string): string[] {
  const { error, status, stdout, stderr } = spawnSync(
    "sqlite3",
    ["-bail", "-readonly", join(folder, "todo.db"), sql],
    { encoding: "utf8", maxBuffer: 64 * 1024 * 1024 },
  );
  if (error) throw new Error("The sqlite3 command is needed (Debian: sqlite3)", { cause: error });
  if (status !== 0) throw new Error(stderr);
  return stdout.split("\n").slice(0, -1);
}
