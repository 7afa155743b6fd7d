/**
 * The error numbers of the C library that SQLite is compiled with: WASI's, not the host's. Those
 * that SQLite or its VFS tell apart are here, and all others become {@link OTHER}.
 */
const numbers: Readonly<Record<string, number>> = {
  EACCES: 2,
  EAGAIN: 6,
  EBADF: 8,
  EBUSY: 10,
  // SQLite knows "full" by ENOSPC only; a quota is the same to the user.
  EDQUOT: 51,
  EEXIST: 20,
  EFBIG: 22,
  EINVAL: 28,
  EISDIR: 31,
  ELOOP: 32,
  EMFILE: 33,
  ENAMETOOLONG: 37,
  ENFILE: 41,
  ENOENT: 44,
  ENOMEM: 48,
  ENOSPC: 51,
  ENOSYS: 52,
  ENOTDIR: 54,
  EPERM: 63,
  EROFS: 69,
};

/**
 * ENOTRECOVERABLE, and not EIO: a read that fails with EIO is to SQLite a damaged file, though a disk
 * that does not answer says nothing about what is on it.
 */
const OTHER = 56;

/** The error number for "no such function", the answer of every import that is not needed. */
export const ENOSYS = 52;

/** The name of a failed system call's error, such as "ENOENT"; undefined for any other value. */
export function errorName(error: unknown): string | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  return typeof error.code === "string" ? error.code : undefined;
}

/** A failed system call's error number as SQLite's C library knows it; {@link OTHER} for any other value. */
export function errnoOf(error: unknown): number {
  return numbers[errorName(error) ?? ""] ?? OTHER;
}

/** An error that a file operation of our own answers as the system would. */
export function systemError(name: string): Error {
  return Object.assign(new Error(name), { code: name });
}

/** Signals do not interrupt a call more often than that; a system that says so is out of order. */
export const MAX_INTERRUPTIONS = 100;

/** The result of a system call, repeated when a signal interrupts it. */
export function uninterrupted<T>(call: () => T): T {
  for (let interruptions = 0; ; interruptions++) {
    try {
      return call();
    } catch (error) {
      if (errorName(error) !== "EINTR" || interruptions === MAX_INTERRUPTIONS) throw error;
    }
  }
}
