import type { Figure } from "../part.ts";
import { inProcesses } from "./pool.ts";
import type { Result, Task } from "./tasks.ts";
import type { Extent } from "./workload.ts";

/** What tasks found, together. */
export interface Survey {
  /** Unique states, over all tasks. */
  states: number;
  bad: number;
  native: { count: number; bad: number };
}

const small: Extent = { steps: 25, isLarge: false };
/** Its states take several times as long. */
const large: Extent = { steps: 4, isLarge: true };

/** One task in so many has a log that is checkpointed because of its size. */
const LARGE_EVERY = 8;

/**
 * Has processes look at states until there are enough.
 *
 * @param limits how many states a task looks at, with a small log and with a large one
 * @param wanted how many unique states there must be at least
 */
export async function survey(
  part: Task["part"],
  wanted: number,
  limits: { small: number; large: number },
  tell: (line: string) => void,
): Promise<Survey> {
  const hashes = new Set<string>();
  const found: Survey = { states: 0, bad: 0, native: { count: 0, bad: 0 } };
  let seed = 0;
  function nextTask(): Task | undefined {
    if (hashes.size >= wanted) return undefined;
    const isLarge = seed++ % LARGE_EVERY === 1;
    return isLarge
      ? { part, seed, extent: large, limit: limits.large }
      : { part, seed, extent: small, limit: limits.small };
  }
  function take({ task, bad, native, ...result }: Result): void {
    for (const hash of result.hashes) hashes.add(hash);
    found.bad += bad;
    found.native.count += native.count;
    found.native.bad += native.bad;
    tell(`seed ${task.seed}: ${result.hashes.length} states, ${bad} bad; ${hashes.size} so far`);
    for (const example of result.examples) tell(`seed ${task.seed}, ${example}`);
  }
  await inProcesses(nextTask, take);
  return { ...found, states: hashes.size };
}

/** How many bad states a negative control must find. */
const ENOUGH_BAD = 50;

/** Breaks each rule in turn: what the proof looks for must then be there. */
export async function surveyControls(
  part: Task["part"],
  names: readonly string[],
  limit: number,
): Promise<Figure[]> {
  const found = new Map(names.map((name) => [name, { states: 0, bad: 0 }]));
  const seeds = new Map(names.map((name) => [name, 0]));
  const isFound = (name: string): boolean => found.get(name)!.bad >= ENOUGH_BAD;
  const maxSeeds = 20;
  function nextTask(): Task | undefined {
    const control = names
      .filter((name) => !isFound(name) && seeds.get(name)! < maxSeeds)
      .toSorted((one, other) => seeds.get(one)! - seeds.get(other)!)[0];
    if (control === undefined) return undefined;
    const seed = seeds.get(control)! + 1;
    seeds.set(control, seed);
    return { part, seed, extent: small, limit, control };
  }
  function take({ task, hashes, bad }: Result): void {
    const sum = found.get(task.control!)!;
    sum.states += hashes.length;
    sum.bad += bad;
  }
  await inProcesses(nextTask, take);
  return names.map((name) => {
    const { states, bad } = found.get(name)!;
    return {
      what: `control: ${name}`,
      value: `${bad} bad of ${states}`,
      bar: `at least ${ENOUGH_BAD} bad`,
      ok: bad >= ENOUGH_BAD,
    };
  });
}
