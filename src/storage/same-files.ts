import type { HostFs } from "./host-fs.ts";

/** A file that is open, and the path at which it must stay. */
export interface WatchedFile {
  path: string;
  fd: number;
  /** How many bytes it must have at least. */
  size?: () => number;
}

/**
 * A check that each file is still the one at its path and has no other name: neither deleted,
 * replaced, linked, nor cut short. A system call each, but of the cheapest.
 *
 * @throws the system's error when a file cannot be looked at now.
 */
export function createSameFilesCheck(fs: HostFs, files: readonly WatchedFile[]): () => boolean {
  const watched = files.map(({ path, fd, size = () => 0 }) => {
    const { dev, ino } = fs.fstatSync(fd, { bigint: true });
    return { path, dev, ino, size };
  });
  return () =>
    watched.every(({ path, dev, ino, size }) => {
      try {
        const found = fs.lstatSync(path, { bigint: true });
        const isSame = found.dev === dev && found.ino === ino && found.nlink === 1n;
        return isSame && found.size >= size();
      } catch {
        return false;
      }
    });
}
