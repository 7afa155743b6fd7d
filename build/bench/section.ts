import type { Spread } from "./statistics.ts";

/** What a measurement of the project is compared with. */
export interface Figure {
  /** What was done, such as `GET /todos/{id}, 32 connections`. */
  work: string;
  /** What was measured of it. */
  unit: "requests/s" | "ms" | "MiB";
  /** The project's median. */
  value: number;
  /** What it is compared with: a yardstick, or the project under other circumstances. */
  against: string;
  /** The other median. */
  other: number;
  /** Of values that were measured right after each other. */
  ratio: Spread;
  /** What the median ratio must be. */
  bar: { atLeast: number } | { atMost: number };
  /** The same ratio in processor time for each request, which a busy machine disturbs less. */
  cpuRatio?: number;
}

export interface Settings {
  /** How often each measurement is repeated. */
  rounds: number;
  /** How long one measurement takes, in milliseconds. */
  ms: number;
  /** A folder for the run, removed at its end. */
  folder: string;
  /** Says how far the work is. */
  tell: (line: string) => void;
}

/** A subject of the benchmark. */
export interface Section {
  /** What `npm run bench -- NAME` takes. */
  name: string;
  title: string;
  run: (settings: Settings) => Promise<Figure[]>;
}

/** Whether the median ratio meets the bar. */
export function meets({ ratio, bar }: Figure): boolean {
  return "atLeast" in bar ? ratio.median >= bar.atLeast : ratio.median <= bar.atMost;
}
