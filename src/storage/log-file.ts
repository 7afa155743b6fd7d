import { createCommitBuffer, type CommitBuffer } from "./commit-buffer.ts";
import { systemError } from "./errno.ts";
import type { HostFs } from "./host-fs.ts";
import { writeWithReserve, type Reserve } from "./reserve.ts";

/** What is known of the write-ahead log's bytes. A commit is durable once it is part of `synced`. */
export interface LogState {
  /** The host's descriptor; undefined while SQLite does not have the log open. */
  fd: number | undefined;
  /** How many bytes were ever written to it. It only grows, and so tells commits apart. */
  written: number;
  /** How many of those are known to be on the disk. */
  synced: number;
  /** Where the newest frame ends. It starts over when SQLite reuses the log from the beginning. */
  end: number;
  /** A write beyond this offset finds the disk full. */
  limit: number;
}

/** The write-ahead log as SQLite writes it. Functions throw the system's errors. */
export interface LogFile {
  readonly state: LogState;
  /** Works, and writes the commit that the work makes at once. */
  atOnce: CommitBuffer["gather"];
  opened: (fd: number) => void;
  closed: () => void;
  /** Answers the number of bytes written, fewer than given when the system stopped early. */
  write: (from: Uint8Array, position: number) => number;
  /** Writes what was gathered so far, before the file is used in another way. */
  flush: () => void;
  /** Works, and takes everything written before it to be on the disk then. */
  sync: (work: () => void) => void;
}

/**
 * The log of one database, which is not open yet.
 *
 * @param reserve what to do when the disk is full.
 * @param beforeChange called before bytes of the file change.
 */
export function createLogFile(
  fs: HostFs,
  { reserve, beforeChange }: { reserve: Reserve; beforeChange: () => void },
): LogFile {
  const state: LogState = { fd: undefined, written: 0, synced: 0, end: 0, limit: Infinity };

  function writeNow(from: Uint8Array, position: number): number {
    const { fd } = state;
    if (fd === undefined) throw systemError("EBADF");
    beforeChange();
    const count = writeWithReserve(reserve, () => fs.writeSync(fd, from, 0, from.length, position));
    state.written += count;
    state.end = position === 0 ? count : Math.max(state.end, position + count);
    return count;
  }

  const commit = createCommitBuffer(writeNow);

  return {
    state,
    atOnce: commit.gather,
    opened(fd) {
      state.fd = fd;
      state.end = fs.fstatSync(fd).size;
    },
    closed() {
      state.fd = undefined;
    },
    write(from, position) {
      if (position + from.length > state.limit || reserve.refuses()) throw systemError("ENOSPC");
      if (!commit.isOpen()) return writeNow(from, position);
      commit.append(from, position);
      return from.length;
    },
    flush: commit.flush,
    sync(work) {
      const { written } = state;
      work();
      state.synced = written;
    },
  };
}
