import type { BackgroundSync } from "./background-sync.ts";
import type { Batch } from "./batch.ts";
import { StorageError } from "./errors.ts";
import { filesGone, syncFailed } from "./failures.ts";
import type { DatabaseState } from "./host-files.ts";
import type { LogState } from "./log-file.ts";

/**
 * Makes transactions durable in groups: one asynchronous sync of the log covers every transaction
 * that was committed before the sync began.
 */
export interface GroupCommit {
  /**
   * Settles when everything committed so far is on the disk; undefined when it already is.
   *
   * @throws {StorageError} (at once, or as a rejection) when the open batch has not happened (a full
   *   disk), or when the database has failed: whether the last transactions are durable is then not
   *   known.
   */
  durable: () => Promise<void> | undefined;
  /** Commits the open batch now; those who wait for it hear how that went. */
  commit: () => void;
  /** Settles when the sync that is under way has ended. */
  idle: () => Promise<void>;
  /** Tells those who wait for the batch that it has not happened; others are not concerned. */
  rejectBatch: (error: StorageError) => void;
  /** Acknowledges nothing any more, neither now nor later. */
  refuse: (error: StorageError) => void;
}

interface Waiting {
  promise: Promise<void>;
  resolve: () => void;
  reject: (error: StorageError) => void;
}

/**
 * Group commit for one log. A checkpoint's copy is synced in between, as the next commit may write
 * over what it was copied from.
 *
 * @param batch the transactions that are to be committed before a sync can cover them.
 * @param inPlace whether the files that were synced are still the database.
 * @param fail reports what is final: a failed sync, as what it covered may be lost even when the
 *   next one succeeds, and files that are no longer in place. It must {@link GroupCommit.refuse}.
 */
export function createGroupCommit(options: {
  log: LogState;
  database: DatabaseState;
  batch: Pick<Batch, "commit" | "isLarge" | "isLost" | "isOpen">;
  sync: Pick<BackgroundSync, "log" | "database">;
  inPlace: () => boolean;
  fail: (error: StorageError) => void;
}): GroupCommit {
  const { log, database, batch, sync, inPlace, fail } = options;
  /** As much of the log as was on the disk when the files were last seen to be in place. */
  let acknowledged = log.synced;
  /** Those who wait for the open batch, and so fail with it. */
  let uncommitted: Waiting | undefined;
  /** Those who wait for a sync alone. */
  let committed: Waiting[] = [];
  let syncing: Promise<void> | undefined;
  let refused: StorageError | undefined;

  function acknowledge(): void {
    if (!refused && !inPlace()) fail(filesGone());
    if (!refused) acknowledged = log.synced;
  }

  function settle(groups: readonly Waiting[]): void {
    for (const group of groups) {
      if (refused) group.reject(refused);
      else group.resolve();
    }
  }

  /** Those who wait for the batch then wait for a sync, unless it could not be committed. */
  function commitBatch(): void {
    if (!batch.isOpen()) return;
    // Before it writes: a log that was cut short would grow to its old size again, with a gap.
    if (!inPlace()) {
      fail(filesGone());
      return;
    }
    const group = uncommitted;
    uncommitted = undefined;
    try {
      batch.commit();
      // A sync within the commit may have failed, which SQLite does not always tell.
      if (refused) group?.reject(refused);
      else if (group) committed.push(group);
    } catch (error) {
      if (!(error instanceof StorageError)) throw error;
      group?.reject(error);
    }
  }

  const isCopied = () => database.synced !== database.copied;

  /** Only one sync at a time; what comes to wait meanwhile is seen to afterwards. */
  function start(
    begin: BackgroundSync["log"],
    groups: readonly Waiting[],
    synced: () => void,
  ): void {
    const current = createWaiting();
    syncing = current.promise;
    begin((error) => {
      syncing = undefined;
      current.resolve();
      if (error) fail(syncFailed(error));
      else synced();
      settle(groups);
      if (uncommitted || committed.length > 0 || isCopied()) setImmediate(syncAndSettle);
    });
  }

  function syncAndSettle(): void {
    if (syncing) return;
    commitBatch();
    if (refused) return;
    const groups = committed;
    committed = [];
    if (log.synced !== log.written) {
      syncLog(groups);
      return;
    }
    // A checkpoint has synced the log in the meantime.
    if (groups.length > 0) {
      acknowledge();
      settle(groups);
    }
    if (isCopied()) syncDatabase();
  }

  function syncLog(groups: readonly Waiting[]): void {
    const { written } = log;
    start(sync.log, groups, () => {
      log.synced = Math.max(log.synced, written);
      acknowledge();
    });
  }

  function syncDatabase(): void {
    const { copied } = database;
    start(sync.database, [], () => {
      database.synced = Math.max(database.synced, copied);
    });
  }

  /** Not synced at once, so that one sync gathers all of this turn of the event loop. */
  function waitForSync(): Waiting {
    setImmediate(syncAndSettle);
    return createWaiting();
  }

  function rejectBatch(error: StorageError): void {
    uncommitted?.reject(error);
    uncommitted = undefined;
  }

  function throwIfRefused(): void {
    if (refused) throw refused;
  }

  return {
    durable() {
      throwIfRefused();
      // Otherwise the end of the sync would decide how large a batch becomes. Not at once, so that
      // all of this turn of the event loop know which batch they are of.
      if (syncing && batch.isLarge()) setImmediate(commitBatch);
      if (batch.isOpen() || batch.isLost()) return (uncommitted ??= waitForSync()).promise;
      if (acknowledged === log.written) return undefined;
      // While a sync is under way, another one of the same file proves nothing: the system tells
      // only one of the two about a failure.
      if (log.synced === log.written && !syncing) {
        acknowledge();
        throwIfRefused();
        return undefined;
      }
      return (committed[0] ??= waitForSync()).promise;
    },
    commit: commitBatch,
    idle: () => syncing ?? Promise.resolve(),
    rejectBatch,
    refuse(error) {
      refused ??= error;
      rejectBatch(refused);
      settle(committed);
      committed = [];
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
