import { type Bytes, type FileChange, applyChange, contentOf, copyOf } from "./bytes.ts";
import type { TraceEvent } from "./trace.ts";
import type { Snapshot } from "./memory-fs.ts";

/** A file, whatever its names. */
export interface DiskFile {
  /** What a process reads. */
  cache: Bytes;
  /** What is on the disk for sure. */
  disk: Bytes;
  /** What is on the way from one to the other, oldest first. Any part of it may be there already. */
  pending: FileChange[];
}

export type DiskEntry = DiskFile | "folder";

/** A change of the folder's entries. A rename is one: POSIX has it happen as a whole or not. */
export type EntryChange =
  | { kind: "link"; name: string; entry: DiskEntry }
  | { kind: "unlink"; name: string }
  | { kind: "rename"; from: string; to: string; entry: DiskEntry };

export type Entries = ReadonlyMap<string, DiskEntry>;

/**
 * A disk with one folder, as POSIX lets it be: what was not synced is there or not, piece by piece
 * and in any order. Syncing a file keeps its content but not its name; names are kept by syncing the
 * folder.
 */
export interface Disk {
  /** What a process sees. */
  entries: Map<string, DiskEntry>;
  /** What is on the disk for sure. */
  kept: Map<string, DiskEntry>;
  pending: EntryChange[];
  /** What was changed last. */
  last: DiskFile | undefined;
  open: Map<number, DiskFile | "the folder">;
  /** By the number of each sync under way: how many changes it is to keep. */
  syncs: Map<number, number>;
}

/** A disk on which everything is kept. */
export function diskOf(snapshot: Snapshot): Disk {
  const entries = new Map<string, DiskEntry>();
  for (const [name, content] of snapshot) {
    entries.set(name, content === "folder" ? content : fileOf(content));
  }
  return { ...emptyDisk(), entries, kept: new Map(entries) };
}

/**
 * The same disk for a process that is started next: a copy, with nothing open.
 *
 * @param copies files that have changed meanwhile, by what they were
 */
export function restarted(disk: Disk, copies = new Map<DiskFile, DiskFile>()): Disk {
  function copy(entry: DiskEntry): DiskEntry {
    if (entry === "folder") return entry;
    const known = copies.get(entry);
    if (known) return known;
    const { cache, disk: onDisk, pending } = entry;
    const file = { cache: copyOf(cache), disk: copyOf(onDisk), pending: [...pending] };
    copies.set(entry, file);
    return file;
  }
  const copyAll = (entries: Entries) =>
    new Map([...entries].map(([name, entry]) => [name, copy(entry)]));
  return {
    ...emptyDisk(),
    entries: copyAll(disk.entries),
    kept: copyAll(disk.kept),
    pending: disk.pending.map((change) =>
      change.kind === "unlink" ? change : { ...change, entry: copy(change.entry) },
    ),
  };
}

/** A disk with an empty folder. */
export function emptyDisk(): Disk {
  return {
    entries: new Map(),
    kept: new Map(),
    pending: [],
    last: undefined,
    open: new Map(),
    syncs: new Map(),
  };
}

/** Whether nothing is under way, so that a power cut would change nothing. */
export function isSettled(disk: Disk): boolean {
  return disk.pending.length === 0 && filesOf(disk).every((file) => file.pending.length === 0);
}

/** What a process sees. The bytes are the disk's own: they are those of this moment only. */
export function seen(disk: Disk): Snapshot {
  return snapshotOf(disk.entries, ({ cache }) => contentOf(cache));
}

/** The content of entries. */
export function snapshotOf(entries: Entries, content: (file: DiskFile) => Buffer): Snapshot {
  return new Map(
    [...entries].map(([name, entry]) => [name, entry === "folder" ? entry : content(entry)]),
  );
}

