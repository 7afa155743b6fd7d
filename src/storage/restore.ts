import { createReadStream } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";

import { migrations } from "../../migrations/index.ts";
import { prepareFolder } from "./data-folder.ts";
import { checkDatabaseFile } from "./database-header.ts";
import { uninterrupted } from "./errno.ts";
import { StorageError, type StorageErrorCode } from "./errors.ts";
import { describeSystemError } from "./failures.ts";
import { DATABASE, GUARD, JOURNAL, LOG } from "./file-names.ts";
import { finishRestore, isThere, READY, replacedName } from "./finish-restore.ts";
import { nodeFs, type HostFs } from "./host-fs.ts";
import { findActive } from "./keys.ts";
import { acquireLock } from "./lock.ts";
import { latestVersion } from "./migrate.ts";
import { leaveWal } from "./pragmas.ts";
import { makePrivateFile, publish, removeFile } from "./safe-files.ts";
import { verify, withDatabaseFile, type Contents } from "./verify.ts";

/** A data folder that is held for a restore, which has changed nothing until it is committed. */
export interface Restore {
  /** Whether there is a database, or a part of one, that will be replaced. */
  readonly replaces: boolean;
  /**
   * Copies a database into the folder, under another name.
   *
   * @param onBytes is told how many bytes have been copied.
   * @throws {StorageError} when it cannot be read or copied.
   */
  take(source: RestoreSource, onBytes: (bytes: number) => void): Promise<void>;
  /**
   * Checks what was taken, all of it.
   *
   * @throws {StorageError} when it is not to be restored.
   */
  check(): Contents;
  /** Whether the API key of that hash works in the database that was taken. */
  knowsKey(hash: string, now: string): boolean;
  /**
   * Puts the database that was taken and checked in its place, on the disk, at once or not at all.
   *
   * @returns the name in the folder under which the replaced database is kept, if there was one.
   * @throws {StorageError} or the system's error; then the present database is in its place, or the
   *   next start goes through with the restore.
   */
  commit(): string | undefined;
  /** Removes what was taken; harmless after {@link commit}. */
  discard(): void;
  /** Discards, and leaves the folder to others. */
  close(): Promise<void>;
}

/** Where a database comes from: a file with what belongs to it beside it, or bytes. */
export type RestoreSource =
  | { path: string }
  | { name: string; bytes: AsyncIterable<string | Uint8Array> };

const DRAFT = `${DATABASE}.incoming`;
const SIDES = ["", "-wal", "-journal"] as const;

/**
 * Takes a data folder for a restore; makes it when there is none. It need not hold a database, nor
 * a sound one.
 *
 * @throws {StorageError} `locked` while another process uses the folder; `not_writable`, `full` or
 *   `io`.
 */
export async function openRestore(path: string, fs: HostFs = nodeFs): Promise<Restore> {
  const folder = resolve(path);
  const draft = join(folder, DRAFT);
  const explain = (error: unknown): unknown => describeSystemError(error, folder);
  try {
    prepareFolder(fs, folder);
  } catch (error) {
    throw explain(error);
  }
  const lock = await acquireLock(folder).catch((error: unknown) => {
    throw explain(error);
  });

  let taken = draft;

  function discard(): void {
    for (const side of SIDES) removeFile(fs, draft + side);
  }

  try {
    discard();
    finishRestore(fs, folder);
  } catch (error) {
    await lock.release();
    throw explain(error);
  }

  return {
    replaces: [DATABASE, LOG, GUARD, JOURNAL].some((name) => isThere(fs, join(folder, name))),
    async take(source, onBytes) {
      taken = "path" in source ? source.path : source.name;
      if ("path" in source) refuseSelf(fs, source.path, folder);
      try {
        await copyIn(fs, source, draft, onBytes);
      } catch (error) {
        throw explain(error);
      }
    },
    check() {
      try {
        return check(fs, draft);
      } catch (error) {
        throw unfit(taken, error);
      }
    },
    knowsKey: (hash, now) =>
      withDatabaseFile(fs, draft, (copy) => {
        const key = findActive(copy, hash);
        return key !== undefined && (key.expiresAt === null || key.expiresAt > now);
      }),
    commit() {
      try {
        publish(fs, draft, join(folder, READY + freeTime(fs, folder)));
        return finishRestore(fs, folder);
      } catch (error) {
        throw explain(error);
      }
    },
    discard,
    async close() {
      try {
        discard();
      } finally {
        await lock.release();
      }
    },
  };
}

