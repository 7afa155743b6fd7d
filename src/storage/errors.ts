/** What went wrong, for programs; the message says it to people. */
export type StorageErrorCode =
  /** Another process holds the data folder. */
  | "locked"
  | "not_writable"
  /** There is a log, a journal or a guard, but no database. */
  | "missing"
  | "empty"
  | "truncated"
  | "not_a_database"
  /** A SQLite database of another program. */
  | "foreign"
  /** Written by a newer version of this program. */
  | "newer"
  | "corrupt"
  /** The disk is full: the write changed nothing, and may succeed later. */
  | "full"
  | "constraint"
  | "io"
  /** The database's files were deleted or replaced while it was open. */
  | "gone"
  /** The database refuses further work, or was asked for something it cannot do. */
  | "failed";

/**
 * A failure of the storage. Its message says what happened, why, and what to do next, in words for
 * the person who runs the program; details for developers are in `cause`.
 */
export class StorageError extends Error {
  override readonly name = "StorageError";
  readonly code: StorageErrorCode;

  constructor(code: StorageErrorCode, message: string, options?: ErrorOptions) {
    super(message, options);
    this.code = code;
  }
}
