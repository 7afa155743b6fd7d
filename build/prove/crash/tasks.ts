import type { Extent } from "./workload.ts";

/** A share of the work, for a process of its own. The same task always has the same result. */
export interface Task {
  part: "crash" | "recovery" | "failed-sync";
  seed: number;
  /** How many states it looks at. */
  limit: number;
  /** Ends it when so many of them are bad; never, when not given. */
  maxBad?: number;
  /** How much the engine does. */
  extent: Extent;
  /** The name of the rule that is broken on purpose. */
  control?: string;
}

export interface Result {
  task: Task;
  /** Of every state, by its content. */
  hashes: string[];
  bad: number;
  /** Some of the bad ones, in words. */
  examples: string[];
  /** States that the sqlite3 command opened too, and those that it found bad. */
  native: { count: number; bad: number };
}