function refuseSelf(fs: HostFs, path: string, folder: string): void {
  const found = fs.statSync(path, { throwIfNoEntry: false });
  const own = fs.lstatSync(join(folder, DATABASE), { throwIfNoEntry: false });
  if (!found || found.ino !== own?.ino || found.dev !== own.dev) return;
  throw new StorageError(
    "failed",
    `${path} is the present database of this data folder. Name a backup of it.`,
  );
}

/** A file's log or journal, which others may have left there, completes it. */
async function copyIn(
  fs: HostFs,
  source: RestoreSource,
  draft: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  if ("bytes" in source) return write(fs, source.bytes, draft, onBytes);
  await write(fs, bytesOf(source.path), draft, onBytes);
  for (const side of SIDES.slice(1)) {
    const path = [source.path + side, ...ownLog(source.path, side)].find((candidate) =>
      fs.statSync(candidate, { throwIfNoEntry: false })?.isFile(),
    );
    if (path !== undefined) await write(fs, bytesOf(path), draft + side, () => {});
  }
}

/** A copied data folder has its log under the name that it has there. */
function ownLog(path: string, side: string): string[] {
  return side === "-wal" && basename(path) === DATABASE ? [join(dirname(path), LOG)] : [];
}

async function* bytesOf(path: string): AsyncGenerator<Uint8Array> {
  try {
    yield* createReadStream(path, { highWaterMark: 1024 * 1024 }) as AsyncIterable<Uint8Array>;
  } catch (error) {
    throw new StorageError("io", `${path} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

async function write(
  fs: HostFs,
  bytes: AsyncIterable<string | Uint8Array>,
  path: string,
  onBytes: (bytes: number) => void,
): Promise<void> {
  const fd = makePrivateFile(fs, path);
  try {
    let total = 0;
    for await (const piece of bytes) {
      const chunk = typeof piece === "string" ? Buffer.from(piece) : piece;
      for (let done = 0; done < chunk.length;) {
        const start = done;
        done += uninterrupted(() => fs.writeSync(fd, chunk, start, chunk.length - start, null));
      }
      total += chunk.length;
      onBytes(total);
    }
  } finally {
    fs.closeSync(fd);
  }
}

/** Leaves the copy as one plain file, in which its log, if it has one, has been taken over. */
function check(fs: HostFs, draft: string): Contents {
  const incomplete = SIDES.slice(1).some((side) => isThere(fs, draft + side));
  checkDatabaseFile(fs, draft, { version: latestVersion(migrations), incomplete });
  return withDatabaseFile(fs, draft, (copy, files) => {
    leaveWal(copy);
    return verify(copy, files);
  });
}

const reasons: Partial<Record<StorageErrorCode, string>> = {
  empty: "is empty",
  truncated: "has lost a part of its content",
  not_a_database: "is not a database",
  foreign: "is the database of another program",
  newer: "was written by a newer version of this program, which is to be installed first",
  full: "could not be checked, because the disk of the data folder is full",
  io: "could not be checked, because the disk failed",
};

function unfit(name: string, error: unknown): unknown {
  if (!(error instanceof StorageError)) return error;
  const { code } = error;
  // All else that SQLite says of a file whose header is right: its content is not.
  const reason = reasons[code] ?? "is damaged";
  const advice = ["newer", "full", "io"].includes(code) ? "" : " Choose another backup.";
  return new StorageError(code, `${name} ${reason}. Nothing was changed.${advice}`, {
    cause: error,
  });
}

/** The time, as names have it, at which nothing else was replaced here. */
function freeTime(fs: HostFs, folder: string): string {
  for (let time = Date.now(); ; time += 1000) {
    const text = new Date(time).toISOString().slice(0, 19).replaceAll(/[-:]/g, "");
    const stamp = text.replace("T", "-");
    if (!isThere(fs, join(folder, replacedName(stamp)))) return stamp;
  }
}
