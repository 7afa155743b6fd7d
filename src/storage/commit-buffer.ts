import { systemError } from "./errno.ts";

/**
 * Gathers what a commit appends to the log, and writes it at once: SQLite writes the header and the
 * content of each page by themselves.
 */
export interface CommitBuffer {
  /** Gathers what the work writes, up to and including the last page of its commit. */
  gather: <T>(work: () => T) => T;
  /** Whether writes are to be gathered now. */
  isOpen: () => boolean;
  /**
   * Takes what SQLite writes.
   *
   * @throws the system's error when it, or what was gathered before it, cannot be written. What was
   *   gathered is then dropped: without its last page, it is no commit.
   */
  append: (bytes: Uint8Array, position: number) => void;
  /** Writes what was gathered so far. */
  flush: () => void;
}

/** About what 32 requests write together; larger commits take several writes. */
const CAPACITY = 256 * 1024;

/** https://sqlite.org/fileformat2.html#walformat */
const FRAME_HEADER_BYTES = 24;
const COMMIT_SIZE_OFFSET = 4;

/**
 * A buffer for the commits of one log.
 *
 * @param write writes to the log, and answers the number of bytes written.
 */
export function createCommitBuffer(
  write: (bytes: Uint8Array, position: number) => number,
): CommitBuffer {
  let buffer: Buffer | undefined;
  let start = 0;
  let length = 0;
  let isOpen = false;
  /** Whether the page that comes next is the last of its commit. */
  let isLastPage = false;

  function writeAll(bytes: Uint8Array, position: number): void {
    for (let done = 0; done < bytes.length;) {
      const count = write(done === 0 ? bytes : bytes.subarray(done), position + done);
      if (count === 0) throw systemError("ENOSPC");
      done += count;
    }
  }

  function flush(): void {
    if (length === 0) return;
    const bytes = buffer!.subarray(0, length);
    length = 0;
    writeAll(bytes, start);
  }

  function keep(bytes: Uint8Array, position: number): void {
    if (position !== start + length || length + bytes.length > CAPACITY) flush();
    if (length === 0) start = position;
    buffer ??= Buffer.allocUnsafeSlow(CAPACITY);
    buffer.set(bytes, length);
    length += bytes.length;
  }

  return {
    gather(work) {
      isOpen = true;
      isLastPage = false;
      try {
        const result = work();
        flush();
        return result;
      } finally {
        isOpen = false;
        length = 0;
      }
    },
    isOpen: () => isOpen,
    append(bytes, position) {
      keep(bytes, position);
      if (isLastPage) {
        // Here SQLite still hears of a failure; what it may write after that goes to the file.
        isOpen = false;
        flush();
      }
      isLastPage = bytes.length === FRAME_HEADER_BYTES && isCommit(bytes);
    },
    flush,
  };
}

/** The last header of a commit tells the size of the database, all others zero. */
function isCommit(header: Uint8Array): boolean {
  return header.subarray(COMMIT_SIZE_OFFSET, COMMIT_SIZE_OFFSET + 4).some((byte) => byte !== 0);
}
