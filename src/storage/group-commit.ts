import type { StorageError } from "./errors.ts";
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
   * @throws {StorageError} (at once, or as a rejection) when the database has failed: whether the
   *   last transactions are durable is then not known.
   */
  durable: () => Promise<void> | undefined;
  /** Settles when the sync that is under way has ended. */
  idle: () => Promise<void>;
  /** Acknowledges nothing any more, neither now nor later. */
  refuse: (error: StorageError) => void;
}

interface Batch {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: StorageError) => void;
}

/**
 * Group commit for one log.
 *
 * @param sync starts a sync of the log; fdatasync, with a callback.
 * @param inPlace whether the files that were synced are still the database.
 * @param fail reports what is final: a failed sync, as what it covered may be lost even when the
 *   next one succeeds, and files that are no longer in place. It must {@link GroupCommit.refuse}.
 */
export function createGroupCommit(options: {
  log: LogState;
  sync: (done: (error: unknown) => void) => void;
  inPlace: () => boolean;
  fail: (error: StorageError) => void;
}): GroupCommit {
  const { log, sync, inPlace, fail } = options;
  /** As much of the log as was on the disk when the files were last seen to be in place. */
  let acknowledged = log.synced;
  let waiting: Batch | undefined;
  let syncing: Promise<void> | undefined;
  let refused: StorageError | undefined;

  function acknowledge(): void {
    if (!refused && !inPlace()) fail(filesGone());
    if (!refused) acknowledged = log.synced;
  }

  function settle(batch: Batch): void {
    if (refused) batch.reject(refused);
    else batch.resolve();
  }

  function syncAndSettle(): void {
    const batch = waiting;
    if (!batch || syncing) return;
    waiting = undefined;
    if (log.synced === log.written) {
      // A checkpoint has synced the log in the meantime.
      acknowledge();
      settle(batch);
      return;
    }
    const { written } = log;
    const current = createBatch();
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
      settle(batch);
      if (waiting) setImmediate(syncAndSettle);
    });
  }

  function throwIfRefused(): void {
    if (refused) throw refused;
  }

  return {
    durable() {
      throwIfRefused();
      if (acknowledged === log.written) return undefined;
      // While a sync is under way, another one of the same file proves nothing: the system tells
      // only one of the two about a failure.
      if (log.synced === log.written && !syncing) {
        acknowledge();
        throwIfRefused();
        return undefined;
      }
      if (!waiting) {
        waiting = createBatch();
        // Not at once, so that one sync gathers all of this turn of the event loop.
        setImmediate(syncAndSettle);
      }
      return waiting.promise;
    },
    idle: () => syncing ?? Promise.resolve(),
    refuse(error) {
      refused ??= error;
      waiting?.reject(refused);
      waiting = undefined;
    },
  };
}

function createBatch(): Batch {
  let resolve!: Batch["resolve"];
  let reject!: Batch["reject"];
  const promise = new Promise<void>((...settlers) => ([resolve, reject] = settlers));
  // Nobody has to wait: the failure is reported by itself.
  promise.catch(() => {});
  return { promise, resolve, reject };
}
