import { constants } from "node:fs";

import { uninterrupted } from "./errno.ts";
import { StorageError } from "./errors.ts";
import type { HostFs } from "./host-fs.ts";

/** "todo" in ASCII: how a database says whose it is, in bytes 68 to 71 of its file. */
export const APPLICATION_ID = 0x746f646f;

// https://sqlite.org/fileformat2.html#the_database_header
const HEADER_BYTES = 100;
const MAGIC = "SQLite format 3\0";

interface Expected {
  /** The newest schema this program knows. */
  version: number;
  /** Whether a log or journal will complete the file: until then its size proves nothing. */
  incomplete: boolean;
}

/**
 * Checks that a file is a database of this program, whole, and not newer than it. Only looks: the
 * file is not changed, and SQLite has not seen it.
 *
 * @throws {StorageError} `empty`, `truncated`, `not_a_database`, `foreign` or `newer`.
 */
export function checkDatabaseFile(fs: HostFs, path: string, expected: Expected): void {
  const { header, size } = readHeader(fs, path);
  if (size === 0) {
    throw refusal("empty", path, "is empty. Restore a backup, or remove it to start anew.");
  }
  if (!header.toString("latin1").startsWith(MAGIC.slice(0, size))) {
    throw refusal("not_a_database", path, "is not a database. Choose another folder.");
  }
  if (size < HEADER_BYTES) throw truncated(path);
  if (header.readUInt32BE(68) !== APPLICATION_ID) {
    throw refusal("foreign", path, "is the database of another program. Choose another folder.");
  }
  checkVersion(path, header.readUInt32BE(60), expected.version);
  if (!expected.incomplete && isTruncated(header, size)) throw truncated(path);
}

/**
 * Checks the version of a database's schema.
 *
 * @throws {StorageError} `newer` when the program does not know it.
 */
export function checkVersion(path: string, found: number, known: number): void {
  if (found <= known) return;
  throw refusal(
    "newer",
    path,
    `was written by a newer version of this program (schema ${found}, known up to ${known}). Install that version.`,
  );
}

/** The version of a database's schema, by its header alone. */
export function schemaOf(fs: HostFs, path: string): number {
  return readHeader(fs, path).header.readUInt32BE(60);
}

function readHeader(fs: HostFs, path: string): { header: Buffer; size: number } {
  const header = Buffer.alloc(HEADER_BYTES);
  const fd = fs.openSync(path, constants.O_RDONLY);
  try {
    for (let done = 0, count = 1; count > 0; done += count) {
      count = uninterrupted(() => fs.readSync(fd, header, done, HEADER_BYTES - done, done));
    }
    return { header, size: fs.fstatSync(fd).size };
  } finally {
    fs.closeSync(fd);
  }
}

function isTruncated(header: Buffer, size: number): boolean {
  const field = header.readUInt16BE(16);
  const pageSize = field === 1 ? 65_536 : field;
  // A program of long ago may have left the number of pages out of date.
  const isCurrent = header.readUInt32BE(24) === header.readUInt32BE(92);
  const pages = isCurrent ? header.readUInt32BE(28) : 0;
  return size % pageSize !== 0 || size < pages * pageSize;
}

function truncated(path: string): StorageError {
  return refusal("truncated", path, "has lost a part of its content. Restore a backup.");
}

function refusal(code: StorageError["code"], path: string, what: string): StorageError {
  return new StorageError(code, `The file ${path} ${what} It was not changed.`);
}