/** Every file that a process, or a process after a power cut, can see. */
export function filesOf(disk: Disk): DiskFile[] {
  const renamed = disk.pending.flatMap((change) => (change.kind === "unlink" ? [] : change.entry));
  const all = new Set([...disk.entries.values(), ...disk.kept.values(), ...renamed]);
  return [...all].filter((entry) => entry !== "folder");
}

/**
 * Lets the next call reach the disk.
 *
 * @throws Error when it does not fit to those before it: the trace is not complete
 */
export function advance(disk: Disk, event: TraceEvent): void {
  disk.last = undefined;
  switch (event.kind) {
    case "open":
      if (event.created)
        changeEntries(disk, { kind: "link", name: event.name, entry: fileOf(none) });
      disk.open.set(event.fd, event.name === "" ? "the folder" : namedFile(disk, event.name));
      return;
    case "close":
      disk.open.delete(event.fd);
      return;
    case "write":
    case "truncate":
      changeFile(disk, openFile(disk, event.fd), event);
      return;
    case "sync begins":
      disk.syncs.set(event.sync, pendingOf(disk, event.fd).length);
      return;
    case "sync ends":
      keep(disk, event.fd, disk.syncs.get(event.sync) ?? 0);
      disk.syncs.delete(event.sync);
      return;
    case "rename": {
      const entry = namedEntry(disk, event.from);
      changeEntries(disk, { ...event, entry });
      return;
    }
    case "unlink":
    case "rmdir":
      namedEntry(disk, event.name);
      changeEntries(disk, { kind: "unlink", name: event.name });
      return;
    case "mkdir":
      changeEntries(disk, { kind: "link", name: event.name, entry: "folder" });
      return;
    default:
  }
}

/** Makes a change among entries. */
export function applyEntry(entries: Map<string, DiskEntry>, entryChange: EntryChange): void {
  switch (entryChange.kind) {
    case "link":
      entries.set(entryChange.name, entryChange.entry);
      return;
    case "unlink":
      entries.delete(entryChange.name);
      return;
    case "rename":
      entries.delete(entryChange.from);
      entries.set(entryChange.to, entryChange.entry);
  }
}

const none = Buffer.alloc(0);

function fileOf(content: Buffer): DiskFile {
  const bytes = (): Bytes => ({ buffer: Buffer.from(content), size: content.length });
  return { cache: bytes(), disk: bytes(), pending: [] };
}

function changeEntries(disk: Disk, entryChange: EntryChange): void {
  applyEntry(disk.entries, entryChange);
  disk.pending.push(entryChange);
}

function changeFile(
  disk: Disk,
  file: DiskFile,
  event: Extract<TraceEvent, { kind: "write" | "truncate" }>,
): void {
  const fileChange: FileChange =
    event.kind === "write"
      ? { kind: "write", at: event.at, bytes: event.bytes }
      : { kind: "size", size: event.size };
  applyChange(file.cache, fileChange);
  file.pending.push(fileChange);
  disk.last = file;
}

function keep(disk: Disk, fd: number, length: number): void {
  const target = disk.open.get(fd);
  if (target === "the folder") {
    for (const entryChange of disk.pending.splice(0, length)) applyEntry(disk.kept, entryChange);
  } else {
    const file = openFile(disk, fd);
    for (const fileChange of file.pending.splice(0, length)) applyChange(file.disk, fileChange);
  }
}

function pendingOf(disk: Disk, fd: number): unknown[] {
  return disk.open.get(fd) === "the folder" ? disk.pending : openFile(disk, fd).pending;
}

function openFile(disk: Disk, fd: number): DiskFile {
  const file = disk.open.get(fd);
  if (file === undefined || file === "the folder") throw new Error(`No file is open as ${fd}`);
  return file;
}

function namedEntry(disk: Disk, name: string): DiskEntry {
  const entry = disk.entries.get(name);
  if (entry === undefined) throw new Error(`There is no ${name}`);
  return entry;
}

function namedFile(disk: Disk, name: string): DiskFile {
  const entry = namedEntry(disk, name);
  if (entry === "folder") throw new Error(`${name} is a folder`);
  return entry;
}
