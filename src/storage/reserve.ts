import { randomFillSync } from "node:crypto";
import { join } from "node:path";

import { errorName, uninterrupted } from "./errno.ts";
import { RESERVE } from "./file-names.ts";
import type { HostFs } from "./host-fs.ts";
import { removeFile } from "./safe-files.ts";

const MIB = 1024 * 1024;

/**
 * Enough for what needs as much space as a log of at most 12 MiB beside it (its content in the
 * database, or its copy when the next start recovers it), and for the log to grow on meanwhile.
 */
export const RESERVE_BYTES = 16 * MIB;

/** A system that has space but does not give it (a quota) is not asked all the time. */
const PAUSE_MS = 1000;

/**
 * Space on the disk, held by a file, for what must work when the disk is full: removing and
 * checkpointing. Once it was released, all else finds the disk full until it is held again.
 */
export interface Reserve {
  /** Holds the space, when there is enough. */
  hold(): void;
  /** Works with the right to the space. */
  use<T>(work: () => T): T;
  /** Whether the log may not grow now, because what is left of the space is for others. */
  refuses(): boolean;
  /** Frees the space for whoever has the right to it; false when that changes nothing. */
  release(): boolean;
  /** Holds nothing any more, and leaves no file. */
  end(): void;
}

/** The reserve of a data folder, which holds nothing yet. */
export function createReserve(fs: HostFs, folder: string): Reserve {
  const path = join(folder, RESERVE);
  /** `none` is without effect: for a process that does not keep one, or cannot. */
  let state: "none" | "held" | "released" = "none";
  let isInUse = false;
  let nextTry = 0;

  function hold(): void {
    try {
      fill(fs, path);
      state = "held";
    } catch (error) {
      state = isFull(error) ? "released" : "none";
      discard();
    }
  }

  function holdAgain(): void {
    if (performance.now() < nextTry || !hasSpace()) return;
    hold();
    if (state === "released") nextTry = performance.now() + PAUSE_MS;
  }

  function hasSpace(): boolean {
    try {
      const { bavail, bsize } = fs.statfsSync(folder);
      return bavail * bsize >= RESERVE_BYTES;
    } catch {
      return false;
    }
  }

  function discard(): void {
    try {
      removeFile(fs, path);
    } catch {
      // It does no harm, and the next start tries again.
    }
  }

  return {
    hold,
    use(work) {
      const wasInUse = isInUse;
      isInUse = true;
      try {
        return work();
      } finally {
        isInUse = wasInUse;
      }
    },
    refuses() {
      if (state !== "released" || isInUse) return false;
      holdAgain();
      return state === "released";
    },
    release() {
      if (state !== "held" || !isInUse) return false;
      state = "released";
      discard();
      return true;
    },
    end() {
      if (state === "held") discard();
      state = "none";
    },
  };
}

/** Writes, with the reserve's space for whoever has the right to it when there is no other. */
export function writeWithReserve(reserve: Reserve, write: () => number): number {
  try {
    return uninterrupted(write);
  } catch (error) {
    if (!isFull(error) || !reserve.release()) throw error;
    return uninterrupted(write);
  }
}

/** Whether a system error says that the disk, or the user's share of it, is full. */
export function isFull(error: unknown): boolean {
  return ["ENOSPC", "EDQUOT"].includes(errorName(error) ?? "");
}

/** With bytes that no file system can compress or leave out. */
function fill(fs: HostFs, path: string): void {
  const chunk = randomFillSync(new Uint8Array(MIB));
  const fd = uninterrupted(() => fs.openSync(path, "wx", 0o600));
  try {
    for (let size = 0; size < RESERVE_BYTES;) {
      size += uninterrupted(() => fs.writeSync(fd, chunk, 0, chunk.length, null));
    }
  } finally {
    fs.closeSync(fd);
  }
}
