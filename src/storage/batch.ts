import type { CommitBuffer } from "./commit-buffer.ts";
import type { Connection, OwnedConnection } from "./connection.ts";
import type { StorageError } from "./errors.ts";
import type { Reserve } from "./reserve.ts";
import type { SqlValue } from "./statement.ts";

/** What a statement changes besides what it is given: the end of a table or index, as a rule. */
const PAGE_BYTES = 4096;

/** With the log below its size for a checkpoint, this keeps it small; see checkpoints.ts. */
const LARGE_BYTES = 2 * 1024 * 1024;

/** A connection whose transactions are parts of a batch. */
export interface BatchedConnection extends Connection {
  /**
   * As {@link Connection.transaction}, for what only takes away: it works on a full disk, too, for
   * as long as the reserve of space lasts.
   */
  removal<T>(action: () => T): T;
}

/**
 * The transactions of several requests in one of SQLite's: what they change in common (the ends of
 * the same tables and indexes) is written once for all of them, and synced once.
 *
 * Nobody is told of a success before the batch is committed and synced. So when it cannot be, all
 * of its transactions have failed, and none has happened.
 */
export interface Batch {
  /** Its transactions are those of the batch, and other statements see what is in there. */
  readonly connection: BatchedConnection;
  /** Whether transactions wait for their commit. */
  isOpen: () => boolean;
  /** Whether it had better be committed, so that neither it nor the log grows without end. */
  isLarge: () => boolean;
  /** Whether the batch of this turn of the event loop was lost; its requests are yet to hear of it. */
  isLost: () => boolean;
  /**
   * Commits the transactions of the batch; the next one begins another.
   *
   * @throws {StorageError} when none of them has happened.
   */
  commit: () => void;
}

/**
 * Batches the transactions of a connection.
 *
 * @param onBegin called when a batch begins. It must be committed soon.
 * @param onLost called when SQLite has given up the open batch before its commit, at the end of
 *   that turn of the event loop.
 */
export function createBatch(
  connection: OwnedConnection,
  options: {
    reserve: Reserve;
    atOnce: CommitBuffer["gather"];
    onBegin: () => void;
    onLost: (error: StorageError) => void;
  },
): Batch {
  const { reserve, atOnce, onBegin, onLost } = options;
  let isOpen = false;
  let lost: StorageError | undefined;
  let isInside = false;
  /** Whether there is a removal in it: the whole of it then has the right to the reserve. */
  let removes = false;
  /** About as much as the open batch has changed. */
  let bytes = 0;

  function begin(): void {
    if (lost) throw lost;
    if (isOpen) return;
    connection.begin();
    isOpen = true;
    removes = false;
    bytes = 0;
    onBegin();
  }

  /** Notices when SQLite gives up the batch; within a transaction, that is left to the whole. */
  function watch<T>(work: () => T): T {
    if (isInside) return work();
    try {
      return work();
    } catch (error) {
      const reason = connection.broken();
      if (reason) lose(reason);
      throw error;
    }
  }

  /** A part of the batch, which may have parts of its own. */
  function part<T>(action: () => T): T {
    begin();
    return watch(() => {
      isInside = true;
      try {
        return connection.transaction(action);
      } finally {
        isInside = false;
      }
    });
  }

  function transaction<T>(action: () => T): T {
    return isInside ? connection.transaction(action) : part(action);
  }

  /**
   * Whoever had a part in it hears of it before another batch begins, but not at once: those who
   * then look again would only find the same.
   */
  function lose(error: StorageError): void {
    isOpen = false;
    lost = error;
    setImmediate(() => {
      lost = undefined;
      onLost(error);
    });
    connection.rollback();
  }

  return {
    connection: {
      all: (sql, params) => watch(() => connection.all(sql, params)),
      get(sql, params = []) {
        // Writes, too, can answer a row.
        bytes += sizeOf(params);
        return watch(() => connection.get(sql, params));
      },
      run(sql, params = []) {
        bytes += sizeOf(params);
        return watch(() => connection.run(sql, params));
      },
      changes: (table) => connection.changes(table),
      transaction,
      removal: (action) =>
        reserve.use(() =>
          transaction(() => {
            removes = true;
            return action();
          }),
        ),
    },
    isOpen: () => isOpen,
    isLarge: () => isOpen && bytes >= LARGE_BYTES,
    isLost: () => lost !== undefined,
    commit() {
      if (!isOpen) return;
      isOpen = false;
      const commit = () => atOnce(() => connection.commit());
      if (removes) reserve.use(commit);
      else commit();
    },
  };
}

function sizeOf(params: readonly SqlValue[]): number {
  let size = PAGE_BYTES;
  for (const value of params) {
    if (typeof value === "string" || value instanceof Uint8Array) size += value.length;
  }
  return size;
}
