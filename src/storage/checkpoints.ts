import type { OwnedConnection } from "./connection.ts";
import { StorageError } from "./errors.ts";
import { checkpointFailed } from "./failures.ts";
import type { HostFiles } from "./host-files.ts";
import type { Reserve } from "./reserve.ts";

const MIB = 1024 * 1024;

/** The log is copied into the database when it has grown to this. */
const START_BYTES = 8 * MIB;

/**
 * A larger log file, left by a large transaction, is cut; a smaller one is used again as it is, which
 * costs fewer syncs. The batch of 64 clients at once takes up to 4 MiB by itself.
 */
const TARGET_BYTES = 12 * MIB;

/**
 * What the log may grow to while the disk has no room for its content in the database. One
 * transaction alone may be larger, as nothing of it can be copied before its end.
 */
const MAX_BYTES = 16 * MIB;

/**
 * Keeps the log small, in place of SQLite's automatic checkpoints: those hide their errors.
 */
export interface Checkpoints {
  /**
   * Checkpoints when the log is large enough, and leaves the sync of the database to the caller. To
   * be called after every transaction; never throws.
   */
  afterTransaction(): void;
  /**
   * Copies what a crash left in the log, and empties it. Behind its last whole transaction there may
   * be others, which would count again once one like the first of those lost is written before them.
   * When the disk is full, they stay.
   *
   * @throws {StorageError} when it cannot for any other reason; nothing is lost then.
   */
  afterRecovery(): void;
  /**
   * Copies the whole log into the database, which is then complete and synced by itself, and
   * empties it.
   *
   * @throws {StorageError} when it cannot; nothing is lost then, as the log is still there.
   */
  complete(): void;
}

/**
 * Checkpoints of a connection in WAL mode.
 *
 * @param fail called when a checkpoint fails for any reason but a full disk.
 */
export function createCheckpoints(
  connection: OwnedConnection,
  { log, syncLater }: Pick<HostFiles, "log" | "syncLater">,
  { reserve, fail }: { reserve: Reserve; fail: (error: StorageError) => void },
): Checkpoints {
  let running = false;

  function checkpoint(mode: "PASSIVE" | "TRUNCATE"): void {
    running = true;
    try {
      const copy = () =>
        reserve.use(() => connection.get<Result>(`PRAGMA wal_checkpoint(${mode})`));
      // TRUNCATE takes away the log's content at once.
      const row = mode === "PASSIVE" ? syncLater(copy) : copy();
      if (row?.busy !== 0 || row.log !== row.checkpointed) throw incomplete(row);
    } finally {
      running = false;
    }
    // The next frame goes to the beginning again.
    log.end = 0;
    log.limit = Infinity;
  }

  /** What is in the log counts, with or without space. What must not happen is that it grows on. */
  function checkpointWithSpace(mode: "PASSIVE" | "TRUNCATE"): void {
    try {
      checkpoint(mode);
    } catch (error) {
      if (!(error instanceof StorageError) || error.code !== "full") throw error;
      log.limit = MAX_BYTES;
    }
  }

  return {
    afterTransaction() {
      if (log.end < START_BYTES || running) return;
      try {
        checkpointWithSpace(log.end > TARGET_BYTES ? "TRUNCATE" : "PASSIVE");
      } catch (error) {
        fail(checkpointFailed(error));
      }
    },
    afterRecovery: () => checkpointWithSpace("TRUNCATE"),
    complete: () => checkpoint("TRUNCATE"),
  };
}

interface Result {
  busy: number;
  log: number;
  checkpointed: number;
}

function incomplete(row: Result | undefined): StorageError {
  return new StorageError("io", "The database's log could not be copied into it.", {
    cause: new Error(`wal_checkpoint answered ${JSON.stringify(row)}`),
  });
}
