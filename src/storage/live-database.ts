import { join } from "node:path";

import type { Migration } from "../../migrations/migration.ts";
import { openBackgroundSync, type BackgroundSync } from "./background-sync.ts";
import { createBatch, type BatchedConnection } from "./batch.ts";
import { writeBackup } from "./backup.ts";
import { createCheckpoints, type Checkpoints } from "./checkpoints.ts";
import { openConnection, type OwnedConnection } from "./connection.ts";
import { checkVersion } from "./database-header.ts";
import { StorageError } from "./errors.ts";
import { closed, filesGone, syncFailed } from "./failures.ts";
import { DATABASE, GUARD, LOG, virtualPath } from "./file-names.ts";
import { createGroupCommit, type GroupCommit } from "./group-commit.ts";
import { createHostFiles, type HostFiles } from "./host-files.ts";
import type { HostFs } from "./host-fs.ts";
import { latestVersion, migrate, schemaVersion } from "./migrate.ts";
import { configure, leaveWal } from "./pragmas.ts";
import { prepareFiles } from "./prepare-files.ts";
import { lowerGuard, quickCheck } from "./recovery.ts";
import { createReserve, type Reserve } from "./reserve.ts";
import { createSameFilesCheck } from "./same-files.ts";
import { createSnapshots, type Snapshot } from "./snapshots.ts";
import { loadSqliteModule } from "./sqlite-module.ts";
import { startSqlite, type Sqlite } from "./sqlite.ts";

/** A database between its start and its stop, in a folder that this process holds. */
export interface LiveDatabase {
  readonly connection: BatchedConnection;
  durable: GroupCommit["durable"];
  /** Everything committed so far. Not to be called within a transaction. */
  snapshot: () => Snapshot;
  keepReserve(): void;
  /** Answers and acknowledges nothing any more. */
  refuse(error: StorageError): void;
  /** Leaves a single plain file. After a failure, gives up everything as it is. */
  close(): Promise<void>;
}

/** A database that was brought to a later version of the schema. */
export interface Upgrade {
  from: number;
  to: number;
  /** The path of a copy as it was before. */
  backup: string;
}

export interface LiveOptions {
  folder: string;
  fs: HostFs;
  cacheKiB: number;
  migrations: readonly Migration[];
  /** Whether an older schema is brought up to date. */
  upgrade: boolean;
  onUpgrade: (upgrade: Upgrade) => void;
  onFatal: (error: StorageError) => void;
}

/**
 * Opens the database of a folder that this process holds.
 *
 * @throws {StorageError} when it is refused or cannot be opened, or the system's error; nothing is
 *   open then.
 */
export function openLive(options: LiveOptions): LiveDatabase {
  const { folder, fs, migrations, onFatal } = options;
  let failure: StorageError | undefined;
  let connection: OwnedConnection | undefined;
  let checkpoints: Checkpoints | undefined;
  let groupCommit: GroupCommit | undefined;
  let sync: BackgroundSync | undefined;

  function refuse(error: StorageError): void {
    connection?.refuse(error);
    groupCommit?.refuse(error);
    snapshots.fail(error);
  }

  function fail(error: StorageError): void {
    if (failure) return;
    failure = error;
    refuse(error);
    onFatal(error);
  }

  function abandon(): void {
    files.abandon();
    sync?.close();
  }

  const snapshots = createSnapshots(fs, folder);
  const reserve = createReserve(fs, folder);
  const files = createHostFiles({
    fs,
    folder,
    beforeDatabaseChange: snapshots.beforeChange,
    onSyncFailure: (error) => fail(syncFailed(error)),
    reserve,
  });
  try {
    const sqlite = startSqlite(loadSqliteModule(), files);
    const unclean = prepareFiles(sqlite, options);
    connection = openConnection(sqlite, virtualPath(DATABASE), {
      onSettled: () => checkpoints?.afterTransaction(),
      onCrash: fail,
    });
    configure(connection, options.cacheKiB);
    checkVersion(join(folder, DATABASE), schemaVersion(connection), latestVersion(migrations));
    if (unclean) quickCheck(connection, files);
    sync = openBackgroundSync(fs, folder, files);
    const inPlace = watchFiles(fs, folder, files);
    checkpoints = createCheckpoints(connection, files, { reserve, fail });
    if (unclean) checkpoints.afterRecovery();
    if (options.upgrade && schemaVersion(connection) < latestVersion(migrations)) {
      upgrade(connection, { ...options, sqlite, files });
      checkpoints.complete();
    }
    const batch = createBatch(connection, {
      reserve,
      atOnce: files.atOnce,
      // Whether or not somebody waits for it.
      onBegin: () => void groupCommit?.durable(),
      onLost: (error) => groupCommit?.rejectBatch(error),
    });
    groupCommit = createGroupCommit({
      log: files.log,
      database: files.database,
      batch,
      sync,
      inPlace,
      fail,
    });
    const opened = { connection, checkpoints, groupCommit, inPlace, reserve };
    return {
      connection: batch.connection,
      durable: groupCommit.durable,
      snapshot() {
        opened.groupCommit.commit();
        opened.checkpoints.complete();
        if (!inPlace()) throw filesGone();
        return snapshots.open();
      },
      keepReserve: () => reserve.hold(),
      refuse,
      async close() {
        snapshots.fail(closed());
        try {
          await opened.groupCommit.idle();
          if (!failure) await closeCleanly(opened, options);
        } finally {
          abandon();
        }
      },
    };
  } catch (error) {
    abandon();
    // A failed sync is the reason, whatever else came of it.
    throw failure ?? error;
  }
}

/** Both files must stay where and as they are; SQLite opens the log at its first statement. */
function watchFiles(fs: HostFs, folder: string, files: HostFiles): () => boolean {
  function descriptor(name: string): number {
    const fd = files.hostDescriptor(virtualPath(name));
    if (fd === undefined) throw new StorageError("failed", `${name} is not in use as it must be.`);
    return fd;
  }
  return createSameFilesCheck(fs, [
    { path: join(folder, DATABASE), fd: descriptor(DATABASE) },
    { path: join(folder, LOG), fd: descriptor(GUARD), size: () => files.log.end },
  ]);
}

function upgrade(
  connection: OwnedConnection,
  { migrations, onUpgrade, ...options }: LiveOptions & { sqlite: Sqlite; files: HostFiles },
): void {
  const from = schemaVersion(connection);
  const name = `${DATABASE}.v${from}.bak`;
  writeBackup(connection, { ...options, name });
  migrate(connection, migrations);
  onUpgrade({ from, to: latestVersion(migrations), backup: join(options.folder, name) });
}

interface Parts {
  connection: OwnedConnection;
  checkpoints: Checkpoints;
  groupCommit: GroupCommit;
  inPlace: () => boolean;
  reserve: Reserve;
}

async function closeCleanly(
  { connection, checkpoints, groupCommit, inPlace, reserve }: Parts,
  { fs, folder }: LiveOptions,
): Promise<void> {
  for (let pending = groupCommit.durable(); pending; pending = groupCommit.durable()) {
    // Whoever waits for it hears of a failure; a final one is thrown by the next call.
    await pending.catch(() => {});
  }
  // From here on in one go, so that no transaction comes in between.
  if (!inPlace()) throw filesGone();
  // What follows may need its space.
  reserve.end();
  checkpoints.complete();
  leaveWal(connection);
  connection.close();
  lowerGuard(fs, folder);
}
