import { resolve } from "node:path";

import type { Migration } from "../../migrations/migration.ts";
import { migrations as allMigrations } from "../../migrations/index.ts";
import type { BatchedConnection } from "./batch.ts";
import { prepareFolder } from "./data-folder.ts";
import type { StorageError } from "./errors.ts";
import { closed, describeSystemError } from "./failures.ts";
import { nodeFs, type HostFs } from "./host-fs.ts";
import { openLive, type LiveDatabase, type Upgrade } from "./live-database.ts";
import { acquireLock, type Lock } from "./lock.ts";
import type { Snapshot } from "./snapshots.ts";

/** The open database of a data folder. */
export interface Database extends BatchedConnection {
  readonly folder: string;
  /**
   * Settles when everything committed so far is on the disk; undefined when it already is. Answers,
   * also to reads, may only be given after that. Not to be called within a transaction.
   *
   * @throws {StorageError} (at once, or as a rejection) when the database has failed or is closed.
   */
  durable(): Promise<void> | undefined;
  /**
   * The database as it is now, with everything committed so far, as the bytes of one plain SQLite
   * file. Requests go on while it is read. Not to be called within a transaction.
   *
   * @throws {StorageError} `full` or `io` when the log cannot be copied into the database.
   */
  snapshot(): Snapshot;
  /** Tells other processes that want this folder at which URL they reach this one. */
  announce(url: string): void;
  /**
   * Keeps 16 MiB for the time when the disk is full: what removes then goes on working. For a process
   * that goes on for long. Writing them takes a while.
   */
  keepReserve(): void;
  /**
   * Leaves one plain SQLite file that every program can read, and releases the folder.
   *
   * @throws {StorageError} when that does not succeed. Nothing is lost then: the next start
   *   recovers.
   */
  close(): Promise<void>;
}

export interface DatabaseOptions {
  /** The data folder; made when there is none. */
  folder: string;
  /** The size of the page cache, which bounds SQLite's memory. 16 MiB when not given. */
  cacheKiB?: number;
  migrations?: readonly Migration[];
  /** False leaves a database of an older schema as it is: to be copied, not to be served. */
  upgrade?: boolean;
  /** Told of a database that was brought to the program's version of the schema. */
  onUpgrade?: (upgrade: Upgrade) => void;
  /**
   * Called once when nothing can be acknowledged any more. When not given, the process says why and
   * exits with status 1.
   */
  onFatal?: (error: StorageError) => void;
  fs?: HostFs;
}

const DEFAULT_CACHE_KIB = 16 * 1024;

/**
 * Opens the database of a data folder, after making, recovering or migrating it as needed.
 *
 * @throws {StorageError} `locked`, `not_writable`, `full` or `io` for the folder; `missing`,
 *   `empty`, `truncated`, `not_a_database`, `foreign`, `newer` or `corrupt` for what is in it, which
 *   is then left as it is; `failed` for all else.
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const { fs = nodeFs } = options;
  const folder = resolve(options.folder);
  try {
    prepareFolder(fs, folder);
    const lock = await acquireLock(folder);
    try {
      const live = openLive({
        folder,
        fs,
        cacheKiB: options.cacheKiB ?? DEFAULT_CACHE_KIB,
        migrations: options.migrations ?? allMigrations,
        upgrade: options.upgrade ?? true,
        onUpgrade: options.onUpgrade ?? (() => {}),
        onFatal: options.onFatal ?? exitAtOnce,
      });
      return toDatabase(folder, lock, live);
    } catch (error) {
      await lock.release();
      throw error;
    }
  } catch (error) {
    throw describeSystemError(error, folder);
  }
}

function toDatabase(folder: string, lock: Lock, live: LiveDatabase): Database {
  let closing: Promise<void> | undefined;

  async function close(): Promise<void> {
    try {
      await live.close();
    } catch (error) {
      throw describeSystemError(error, folder);
    } finally {
      live.refuse(closed());
      await lock.release();
    }
  }

  return {
    ...live.connection,
    folder,
    durable: live.durable,
    snapshot: live.snapshot,
    announce: (url) => lock.announce({ url }),
    keepReserve() {
      if (closing === undefined) live.keepReserve();
    },
    close: () => (closing ??= close()),
  };
}

function exitAtOnce(error: StorageError): void {
  process.stderr.write(`todo: ${error.message}\n`);
  process.exit(1);
}
