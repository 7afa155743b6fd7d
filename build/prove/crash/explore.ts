import { createHash } from "node:crypto";

import { advance, emptyDisk, isSettled, type Disk } from "./disk.ts";
import { judge, type Found } from "./judge.ts";
import { losses, type Loss } from "./losses.ts";
import type { Snapshot } from "./memory-fs.ts";
import type { Random } from "./random.ts";
import { BACKUP, nothingPromised, promisedAfter, type Promised, type Trace } from "./trace.ts";

/** What was found in the states of a folder. */
export interface Tally {
  /** What the engine made of each, by the hash of the folder's content. */
  states: Map<string, Found>;
  /** The hashes of those in which a promise was broken. */
  bad: Set<string>;
  /** The first of them, in words. */
  examples: string[];
}

const MAX_EXAMPLES = 3;

export function emptyTally(): Tally {
  return { states: new Map(), bad: new Set(), examples: [] };
}

/** Where a trace begins. */
export interface Start {
  disk: Disk;
  promised: Promised;
}

/** A state that was opened for the first time. */
export interface NewState {
  snapshot: Snapshot;
  promised: Promised;
  found: Found;
}

/**
 * Follows a trace, and has the power cut again and again, in every way that is known.
 *
 * @param density the share of the plain writes after which it is cut; after all else it always is
 * @param rounds how often each kind of random loss is tried at such a moment
 * @param limit ends the exploration when the tally has so many states
 * @param maxBad ends it when so many of them are bad
 * @param observe is told of every new state
 * @param start what was before; the disk is changed. An empty folder when not given
 */
export async function explore(
  trace: Trace,
  tally: Tally,
  options: {
    random: Random;
    density: number;
    rounds: number;
    limit: number;
    maxBad?: number;
    observe?: (state: NewState) => void;
    start?: Start;
  },
): Promise<void> {
  const { random, density, rounds, limit, maxBad = Infinity, observe = () => {} } = options;
  const { start = { disk: emptyDisk(), promised: nothingPromised } } = options;
  const { disk } = start;
  let { promised } = start;
  for (const [index, event] of trace.events.entries()) {
    advance(disk, event);
    promised = promisedAfter(promised, event);
    if (event.kind === "close" || event.kind === "begun") continue;
    if (event.kind === "write" && random() >= density) continue;
    for (const { loss, snapshot } of cuts(disk, random, rounds)) {
      if (tally.states.size >= limit || tally.bad.size >= maxBad) return;
      const hash = hashOf(snapshot);
      let found = tally.states.get(hash);
      if (!found) {
        found = await judge(snapshot, promised.version);
        tally.states.set(hash, found);
        observe({ snapshot, promised, found });
      }
      const damage =
        verdict(found, promised, trace.digests) ?? backupDamage(snapshot, promised, trace.backups);
      if (damage !== undefined) note(tally, hash, `event ${index}, ${loss}: ${damage}`);
    }
  }
}

/** Counts a state as bad, and keeps the first few in words. */
export function note(tally: Tally, hash: string, damage: string): void {
  if (!tally.bad.has(hash) && tally.bad.size < MAX_EXAMPLES) tally.examples.push(damage);
  tally.bad.add(hash);
}

/** States that a crash at this moment can leave. */
export function* cuts(
  disk: Disk,
  random: Random,
  rounds: number,
): Generator<{ loss: Loss["name"]; snapshot: Snapshot }> {
  const isLossless = isSettled(disk);
  for (const loss of losses) {
    const times = loss.isRandom ? rounds : 1;
    for (let time = 0; time < times; time++) {
      const snapshot = loss.leave(disk, random);
      if (snapshot) yield { loss: loss.name, snapshot };
    }
    // All the others would leave the same.
    if (isLossless) return;
  }
}

/**
 * Whether what was found keeps what was promised: the content is exactly that after one of the
 * transactions, which is not older than the last acknowledged.
 *
 * @returns what is wrong with it
 */
export function verdict(
  found: Found,
  { acknowledged, begun }: Promised,
  digests: readonly string[],
): string | undefined {
  if ("damage" in found) return found.damage;
  const { transaction } = found;
  if (transaction < acknowledged) {
    return `transaction ${acknowledged} was acknowledged, but only those up to ${transaction} are there`;
  }
  if (transaction > begun) return `transaction ${transaction} is there, but was never begun`;
  if (digests[transaction] === found.digest) return undefined;
  return `the content is not that after transaction ${transaction}`;
}

/** What stands for the content of a folder. */
export function hashOf(snapshot: Snapshot): string {
  const entries = [...snapshot].map(
    ([name, content]) => `${name} ${content === "folder" ? content : hashOfFile(content)}\n`,
  );
  return createHash("sha1").update(entries.toSorted().join("")).digest("base64");
}

/** By the buffers themselves: most files are the same from one state to the next. */
const fileHashes = new WeakMap<Buffer, string>();

function hashOfFile(content: Buffer): string {
  const known = fileHashes.get(content);
  if (known !== undefined) return known;
  const hash = createHash("sha1").update(content).digest("base64");
  fileHashes.set(content, hash);
  return hash;
}

/** The backup that a schema's change leaves is there as a whole, or not yet. */
function backupDamage(
  snapshot: Snapshot,
  promised: Promised,
  expected: readonly Buffer[],
): string | undefined {
  const backup = snapshot.get(BACKUP);
  if (backup === undefined) return promised.backup ? `${BACKUP} is missing` : undefined;
  if (backup !== "folder" && expected.some((whole) => whole.equals(backup))) return undefined;
  return `${BACKUP} is not whole`;
}
