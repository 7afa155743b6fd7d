import { constants } from "node:fs";
import { dirname } from "node:path";

import { errorName, uninterrupted } from "./errno.ts";
import type { HostFs } from "./host-fs.ts";

const CHUNK = 1024 * 1024;

/**
 * Waits until a folder's entries (files made, renamed and removed in it) are on the disk.
 *
 * @throws the system's error.
 */
export function syncFolder(fs: HostFs, folder: string): void {
  // Windows opens no folders; there the file system's journal orders such changes.
  if (process.platform === "win32") return;
  syncPath(fs, folder);
}

/**
 * Waits until a file is on the disk.
 *
 * @throws the system's error.
 */
export function syncFile(fs: HostFs, path: string): void {
  syncPath(fs, path, constants.O_RDWR);
}

function syncPath(fs: HostFs, path: string, access: number = constants.O_RDONLY): void {
  const fd = uninterrupted(() => fs.openSync(path, access));
  try {
    uninterrupted(() => fs.fsyncSync(fd));
  } finally {
    fs.closeSync(fd);
  }
}

/**
 * Gives a file its final name, over any file of that name. It is then on the disk, under that name,
 * as a whole.
 *
 * @throws the system's error.
 */
export function publish(fs: HostFs, path: string, finalPath: string): void {
  syncFile(fs, path);
  fs.renameSync(path, finalPath);
  syncFolder(fs, dirname(finalPath));
}

/**
 * Writes a small text file that only this user may read, over any file of that name: as a whole, or
 * not at all.
 *
 * @throws the system's error.
 */
export function writePrivateFile(fs: HostFs, path: string, text: string): void {
  const draft = `${path}.new`;
  removeFile(fs, draft);
  const fd = uninterrupted(() => fs.openSync(draft, "wx", 0o600));
  try {
    uninterrupted(() => fs.writeSync(fd, Buffer.from(text)));
  } finally {
    fs.closeSync(fd);
  }
  publish(fs, draft, path);
}

/**
 * Makes a new file that only this user may read. One that root makes in the folder of another user
 * becomes that user's: the server that runs as that user could not use it otherwise.
 *
 * @returns its descriptor.
 * @throws the system's error, EEXIST when there is such a file.
 */
export function makePrivateFile(fs: HostFs, path: string): number {
  const fd = uninterrupted(() => fs.openSync(path, "wx", 0o600));
  if (process.getuid?.() !== 0) return fd;
  const { uid, gid } = fs.statSync(dirname(path));
  if (uid === 0) return fd;
  try {
    fs.fchownSync(fd, uid, gid);
  } catch {
    // Not every file system has owners; where it has, `todo doctor` tells of it.
  }
  return fd;
}

/**
 * Copies a file's bytes to a new file.
 *
 * @throws the system's error, EEXIST when there is such a file.
 */
export function copyFile(fs: HostFs, from: string, to: string): void {
  const source = uninterrupted(() => fs.openSync(from, "r"));
  try {
    const target = uninterrupted(() => fs.openSync(to, "wx", 0o600));
    try {
      copyBytes(fs, source, target);
    } finally {
      fs.closeSync(target);
    }
  } finally {
    fs.closeSync(source);
  }
}

function copyBytes(fs: HostFs, source: number, target: number): void {
  const chunk = new Uint8Array(CHUNK);
  for (;;) {
    const length = uninterrupted(() => fs.readSync(source, chunk, 0, chunk.length, null));
    if (length === 0) return;
    for (let done = 0; done < length;) {
      const from = done;
      done += uninterrupted(() => fs.writeSync(target, chunk, from, length - from, null));
    }
  }
}

/**
 * Removes a file, if there is one.
 *
 * @throws the system's error.
 */
export function removeFile(fs: HostFs, path: string): void {
  try {
    fs.unlinkSync(path);
  } catch (error) {
    if (errorName(error) !== "ENOENT") throw error;
  }
}
