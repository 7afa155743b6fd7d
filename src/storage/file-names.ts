/** The database: between a clean stop and the next start, a plain SQLite file and all there is. */
export const DATABASE = "todo.db";

/** The live write-ahead log, under a name where no other program looks for it. */
export const LOG = "todo.wal";

/**
 * Where SQLite programs look for the log. While the database is live it is a directory, so that
 * they fail to open the database instead of deleting our log or writing beside it.
 */
export const GUARD = `${DATABASE}-wal`;

/** A rollback journal, left by a crash of another SQLite program or of our own clean stop. */
export const JOURNAL = `${DATABASE}-journal`;

/** Space for the time when the disk is full; see reserve.ts. */
export const RESERVE = "todo.reserve";

/** What SQLite, our own included, calls a file of the data folder. */
export function virtualPath(name: string): string {
  return `/${name}`;
}
