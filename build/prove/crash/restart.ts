import type { HostFs } from "../../../src/storage/host-fs.ts";
import { restarted, seen, type Disk } from "./disk.ts";
import { explore, hashOf, note, verdict, type Tally } from "./explore.ts";
import { count, read } from "./history.ts";
import { FOLDER, openFolder } from "./judge.ts";
import { copySnapshot, memoryFs, type Snapshot } from "./memory-fs.ts";
import { below, type Random } from "./random.ts";
import { recordingFs } from "./recording-fs.ts";
import { BACKUP, type Promised, type Trace, type TraceEvent } from "./trace.ts";

/** The moment at which a process ended, and what it had promised until then. */
export interface Ending {
  disk: Disk;
  promised: Promised;
  trace: Trace;
}

/** Changes how the next process works with its files. */
export type Wrap = (fs: HostFs) => HostFs;

/**
 * Starts the engine on what a process left, lets it recover, work and stop, and has the power cut at
 * any moment of that. What it showed when it was ready counts as promised, as all else.
 *
 * @param limit how many states are added to the tally, at most
 */
export async function exploreRestart(
  { disk, promised, trace }: Ending,
  tally: Tally,
  options: { random: Random; limit: number; wrap?: Wrap },
): Promise<void> {
  const { random, limit, wrap = (fs) => fs } = options;
  const snapshot = copySnapshot(seen(disk));
  try {
    const next = await restart(snapshot, { promised, trace, random, wrap });
    await explore(next, tally, {
      random,
      density: 1,
      rounds: 2,
      limit: tally.states.size + limit,
      start: { disk: restarted(disk), promised },
    });
  } catch (error) {
    note(tally, hashOf(snapshot), `could not be started again: ${String(error)}`);
  }
}

/** Records the recovery of a folder, a transaction and a clean stop. */
async function restart(
  snapshot: Snapshot,
  options: { promised: Promised; trace: Trace; random: Random; wrap: Wrap },
): Promise<Trace> {
  const { promised, trace, random, wrap } = options;
  const events: TraceEvent[] = [];
  const { fs, now } = memoryFs(FOLDER, snapshot);
  const recorded = recordingFs({
    fs,
    folder: FOLDER,
    record: (call) => events.push(call),
    syncTurns: () => below(random, 3),
  });
  const { version } = promised;
  const live = openFolder(wrap(recorded), FOLDER, version);
  const { transaction, ...content } = read(live.connection);
  const damage = verdict({ transaction, ...content }, promised, trace.digests);
  if (damage !== undefined) throw new Error(damage);
  events.push({ kind: "ready", version, transaction });
  const next = transaction + 1;
  events.push({ kind: "begun", transaction: next });
  count(live.connection, next);
  await live.durable();
  events.push({ kind: "acknowledged", transaction: next });
  await live.close();
  const backup = now().get(BACKUP);
  return {
    events,
    digests: [...trace.digests.slice(0, next), content.digest],
    backups: [...trace.backups, ...(Buffer.isBuffer(backup) ? [backup] : [])],
  };
}
