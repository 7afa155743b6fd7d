import { constants } from "node:fs";
import { join } from "node:path";

import { errorName, uninterrupted } from "./errno.ts";
import { StorageError } from "./errors.ts";
import { DATABASE } from "./file-names.ts";
import type { HostFs } from "./host-fs.ts";
import { removeFile } from "./safe-files.ts";

/** The database as it was at one moment, while others go on to change it. */
export interface Snapshot {
  /** In bytes. */
  readonly size: number;
  /**
   * The bytes of one plain SQLite file, in order. To be read once; takes turns with everything else
   * that the process does.
   *
   * @throws {StorageError} as a rejection, when they cannot be read or kept.
   */
  read(): AsyncGenerator<Uint8Array, void>;
  /** Ends it. To be called in any case. */
  close(): void;
}

/** The snapshots of a database's file that are being read. */
export interface Snapshots {
  /** Takes one of the file as it is: complete by itself, without what only the log holds. */
  open(): Snapshot;
  /** To be called before bytes of the file change, with their offsets; never throws. */
  beforeChange: (start: number, end: number) => void;
  /** Ends them all: whoever still reads gets the error. */
  fail(error: StorageError): void;
}

/** A snapshot as its file's writer sees it. */
type Reader = Snapshot & Pick<Snapshots, "beforeChange" | "fail">;

/** What is kept before it changes: the size of most pages. */
const BLOCK = 4096;

/** What is read at once. Large enough for speed, small enough to leave the disk to others. */
const CHUNK = 64 * BLOCK;

/** Where a change before its reader is written; under this name for no more than a moment. */
const SPOOL = `${DATABASE}.before`;

/**
 * Snapshots of the database's file in a folder.
 *
 * In WAL mode, only checkpoints write to the file. What one of them is about to overwrite and a
 * snapshot has not yet read is first copied to a file of its own, so that the snapshot neither
 * holds up checkpoints nor ever has to begin again.
 */
export function createSnapshots(fs: HostFs, folder: string): Snapshots {
  const readers = new Set<Reader>();
  return {
    open() {
      const reader = openReader(fs, folder, () => readers.delete(reader));
      readers.add(reader);
      return reader;
    },
    beforeChange(start, end) {
      for (const reader of readers) reader.beforeChange(start, end);
    },
    fail(error) {
      for (const reader of readers) reader.fail(error);
    },
  };
}

function openReader(fs: HostFs, folder: string, onClose: () => void): Reader {
  const source = fs.openSync(join(folder, DATABASE), constants.O_RDONLY);
  const { size } = fs.fstatSync(source);
  /** Per block: whether it has changed, and is in the spool as it was. */
  const isKept = new Uint8Array(Math.ceil(size / BLOCK));
  const block = new Uint8Array(BLOCK);
  /** Blocks before this one have been read. */
  let next = 0;
  let spool: number | undefined;
  let failure: StorageError | undefined;
  let isClosed = false;
  let reading: Promise<unknown> | undefined;

  function keep(index: number): void {
    spool ??= openSpool(fs, folder);
    const offset = index * BLOCK;
    const length = uninterrupted(() => fs.readSync(source, block, 0, BLOCK, offset));
    for (let done = 0; done < length;) {
      const start = done;
      const at = offset + start;
      done += uninterrupted(() => fs.writeSync(spool!, block, start, length - start, at));
    }
    isKept[index] = 1;
  }

  /** What was kept goes over what the file holds by now. */
  async function overlay(chunk: Uint8Array, first: number): Promise<void> {
    const count = Math.ceil(chunk.length / BLOCK);
    for (let index = 0; index < count; index++) {
      if (!isKept[first + index]) continue;
      const part = chunk.subarray(index * BLOCK, (index + 1) * BLOCK);
      await fill(fs, spool!, part, (first + index) * BLOCK);
    }
  }

  async function readChunk(offset: number): Promise<Uint8Array> {
    const chunk = new Uint8Array(Math.min(CHUNK, size - offset));
    const count = await fill(fs, source, chunk, offset);
    const first = next;
    next = Math.ceil((offset + chunk.length) / BLOCK);
    // It became shorter: what is missing was kept, unless others have cut it.
    for (let index = Math.floor((offset + count) / BLOCK); index < next; index++) {
      if (!isKept[index]) failure ??= changedByOthers();
    }
    if (!failure) await overlay(chunk, first);
    if (failure) throw failure;
    if (offset === 0) markPlain(chunk);
    return chunk;
  }

  /** A read that is under way must not find another file under the same number. */
  async function closeFiles(): Promise<void> {
    await reading?.catch(() => {});
    fs.closeSync(source);
    if (spool !== undefined) fs.closeSync(spool);
  }

  return {
    size,
    async *read() {
      for (let offset = 0; offset < size; offset += CHUNK) {
        if (failure) throw failure;
        const chunk = readChunk(offset).catch((error: unknown) => {
          throw toStorageError(error);
        });
        reading = chunk;
        yield await chunk;
      }
    },
    beforeChange(start, end) {
      if (failure) return;
      try {
        const last = Math.min(Math.ceil(end / BLOCK), isKept.length);
        for (let index = Math.max(Math.floor(start / BLOCK), next); index < last; index++) {
          if (!isKept[index]) keep(index);
        }
      } catch (error) {
        failure = toStorageError(error);
      }
    },
    fail(error) {
      failure ??= error;
    },
    close() {
      if (isClosed) return;
      isClosed = true;
      failure ??= new StorageError("failed", "The copy of the database was given up.");
      onClose();
      void closeFiles();
    },
  };
}

/** A file without a name: nothing of it is left, however the process ends. */
function openSpool(fs: HostFs, folder: string): number {
  const path = join(folder, SPOOL);
  removeFile(fs, path);
  const fd = fs.openSync(path, "wx+", 0o600);
  fs.unlinkSync(path);
  return fd;
}

/** Reads until the buffer is full or the file at its end; answers the number of bytes. */
async function fill(fs: HostFs, fd: number, into: Uint8Array, offset: number): Promise<number> {
  let done = 0;
  while (done < into.length) {
    const count = await readOnce(fs, fd, into.subarray(done), offset + done);
    if (count === 0) break;
    done += count;
  }
  return done;
}

function readOnce(fs: HostFs, fd: number, into: Uint8Array, offset: number): Promise<number> {
  return new Promise((resolve, reject) => {
    fs.read(fd, into, 0, into.length, offset, (error, count) => {
      if (!error) resolve(count);
      else if (error.code === "EINTR") resolve(readOnce(fs, fd, into, offset));
      else reject(error);
    });
  });
}

/**
 * Bytes 18 and 19 of the header say whether there is a log to the file:
 * https://sqlite.org/fileformat2.html#file_format_version_numbers
 */
function markPlain(chunk: Uint8Array): void {
  chunk.set([1, 1], 18);
}

function changedByOthers(): StorageError {
  return new StorageError(
    "gone",
    "The database's file was cut short by another program while it was copied. Restore a backup.",
  );
}

function toStorageError(error: unknown): StorageError {
  if (error instanceof StorageError) return error;
  const name = errorName(error) ?? "error";
  if (name === "ENOSPC" || name === "EDQUOT") {
    return new StorageError(
      "full",
      "There is no space left on the disk of the data folder for what changes during the copy. Free some space, then try again.",
      { cause: error },
    );
  }
  return new StorageError(
    "io",
    `The database could not be copied: its disk failed (${name}). Check the disk.`,
    { cause: error },
  );
}
