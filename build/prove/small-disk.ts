import { spawnSync } from "node:child_process";
import {
  closeSync,
  mkdirSync,
  openSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from "node:fs";
import { join } from "node:path";
import { temporaryFolder } from "./folder.ts";

const MIB = 1024 * 1024;

export const fileSystems = ["tmpfs", "ext4"] as const;

/** A file system of its own with little space, which goes away with its scope. */
export interface SmallDisk extends Disposable {
  /** A folder on it. */
  path: string;
  /** Uses up all the space that is left. */
  fill(): void;
  /** Gives back what {@link SmallDisk.fill} took. */
  empty(): void;
  /** Lets nothing be written any more. */
  makeReadOnly(): void;
}

/** Makes a small disk; undefined when that is not possible here, for want of root, say. */
export function createSmallDisk(kind: (typeof fileSystems)[number]): SmallDisk | undefined {
  const folder = temporaryFolder();
  const mountPoint = join(folder.path, "mount");
  mkdirSync(mountPoint);
  if (!(kind === "tmpfs" ? mountTmpfs(mountPoint) : mountExt4(folder.path, mountPoint))) {
    folder[Symbol.dispose]();
    return undefined;
  }
  const path = join(mountPoint, "data");
  const ballast = join(mountPoint, "ballast");
  mkdirSync(path, { mode: 0o700 });
  return {
    path,
    fill: () => fillUp(ballast),
    empty: () => rmSync(ballast),
    makeReadOnly() {
      if (!run("mount", "-o", "remount,ro", mountPoint)) throw new Error("No remount");
    },
    [Symbol.dispose]() {
      // Lazily: a process that has not ended yet must not keep it.
      run("umount", "-l", mountPoint);
      folder[Symbol.dispose]();
    },
  };
}

function mountTmpfs(mountPoint: string): boolean {
  return run("mount", "-t", "tmpfs", "-o", "size=40m", "none", mountPoint);
}

function mountExt4(folder: string, mountPoint: string): boolean {
  const image = join(folder, "image");
  writeFileSync(image, "");
  truncateSync(image, 48 * MIB);
  // Without the share that only root may use.
  return (
    run("mkfs.ext4", "-q", "-F", "-m", "0", image) && run("mount", "-o", "loop", image, mountPoint)
  );
}

function run(command: string, ...args: string[]): boolean {
  return spawnSync(command, args, { stdio: "ignore" }).status === 0;
}

/** Ever smaller pieces, until not a byte more goes in. */
function fillUp(path: string): void {
  const fd = openSync(path, "a");
  try {
    for (let size = MIB; size >= 1; size = Math.floor(size / 16)) {
      const piece = new Uint8Array(size);
      while (takes(fd, piece));
    }
  } finally {
    closeSync(fd);
  }
}

function takes(fd: number, piece: Uint8Array): boolean {
  try {
    return writeSync(fd, piece) === piece.length;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOSPC") return false;
    throw error;
  }
}
