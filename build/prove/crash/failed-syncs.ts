import { basename } from "node:path";

import { DATABASE, LOG } from "../../../src/storage/file-names.ts";
import type { HostFs } from "../../../src/storage/host-fs.ts";
import { applyChange, copyOf, resize } from "./bytes.ts";
import { advance, emptyDisk, restarted, type Disk, type DiskFile } from "./disk.ts";
import { emptyTally } from "./explore.ts";
import { BLOCK, keepSome } from "./losses.ts";
import { randomFrom, type Random } from "./random.ts";
import { exploreRestart } from "./restart.ts";
import type { Result, Task } from "./tasks.ts";
import { nothingPromised, promisedAfter } from "./trace.ts";
import { recordTrace } from "./workload.ts";

/** How many states are looked at after each failure. */
const STATES = 30;

/** The name of the control: the log is not copied to a new file, and cannot be emptied at once. */
export const IN_PLACE = "the log opened in place, on a full disk";

/**
 * Lets the syncs of a run fail, each once, as Linux does: what was to be synced reaches the disk in
 * part or not at all, yet counts as written from then on. So no later sync writes it, while a
 * process may read it for as long as memory lasts. The process ends; the next one starts at once,
 * and then the power is cut.
 */
export async function exploreFailedSyncs(task: Task): Promise<Result> {
  const { seed, limit, maxBad = Infinity, extent, control } = task;
  const trace = await recordTrace(seed, extent);
  const random = randomFrom(seed);
  const wrap = control === IN_PLACE ? reopeningInPlace : (fs: HostFs): HostFs => fs;
  const tally = emptyTally();
  // So many that the limit is reached towards the end; half of all syncs are of the folder.
  const syncs = trace.events.filter(({ kind }) => kind === "sync ends").length;
  const share = (2 * limit) / STATES / syncs;
  const disk = emptyDisk();
  let promised = nothingPromised;
  for (const event of trace.events) {
    const isFile = event.kind === "sync ends" && disk.open.get(event.fd) !== "the folder";
    if (isFile && random() < share) {
      const failed = failSync(disk, event, random);
      const most = Math.min(limit - tally.states.size, STATES);
      await exploreRestart({ disk: failed, promised, trace }, tally, { random, limit: most, wrap });
      if (tally.states.size >= limit || tally.bad.size >= maxBad) break;
    }
    advance(disk, event);
    promised = promisedAfter(promised, event);
  }
  return {
    task,
    hashes: [...tally.states.keys()],
    bad: tally.bad.size,
    examples: tally.examples,
    native: { count: 0, bad: 0 },
  };
}

/** What is on the disk, and in memory, once a sync has failed instead of ending. */
function failSync(disk: Disk, { fd, sync }: { fd: number; sync: number }, random: Random): Disk {
  const file = disk.open.get(fd);
  if (file === undefined || file === "the folder") throw new Error("Only files fail to sync");
  const { cache, disk: onDisk, pending } = file;
  const length = disk.syncs.get(sync) ?? 0;
  const failing: DiskFile = {
    cache: copyOf(cache),
    disk: copyOf(onDisk),
    pending: pending.slice(length),
  };
  keepSome(failing.disk, pending.slice(0, length), BLOCK, random);
  evict(failing, random);
  return restarted(disk, new Map([[file, failing]]));
}

/** Memory keeps only what it must, and what it likes: the rest is read from the disk again. */
function evict({ cache, disk, pending }: DiskFile, random: Random): void {
  const share = random() < 0.5 ? 0 : random();
  const onDisk = copyOf(disk);
  resize(onDisk, Math.max(cache.size, disk.size));
  for (let at = 0; at < cache.size; at += BLOCK) {
    const end = Math.min(at + BLOCK, cache.size);
    if (random() < share) onDisk.buffer.copy(cache.buffer, at, at, end);
  }
  for (const change of pending) applyChange(cache, change);
}

/**
 * Breaks the rule that a log is copied to a new file before it is opened after a crash. The disk is
 * full until the log is written to: otherwise the start copies the log into the database and empties
 * it, which hides most of the harm.
 */
function reopeningInPlace(fs: HostFs): HostFs {
  const names = new Map<number, string>();
  let isFull = true;
  return {
    ...fs,
    renameSync(from, to) {
      if (String(from).endsWith(".wal.new")) fs.unlinkSync(from);
      else fs.renameSync(from, to);
    },
    openSync(path, flags, mode) {
      const fd = fs.openSync(path, flags, mode);
      names.set(fd, basename(String(path)));
      return fd;
    },
    writeSync: ((fd: number, ...what: [Uint8Array, number, number, number]) => {
      if (names.get(fd) === LOG) isFull = false;
      if (names.get(fd) === DATABASE && isFull) {
        throw Object.assign(new Error("ENOSPC: made for the proof"), { code: "ENOSPC" });
      }
      return fs.writeSync(fd, ...what);
    }) as HostFs["writeSync"],
  };
}
