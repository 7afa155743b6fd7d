import { applyChange, contentOf, copyOf, resize, type Bytes, type FileChange } from "./bytes.ts";
import { applyEntry, seen, snapshotOf, type Disk, type DiskEntry, type DiskFile } from "./disk.ts";
import type { Snapshot } from "./memory-fs.ts";
import { below, pick, type Random } from "./random.ts";

const SECTOR = 512;
export const BLOCK = 4096;

/** What happens to what was not synced. */
export interface Loss {
  name: string;
  /** Whether it is different each time. */
  isRandom: boolean;
  /** What is in the folder then; undefined when there is nothing of the kind to lose. */
  leave: (disk: Disk, random: Random) => Snapshot | undefined;
}

/** Everything that a killed process or a power cut may do to a folder. */
export const losses: readonly Loss[] = [
  {
    name: "process killed",
    isRandom: false,
    leave: (disk) => seen(disk),
  },
  {
    name: "everything unsynced lost",
    isRandom: false,
    leave: (disk) => snapshotOf(disk.kept, (file) => contentOf(file.disk)),
  },
  {
    name: "last write torn",
    isRandom: true,
    leave: (disk, random) =>
      disk.last &&
      inFiles(disk, (file) => (file === disk.last ? torn(file, random) : contentOf(file.cache))),
  },
  {
    name: "only a part of the last write kept",
    isRandom: true,
    leave: (disk, random) =>
      disk.last &&
      inFiles(disk, (file) => (file === disk.last ? only(file, random) : contentOf(file.disk))),
  },
  {
    name: "subset of 512-byte pieces",
    isRandom: true,
    leave: (disk, random) => inFiles(disk, (file) => subset(file, SECTOR, random)),
  },
  {
    name: "subset of 4-KiB pieces",
    isRandom: true,
    leave: (disk, random) => inFiles(disk, (file) => subset(file, BLOCK, random)),
  },
  {
    name: "sizes without their data",
    isRandom: true,
    leave: (disk, random) =>
      inFiles(disk, (file) => {
        if (isKept(file)) return contentOf(file.disk);
        const bytes = copyOf(file.disk);
        if (random() < 0.5) keepSome(bytes, file.pending, BLOCK, random);
        resize(bytes, file.cache.size);
        return contentOf(bytes);
      }),
  },
  {
    name: "folder entries lost or undone",
    isRandom: true,
    leave: (disk, random) =>
      disk.pending.length === 0
        ? undefined
        : snapshotOf(someEntries(disk, random), ({ cache }) => contentOf(cache)),
  },
  {
    name: "all of this in any order",
    isRandom: true,
    leave: (disk, random) =>
      snapshotOf(someEntries(disk, random), (file) => anything(file, random)),
  },
];

/** Nothing happens to the entries. */
function inFiles(disk: Disk, content: (file: DiskFile) => Buffer): Snapshot {
  return snapshotOf(disk.entries, content);
}

/** Whether there is nothing of a file to lose, so that no copy of it is needed. */
function isKept({ cache, disk, pending }: DiskFile): boolean {
  return pending.length === 0 && cache.size === disk.size;
}

/** Entries of which only some changes were kept. */
function someEntries(disk: Disk, random: Random): Map<string, DiskEntry> {
  const entries = new Map(disk.kept);
  const share = pick(random, [0, 0.2, 0.5, 0.8, 1]);
  for (const change of disk.pending) if (random() < share) applyEntry(entries, change);
  return entries;
}

/** Everything that was written, but of the last write only the beginning. */
function torn({ disk, pending }: DiskFile, random: Random): Buffer {
  const bytes = copyOf(disk);
  for (const change of pending.slice(0, -1)) applyChange(bytes, change);
  applyBeginning(bytes, pending.at(-1), random);
  return contentOf(bytes);
}

/** Nothing but the beginning of the last write. */
function only({ disk, pending }: DiskFile, random: Random): Buffer {
  const bytes = copyOf(disk);
  applyBeginning(bytes, pending.at(-1), random);
  return contentOf(bytes);
}

function applyBeginning(bytes: Bytes, change: FileChange | undefined, random: Random): void {
  if (change?.kind !== "write") return;
  const parts = pieces(change, SECTOR);
  for (const piece of parts.slice(0, below(random, parts.length + 1))) applyChange(bytes, piece);
}

function subset(file: DiskFile, size: number, random: Random): Buffer {
  if (isKept(file)) return contentOf(file.disk);
  const bytes = copyOf(file.disk);
  keepSome(bytes, file.pending, size, random);
  return contentOf(bytes);
}

/** Each piece reaches the disk or not; later ones may without earlier ones of the same place. */
export function keepSome(
  bytes: Bytes,
  pending: readonly FileChange[],
  size: number,
  random: Random,
): void {
  const share = pick(random, [0.1, 0.5, 0.9, 0.99]);
  for (const change of pending) {
    for (const piece of change.kind === "write" ? pieces(change, size) : [change]) {
      if (random() < share) applyChange(bytes, piece);
    }
  }
}

function anything(file: DiskFile, random: Random): Buffer {
  if (file.pending.length === 0) return contentOf(file.disk);
  const kind = below(random, 4);
  if (kind === 0) return contentOf(file.disk);
  if (kind === 1) return contentOf(file.cache);
  const bytes = copyOf(file.disk);
  keepSome(bytes, file.pending, kind === 2 ? SECTOR : BLOCK, random);
  // The size is kept apart from the data: it may be that of any moment.
  if (random() < 0.3) resize(bytes, pick(random, [file.disk.size, file.cache.size]));
  return contentOf(bytes);
}

/** Parts of a write that reach the disk each by itself, aligned as on the disk. */
function pieces(change: FileChange & { kind: "write" }, size: number): FileChange[] {
  const { at, bytes } = change;
  const parts: FileChange[] = [];
  for (let from = 0; from < bytes.length;) {
    const to = Math.min(bytes.length, from + size - ((at + from) % size));
    parts.push({ kind: "write", at: at + from, bytes: bytes.subarray(from, to) });
    from = to;
  }
  return parts;
}
