import { randomFillSync } from "node:crypto";
import { constants, type BigIntStats } from "node:fs";
import { join } from "node:path";

import type { CommitBuffer } from "./commit-buffer.ts";
import { systemError, uninterrupted } from "./errno.ts";
import { DATABASE, GUARD, LOG, virtualPath } from "./file-names.ts";
import type { HostFs } from "./host-fs.ts";
import { createLogFile, type LogState } from "./log-file.ts";
import { createReserve, writeWithReserve, type Reserve } from "./reserve.ts";
import { syncFolder } from "./safe-files.ts";

/** What is known of the database's bytes, which checkpoints copy out of the log. */
export interface DatabaseState {
  /** How many checkpoints were copied without a sync of their own. */
  copied: number;
  /** How many of those are known to be on the disk. The log stays as it is until all are. */
  synced: number;
}

export interface OpenFlags {
  write: boolean;
  create: boolean;
  exclusive: boolean;
}

/** Where an offset is counted from. */
export type SeekOrigin = "start" | "position" | "end";

/**
 * The files of one folder as SQLite sees them: in a file system of its own with this folder as its
 * root and nothing else, so that nothing outside is reachable. Offsets and sizes are in bytes.
 * Every function may throw a system error; none is interrupted by signals.
 */
export interface HostFiles {
  readonly log: LogState;
  readonly database: DatabaseState;
  /** Works, and writes the commit that the work makes to the log at once. */
  atOnce: CommitBuffer["gather"];
  /**
   * Works, and leaves the sync of what it copies into the database to the caller. When there was
   * none by the next change of the log, that change waits for one.
   */
  syncLater: <T>(work: () => T) => T;
  /** Answers a descriptor for the functions below; a new file is in the folder for good. */
  open: (path: string, flags: OpenFlags) => number;
  close: (descriptor: number) => void;
  /** Answers the number of bytes read, fewer than asked for at the end of the file. */
  read: (descriptor: number, into: Uint8Array) => number;
  /** Answers the number of bytes written, fewer than given when the system stopped early. */
  write: (descriptor: number, from: Uint8Array) => number;
  /** Answers the new position. */
  seek: (descriptor: number, offset: number, origin: SeekOrigin) => number;
  truncate: (descriptor: number, length: number) => void;
  /** Waits until everything written is on the disk. A failure is reported as final, then thrown. */
  sync: (descriptor: number) => void;
  stat: (descriptor: number) => BigIntStats;
  /** Does not follow symbolic links. */
  statPath: (path: string) => BigIntStats;
  access: (path: string, mode: number) => void;
  remove: (path: string) => void;
  /** How many reads the system has refused so far. */
  failedReads: () => number;
  /** The host's descriptor of an open file. */
  hostDescriptor: (path: string) => number | undefined;
  /** Gives up every open file as it is, without SQLite. */
  abandon: () => void;
}

interface OpenFile {
  path: string;
  /** Undefined for the source of random bytes. */
  fd: number | undefined;
  position: number;
}

const RANDOM = "/dev/urandom";

/** SQLite takes a descriptor below 3 for a standard stream, and does not use it. */
const FIRST_DESCRIPTOR = 3;

const FILE_MODE = 0o600;

/**
 * The folder's files for SQLite.
 *
 * @param readOnly lets nothing be written, made or removed.
 * @param beforeDatabaseChange called before bytes of the database's file change, with their offsets.
 * @param onSyncFailure called with every failed sync. What was written may then be lost even when a
 *   later sync succeeds, and SQLite ignores some of these results.
 * @param reserve what to do when the disk is full; none is kept when not given.
 */
