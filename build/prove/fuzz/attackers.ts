import { json } from "node:stream/consumers";
import * as fc from "fast-check";
import { attack } from "./attack.ts";
import { attacks } from "./shapes.ts";

/** What this process is told on stdin. */
export interface Orders {
  url: string;
  /** Of a user: some attackers have an account. */
  key: string;
  seed: number;
  count: number;
}

/** What it writes to stdout, in an array: the statuses with which each attack was answered. */
export interface Outcome {
  name: string;
  statuses: number[];
}

/** So many at a time. */
const parallel = 8;

// A process of its own, so that the healthy client's times are the server's and not the attackers'.
const { url, key, seed, count } = (await json(process.stdin)) as Orders;
const waiting = fc.sample(attacks(key), { seed, numRuns: count });
const outcomes: Outcome[] = [];
async function work(): Promise<void> {
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    outcomes.push({ name: next.name, statuses: await attack(url, next) });
  }
}
await Promise.all(Array.from({ length: parallel }, work));
process.stdout.write(JSON.stringify(outcomes));
