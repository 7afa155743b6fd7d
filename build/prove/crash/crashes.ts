import { controls } from "./controls.ts";
import { emptyTally, explore, type NewState } from "./explore.ts";
import { copySnapshot } from "./memory-fs.ts";
import { judgeNatively } from "./native.ts";
import { randomFrom } from "./random.ts";
import type { Result, Task } from "./tasks.ts";
import { recordTrace } from "./workload.ts";

/** Which of the states the sqlite3 command opens too. */
const NATIVE_SHARE = 0.03;

/** Records a run of the engine, and looks at what a crash at any moment of it leaves. */
export async function exploreCrashes(task: Task): Promise<Result> {
  const { seed, limit, maxBad = Infinity, extent, control } = task;
  const recorded = await recordTrace(seed, extent);
  const breakRule = controls.find(({ name }) => name === control)?.breakRule;
  const trace = breakRule ? breakRule(recorded) : recorded;
  const random = randomFrom(seed);
  const sample: NewState[] = [];
  const tally = emptyTally();
  await explore(trace, tally, {
    random,
    limit,
    maxBad,
    // Long runs of pages say little more than a few of them.
    density: extent.isLarge ? 0.02 : 0.3,
    rounds: 1,
    observe: (state) => {
      if (control || random() >= NATIVE_SHARE) return;
      // The bytes are the model's, which goes on.
      sample.push({ ...state, snapshot: copySnapshot(state.snapshot) });
    },
  });
  const native = judgeNatively(sample, trace.digests);
  return {
    task,
    hashes: [...tally.states.keys()],
    bad: tally.bad.size,
    examples: [...tally.examples, ...native.damages.slice(0, 3)],
    native: { count: native.count, bad: native.damages.length },
  };
}
