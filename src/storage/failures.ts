import { errorName } from "./errno.ts";
import { StorageError } from "./errors.ts";

// The ends of an open database: after one of these nothing is acknowledged any more.

/** A failed sync: the system may have dropped what was written, and says so only once. */
export function syncFailed(cause: unknown): StorageError {
  return new StorageError(
    "io",
    `The disk could not save the database (${errorName(cause) ?? "error"}), so the server stops before it confirms anything that may be lost. Check the disk, then start it again.`,
    { cause },
  );
}

/** A checkpoint that failed for another reason than a full disk. */
export function checkpointFailed(cause: unknown): StorageError {
  return new StorageError(
    "io",
    "The disk failed while the database's log was copied into it, so the server stops before anything is lost. Check the disk, then start it again.",
    { cause },
  );
}

/** Files that are no longer at their paths: what is written to them is out of everyone's reach. */
export function filesGone(): StorageError {
  return new StorageError(
    "gone",
    "The database's files were deleted, replaced, linked or cut short while the server used them, so it stops. Put them back, or restore a backup, then start it again.",
  );
}

/** What every call answers once the database was closed. */
export function closed(): StorageError {
  return new StorageError("failed", "The database is closed.");
}

/**
 * A system error during start or stop, in words.
 *
 * @returns the error itself when it is a {@link StorageError} already, or none of the system's.
 */
export function describeSystemError(error: unknown, folder: string): unknown {
  if (error instanceof StorageError) return error;
  const name = errorName(error);
  if (!(error instanceof Error) || name === undefined || !("syscall" in error)) return error;
  if (name === "EROFS") {
    return new StorageError(
      "not_writable",
      `The data folder ${folder} is on a disk that is read-only now (EROFS), as a disk that fails may become. Check the disk; a copy of the folder elsewhere can be used.`,
      { cause: error },
    );
  }
  if (["EACCES", "EPERM"].includes(name)) {
    return new StorageError(
      "not_writable",
      `The data folder ${folder} or a file in it may not be read or written (${name}). Change its owner or permissions, or choose another folder.`,
      { cause: error },
    );
  }
  if (["ENOSPC", "EDQUOT"].includes(name)) {
    return new StorageError(
      "full",
      `There is no space left for the data folder ${folder}. Free some space, then start again.`,
      { cause: error },
    );
  }
  if (["EEXIST", "ENOTDIR"].includes(name)) {
    return new StorageError(
      "not_writable",
      `The data folder ${folder} is not a folder, or not in one: there is a file of that name. Choose another folder.`,
      { cause: error },
    );
  }
  return new StorageError(
    "io",
    `The data folder ${folder} cannot be used: ${error.message}. Check the folder and its disk, then start again.`,
    { cause: error },
  );
}
