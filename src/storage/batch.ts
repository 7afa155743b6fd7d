import type { OwnedConnection } from "./connection.ts";
import type { StorageError } from "./errors.ts";

/**
 * The transactions of several requests in one of SQLite's: what they change in common (the ends of
 * the same tables and indexes) is written once for all of them, and synced once.
 *
 * Nobody is told of a success before the batch is committed and synced. So when it cannot be, all
 * of its transactions have failed, and none has happened.
 */
export interface Batch {
  /** Does everything in the action, or nothing when it throws; see {@link Connection.transaction}. */
  transaction: <T>(action: () => T) => T;
  /** Whether transactions wait for their commit. */
  isOpen: () => boolean;
  /**
   * Commits the transactions of the batch; the next one begins another.
   *
   * @throws {StorageError} when none of them has happened.
   */
  commit: () => void;
  /** Why the batch of this turn of the event loop was lost; its requests are yet to hear of it. */
  lost: () => StorageError | undefined;
}

/**
 * Batches the transactions of a connection.
 *
 * @param onBegin called when a batch begins. It must be committed soon.
 * @param onLost called when SQLite has given up the open batch, in the middle of a transaction.
 */
export function createBatch(
  connection: OwnedConnection,
  { onBegin, onLost }: { onBegin: () => void; onLost: (error: StorageError) => void },
): Batch {
  let isOpen = false;
  let lost: StorageError | undefined;
  let isInside = false;

  function begin(): void {
    if (lost) throw lost;
    if (isOpen) return;
    connection.begin();
    isOpen = true;
    onBegin();
  }

  /** A part of the batch, which may have parts of its own. */
  function part<T>(action: () => T): T {
    begin();
    isInside = true;
    try {
      return connection.transaction(action);
    } catch (error) {
      const reason = connection.broken();
      if (reason) lose(reason);
      throw error;
    } finally {
      isInside = false;
    }
  }

  /** Whoever had a part in it hears of it before another batch begins. */
  function lose(error: StorageError): void {
    isOpen = false;
    lost = error;
    setImmediate(() => {
      lost = undefined;
    });
    connection.rollback();
    onLost(error);
  }

  return {
    transaction: (action) => (isInside ? connection.transaction(action) : part(action)),
    isOpen: () => isOpen,
    commit() {
      if (!isOpen) return;
      isOpen = false;
      connection.commit();
    },
    lost: () => lost,
  };
}
