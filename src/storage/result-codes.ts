import { StorageError, type StorageErrorCode } from "./errors.ts";

// SQLite's result codes: https://sqlite.org/rescode.html
export const OK = 0;
export const NOMEM = 7;
export const ROW = 100;
const ERROR = 1;
const IOERR = 10;
const CORRUPT = 11;
const FULL = 13;
const CANTOPEN = 14;
const TOOBIG = 18;
const CONSTRAINT = 19;
const MISMATCH = 20;
const RANGE = 25;
const NOTADB = 26;

const FAILED: [StorageErrorCode, string] = ["failed", "The database could not do this."];

const errors: Readonly<Record<number, [StorageErrorCode, string]>> = {
  [NOMEM]: ["failed", "The database ran out of memory, so nothing was changed. Try again."],
  [IOERR]: [
    "io",
    "The disk did not read or write the database, so nothing was changed. Check the disk, then try again.",
  ],
  [CORRUPT]: [
    "corrupt",
    "The database is damaged. Stop the server, keep a copy of the data folder, and restore a backup.",
  ],
  [FULL]: ["full", "The disk is full, so nothing was changed. Free some space, then try again."],
  [CANTOPEN]: ["io", "A file of the database could not be opened. Check the data folder's files."],
  [CONSTRAINT]: ["constraint", "A rule of the database forbids this, so nothing was changed."],
  [NOTADB]: [
    "not_a_database",
    "The database's file is not a database. Stop the server and restore a backup.",
  ],
};

/** After these the statement alone is undone, and the transaction around it can go on. */
const harmless = new Set([ERROR, TOOBIG, CONSTRAINT, MISMATCH, RANGE]);

/** A failed call of SQLite, with SQLite's own words (which may show data) in `cause`. */
export class SqliteError extends StorageError {
  /** Whether SQLite may have rolled back the whole transaction by itself. */
  readonly endsTransaction: boolean;

  constructor(resultCode: number, detail: string) {
    const [code, message] = errors[resultCode] ?? FAILED;
    super(code, message, { cause: new Error(`SQLite ${resultCode}: ${detail}`) });
    this.endsTransaction = !harmless.has(resultCode);
  }
}