export function createHostFiles(options: {
  fs: HostFs;
  folder: string;
  readOnly?: boolean;
  beforeDatabaseChange?: (start: number, end: number) => void;
  onSyncFailure: (error: unknown) => void;
  reserve?: Reserve;
}): HostFiles {
  const { fs, folder, readOnly = false, beforeDatabaseChange, onSyncFailure } = options;
  const { reserve = createReserve(fs, folder) } = options;
  const files = new Map<number, OpenFile>();
  const log = createLogFile(fs, { reserve, beforeChange: beforeLogChange });
  const database: DatabaseState = { copied: 0, synced: 0 };
  let syncsLater = false;
  let failedReads = 0;
  let nextDescriptor = FIRST_DESCRIPTOR;

  function hostPath(path: string): string {
    if (path === "/") return folder;
    const name = path.slice(1);
    if (!path.startsWith("/") || !/^[\w-][\w.-]*$/.test(name)) throw systemError("ENOENT");
    return join(folder, name === GUARD ? LOG : name);
  }

  function fileOf(descriptor: number): OpenFile {
    const file = files.get(descriptor);
    if (!file) throw systemError("EBADF");
    return file;
  }

  function fdOf(descriptor: number): number {
    const { fd } = fileOf(descriptor);
    if (fd === undefined) throw systemError("EINVAL");
    return fd;
  }

  function mustSync(sync: () => void): void {
    try {
      uninterrupted(sync);
    } catch (error) {
      onSyncFailure(error);
      throw error;
    }
  }

  function openHostFile(path: string, flags: OpenFlags): number {
    // SQLite then opens for reading; what is not there stays missing.
    if (readOnly && flags.write)
      throw systemError(fs.lstatSync(path, { throwIfNoEntry: false }) ? "EROFS" : "ENOENT");
    const access = flags.write ? constants.O_RDWR : constants.O_RDONLY;
    // Undefined on Windows.
    const mode = access | (constants.O_NOFOLLOW ?? 0);
    if (!flags.exclusive) {
      try {
        return uninterrupted(() => fs.openSync(path, mode));
      } catch (error) {
        if (!flags.create || (error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      }
    }
    const create = mode | constants.O_CREAT | constants.O_EXCL;
    const fd = uninterrupted(() => fs.openSync(path, create, FILE_MODE));
    try {
      mustSync(() => syncFolder(fs, folder));
    } catch (error) {
      fs.closeSync(fd);
      throw error;
    }
    return fd;
  }

  /** The log is the only copy of what is not on the disk. */
  function beforeLogChange(): void {
    if (database.synced === database.copied) return;
    const fd = hostDescriptor(virtualPath(DATABASE));
    if (fd === undefined) throw systemError("EBADF");
    mustSync(() => fs.fdatasyncSync(fd));
    database.synced = database.copied;
  }

  function hostDescriptor(path: string): number | undefined {
    for (const file of files.values()) if (file.path === path) return file.fd;
    return undefined;
  }

  const isLog = (file: OpenFile): boolean => file.path === virtualPath(GUARD);
  const isDatabase = (file: OpenFile): boolean => file.path === virtualPath(DATABASE);

  return {
    log: log.state,
    database,
    atOnce: log.atOnce,
    syncLater(work) {
      syncsLater = true;
      try {
        return work();
      } finally {
        syncsLater = false;
      }
    },
    open(path, flags) {
      // The database is put in its place as a whole; SQLite must not begin an empty one.
      const create = flags.create && path !== virtualPath(DATABASE);
      const fd = path === RANDOM ? undefined : openHostFile(hostPath(path), { ...flags, create });
      const file = { path, fd, position: 0 };
      if (fd !== undefined && isLog(file)) log.opened(fd);
      files.set(nextDescriptor, file);
      return nextDescriptor++;
    },
    close(descriptor) {
      const file = fileOf(descriptor);
      files.delete(descriptor);
      if (isLog(file)) log.closed();
      if (file.fd !== undefined) fs.closeSync(file.fd);
    },
    read(descriptor, into) {
      const file = fileOf(descriptor);
      const { fd, position } = file;
      if (isLog(file)) log.flush();
      if (fd === undefined) return randomFillSync(into).length;
      try {
        const count = uninterrupted(() => fs.readSync(fd, into, 0, into.length, position));
        file.position += count;
        return count;
      } catch (error) {
        failedReads++;
        throw error;
      }
    },
    write(descriptor, from) {
      const fd = fdOf(descriptor);
      const file = fileOf(descriptor);
      const { position } = file;
      if (isDatabase(file)) beforeDatabaseChange?.(position, position + from.length);
      const count = isLog(file)
        ? log.write(from, position)
        : writeWithReserve(reserve, () => fs.writeSync(fd, from, 0, from.length, position));
      file.position += count;
      return count;
    },
    seek(descriptor, offset, origin) {
      const file = fileOf(descriptor);
      let position = offset;
      if (origin === "position") position += file.position;
      if (origin === "end") position += fs.fstatSync(fdOf(descriptor)).size;
      if (position < 0) throw systemError("EINVAL");
      file.position = position;
      return position;
    },
    truncate(descriptor, length) {
      const file = fileOf(descriptor);
      if (isDatabase(file)) beforeDatabaseChange?.(length, Infinity);
      else if (isLog(file)) beforeLogChange();
      log.flush();
      uninterrupted(() => fs.ftruncateSync(fdOf(descriptor), length));
    },
    sync(descriptor) {
      log.flush();
      const fd = fdOf(descriptor);
      const file = fileOf(descriptor);
      if (isLog(file)) log.sync(() => mustSync(() => fs.fdatasyncSync(fd)));
      else if (!isDatabase(file)) mustSync(() => fs.fsyncSync(fd));
      else if (syncsLater) database.copied++;
      else mustSync(() => fs.fdatasyncSync(fd));
    },
    stat: (descriptor) => fs.fstatSync(fdOf(descriptor), { bigint: true }),
    statPath: (path) => fs.lstatSync(hostPath(path), { bigint: true }),
    access: (path, mode) => fs.accessSync(hostPath(path), mode),
    remove(path) {
      if (readOnly) throw systemError("EROFS");
      beforeLogChange();
      fs.unlinkSync(hostPath(path));
    },
    failedReads: () => failedReads,
    hostDescriptor,
    abandon() {
      for (const { fd } of files.values()) if (fd !== undefined) fs.closeSync(fd);
      files.clear();
      log.closed();
    },
  };
}
