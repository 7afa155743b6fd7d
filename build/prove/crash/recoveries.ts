import { advance, diskOf, emptyDisk } from "./disk.ts";
import { emptyTally } from "./explore.ts";
import { losses } from "./losses.ts";
import { copySnapshot } from "./memory-fs.ts";
import { pick, randomFrom } from "./random.ts";
import { exploreRestart } from "./restart.ts";
import type { Result, Task } from "./tasks.ts";
import { nothingPromised, promisedAfter } from "./trace.ts";
import { recordTrace } from "./workload.ts";

/** At how many of a run's moments it is crashed, about. */
const CRASHES = 60;

/**
 * Crashes a run of the engine, and then the recovery from that. After a kill, what the first
 * process had not synced is still on its way; after a power cut it is lost or kept for good.
 */
export async function exploreRecoveries(task: Task): Promise<Result> {
  const { seed, limit, extent } = task;
  const trace = await recordTrace(seed, extent);
  const random = randomFrom(seed);
  const tally = emptyTally();
  const disk = emptyDisk();
  let promised = nothingPromised;
  for (const event of trace.events) {
    advance(disk, event);
    promised = promisedAfter(promised, event);
    if (random() >= CRASHES / trace.events.length) continue;
    const left = pick(random, losses).leave(disk, random);
    const crashed = left && random() < 0.7 ? diskOf(copySnapshot(left)) : disk;
    const most = Math.min(limit - tally.states.size, Math.ceil((limit / CRASHES) * 2));
    await exploreRestart({ disk: crashed, promised, trace }, tally, { random, limit: most });
    if (tally.states.size >= limit) break;
  }
  return {
    task,
    hashes: [...tally.states.keys()],
    bad: tally.bad.size,
    examples: tally.examples,
    native: { count: 0, bad: 0 },
  };
}
