import type { Batch } from "./batch.ts";
import { StorageError } from "./errors.ts";
import { filesGone, syncFailed } from "./failures.ts";
import type { LogState } from "./host-files.ts";

/**
 * Makes transactions durable in groups: one asynchronous sync of the log covers every transaction
 * that was committed before the sync began.
 */
export interface GroupCommit {
  /**
   * Settles when everything committed so far is on the disk; undefined when it already is.
   *
   * @throws {StorageError} (at once, or as a rejection) when what was done since the last group has
   *   not happened (a full disk), or when the database has failed: whether the last transactions
   *   are durable is then not known.
   */
  durable: () => Promise<void> | undefined;
  /** Settles when the sync that is under way has ended. */
  idle: () => Promise<void>;
  /** Tells those who wait that what they wait for has not happened; later ones are not concerned. */
  rejectWaiting: (error: StorageError) => void;
  /** Acknowledges nothing any more, neither now nor later. */
  refuse: (error: StorageError) => void;
}

interface Waiting {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: StorageError) => void;
}

/**
 * Group commit for one log.
 *
 * @param batch the transactions that are to be committed before a sync can cover them.
 * @param sync starts a sync of the log; fdatasync, with a callback.
 * @param inPlace whether the files that were synced are still the database.
 * @param fail reports what is final: a failed sync, as what it covered may be lost even when the
 *   next one succeeds, and files that are no longer in place. It must {@link GroupCommit.refuse}.
 */
export function createGroupCommit(options: {
  log: LogState;
  batch: Pick<Batch, "commit" | "isOpen" | "lost">;
  sync: (done: (error: unknown) => void) => void;
  inPlace: () => boolean;
  fail: (error: StorageError) => void;
}): GroupCommit {
  const { log, batch, sync, inPlace, fail } = options;
  /** As much of the log as was on the disk when the files were last seen to be in place. */
  let acknowledged = log.synced;
  let waiting: Waiting | undefined;
  let syncing: Promise<void> | undefined;
  let refused: StorageError | undefined;

  function acknowledge(): void {
    if (!refused && !inPlace()) fail(filesGone());
    if (!refused) acknowledged = log.synced;
  }

  function settle(group: Waiting): void {
    if (refused) group.reject(refused);
    else group.resolve();
  }

  /** Commits what the group waits for; false when that could not be done, and the group knows. */
  function commit(group: Waiting): boolean {
    try {
      batch.commit();
      return true;
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      group.reject(error);
      return false;
    }
  }

  function syncAndSettle(): void {
    const group = waiting;
    if (!group || syncing) return;
    waiting = undefined;
    if (!commit(group)) return;
    if (log.synced === log.written) {
      // A checkpoint has synced the log in the meantime.
      acknowledge();
      settle(group);
      return;
    }
    const { written } = log;
    const current = createWaiting();
    syncing = current.promise;
    sync((error) => {
      syncing = undefined;
      current.resolve();
      if (error) {
        fail(syncFailed(error));
      } else {
        log.synced = Math.max(log.synced, written);
        acknowledge();
      }
      settle(group);
      if (waiting) setImmediate(syncAndSettle);
    });
  }

  function rejectWaiting(error: StorageError): void {
    waiting?.reject(error);
    waiting = undefined;
  }

  function throwIfRefused(): void {
    if (refused) throw refused;
  }

  return {
    durable() {
      throwIfRefused();
      const lost = batch.lost();
      if (lost) throw lost;
      if (!batch.isOpen() && acknowledged === log.written) return undefined;
      // While a sync is under way, another one of the same file proves nothing: the system tells
      // only one of the two about a failure.
      if (!batch.isOpen() && log.synced === log.written && !syncing) {
        acknowledge();
        throwIfRefused();
        return undefined;
      }
      if (!waiting) {
        waiting = createWaiting();
        // Not at once, so that one sync gathers all of this turn of the event loop.
        setImmediate(syncAndSettle);
      }
      return waiting.promise;
    },
    idle: () => syncing ?? Promise.resolve(),
    rejectWaiting,
    refuse(error) {
      refused ??= error;
      rejectWaiting(refused);
    },
  };
}

function createWaiting(): Waiting {
  let resolve!: Waiting["resolve"];
  let reject!: Waiting["reject"];
  const promise = new Promise<void>((...settlers) => ([resolve, reject] = settlers));
  // Nobody has to wait: the failure is reported by itself.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
