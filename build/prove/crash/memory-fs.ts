import { constants } from "node:fs";
import { relative } from "node:path";

import type { HostFs } from "../../../src/storage/host-fs.ts";

/** The entries of a folder: the bytes of each file. */
export type Snapshot = ReadonlyMap<string, Buffer | "folder">;

/** A copy of its own, which what happens to the folder does not change. */
export function copySnapshot(snapshot: Snapshot): Snapshot {
  return new Map(
    [...snapshot].map(([name, content]) => [
      name,
      content === "folder" ? content : Buffer.from(content),
    ]),
  );
}

interface MemoryFile {
  inode: number;
  bytes: Buffer;
  size: number;
  /** The bytes are the snapshot's, and are copied before they are changed. */
  isShared: boolean;
  links: number;
}

type Entry = MemoryFile | "folder";

interface OpenFile {
  entry: Entry;
  position: number;
}

const FOLDER_INODE = 1;

/**
 * A folder in memory, with as much of a file system as the engine uses. Opening hundreds of
 * thousands of folders takes minutes this way, not hours; it is of no use to anyone else, and a
 * sample of the same states is opened from real files.
 */
export function memoryFs(folder: string, initial: Snapshot): { fs: HostFs; now: () => Snapshot } {
  const entries = new Map<string, Entry>();
  const files = new Map<number, OpenFile>();
  let nextInode = FOLDER_INODE + 1;
  let nextFd = 3;

  for (const [name, content] of initial) {
    entries.set(name, content === "folder" ? "folder" : newFile(content));
  }

  function newFile(bytes: Buffer): MemoryFile {
    return { inode: nextInode++, bytes, size: bytes.length, isShared: true, links: 1 };
  }

  const nameOf = (path: unknown): string => relative(folder, String(path));

  function entryAt(path: unknown): Entry | undefined {
    return nameOf(path) === "" ? "folder" : entries.get(nameOf(path));
  }

  function mustExist(path: unknown, call: string): Entry {
    return entryAt(path) ?? fail("ENOENT", call);
  }

  function openFile(fd: number): OpenFile {
    return files.get(fd) ?? fail("EBADF", "file");
  }

  function fileOf(fd: number): MemoryFile {
    const { entry } = openFile(fd);
    return entry === "folder" ? fail("EISDIR", "file") : entry;
  }

  function replace(name: string, entry: Entry | undefined): void {
    const old = entries.get(name);
    if (old && old !== "folder") old.links = 0;
    if (entry) entries.set(name, entry);
    else entries.delete(name);
  }

  const fs = {
    accessSync: (path: unknown) => void mustExist(path, "access"),
    chmodSync: (path: unknown) => void mustExist(path, "chmod"),
    openSync(path: unknown, flags: number | string) {
      let entry = entryAt(path);
      if (isCreation(flags)) {
        if (entry) fail("EEXIST", "open");
        entry = newFile(Buffer.alloc(0));
        replace(nameOf(path), entry);
      }
      files.set(nextFd, { entry: entry ?? fail("ENOENT", "open"), position: 0 });
      return nextFd++;
    },
    closeSync: (fd: number) => void files.delete(fd),
    readSync(fd: number, into: Uint8Array, start: number, length: number, at: number | null) {
      const file = fileOf(fd);
      const from = at ?? openFile(fd).position;
      const count = Math.max(0, Math.min(length, file.size - from));
      if (count > 0) file.bytes.copy(into, start, from, from + count);
      if (at === null) openFile(fd).position += count;
      return count;
    },
    writeSync(fd: number, from: Uint8Array, start: number, length: number, at: number | null) {
      const file = fileOf(fd);
      const position = at ?? openFile(fd).position;
      resize(file, Math.max(file.size, position + length));
      file.bytes.set(from.subarray(start, start + length), position);
      if (at === null) openFile(fd).position += length;
      return length;
    },
    ftruncateSync: (fd: number, size = 0) => resize(fileOf(fd), size),
    fsyncSync: (fd: number) => void openFile(fd),
    fdatasyncSync: (fd: number) => void openFile(fd),
    fdatasync: (_fd: number, done: (error: null) => void) => void setImmediate(done, null),
    fstatSync: (fd: number, options?: StatOptions) => statOf(openFile(fd).entry, options),
    lstatSync: (path: unknown, options?: StatOptions) => lookAt(path, options),
    statSync: (path: unknown, options?: StatOptions) => lookAt(path, options),
    readdirSync: () => [...entries.keys()],
    mkdirSync(path: unknown) {
      if (entryAt(path)) fail("EEXIST", "mkdir");
      replace(nameOf(path), "folder");
    },
    renameSync(from: unknown, to: unknown) {
      const entry = mustExist(from, "rename");
      replace(nameOf(to), entry);
      entries.delete(nameOf(from));
    },
    rmdirSync(path: unknown) {
      if (mustExist(path, "rmdir") !== "folder") fail("ENOTDIR", "rmdir");
      replace(nameOf(path), undefined);
    },
    unlinkSync(path: unknown) {
      if (mustExist(path, "unlink") === "folder") fail("EISDIR", "unlink");
      replace(nameOf(path), undefined);
    },
  };

  function lookAt(path: unknown, options: StatOptions = {}): unknown {
    const entry = entryAt(path);
    if (entry) return statOf(entry, options);
    return options.throwIfNoEntry === false ? undefined : fail("ENOENT", "stat");
  }

  return {
    // The signatures of `node:fs` cover many more forms of each call than are in use.
    fs: fs as unknown as HostFs,
    now: () =>
      new Map(
        [...entries].map(([name, entry]) => [
          name,
          entry === "folder" ? entry : Buffer.from(entry.bytes.subarray(0, entry.size)),
        ]),
      ),
  };
}

function isCreation(flags: number | string): boolean {
  // oxlint-disable-next-line no-bitwise -- a set of flags
  return typeof flags === "number" ? (flags & constants.O_CREAT) !== 0 : flags === "wx";
}

function resize(file: MemoryFile, size: number): void {
  if (file.isShared || size > file.bytes.length) {
    const isGrowing = size > file.bytes.length;
    const bytes = Buffer.alloc(isGrowing ? Math.max(size, file.size * 2) : size);
    file.bytes.copy(bytes, 0, 0, Math.min(file.size, size));
    file.bytes = bytes;
    file.isShared = false;
  }
  // What is beyond the end must read as zeros should the file grow again.
  if (size < file.size) file.bytes.fill(0, size, file.size);
  file.size = size;
}

interface StatOptions {
  bigint?: boolean;
  throwIfNoEntry?: boolean;
}

function statOf(entry: Entry, { bigint = false }: StatOptions = {}): unknown {
  const isFolder = entry === "folder";
  const number = bigint ? BigInt : Number;
  const none = number(0);
  return {
    dev: number(1),
    ino: number(isFolder ? FOLDER_INODE : entry.inode),
    mode: number(isFolder ? constants.S_IFDIR + 0o700 : constants.S_IFREG + 0o600),
    nlink: number(isFolder ? 2 : entry.links),
    uid: none,
    gid: none,
    rdev: none,
    size: number(isFolder ? 0 : entry.size),
    blocks: none,
    atimeNs: none,
    mtimeNs: none,
    ctimeNs: none,
    isDirectory: () => isFolder,
    isFile: () => !isFolder,
    isSymbolicLink: () => false,
  };
}

function fail(code: string, syscall: string): never {
  // An error of the usual kind, but for its stack, which would take longer than the rest.
  const error = Object.create(Error.prototype) as NodeJS.ErrnoException;
  throw Object.assign(error, { message: `${code}: ${syscall}`, code, syscall });
}
