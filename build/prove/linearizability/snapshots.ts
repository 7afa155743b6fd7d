import type { Interval } from "./register.ts";

/** A read of several registers at once: the number of the version that each showed. */
export interface Snapshot extends Interval {
  versions: ReadonlyMap<number, number>;
}

/**
 * Finds snapshots that cannot both have been taken at one moment each: of one register the first
 * shows what is newer, of another one the second. Those that follow each other are not compared:
 * register by register, that is done already.
 *
 * @returns how many pairs disagree
 */
export function countDisagreements(snapshots: readonly Snapshot[]): number {
  const sorted = snapshots.toSorted((a, b) => a.start - b.start);
  let count = 0;
  for (const [index, first] of sorted.entries()) {
    for (let other = index + 1; other < sorted.length; other += 1) {
      const second = sorted[other]!;
      if (second.start > first.end) break;
      if (disagree(first, second)) count += 1;
    }
  }
  return count;
}

function disagree(first: Snapshot, second: Snapshot): boolean {
  let isNewer = false;
  let isOlder = false;
  for (const [register, version] of first.versions) {
    const other = second.versions.get(register);
    if (other === undefined) continue;
    isNewer ||= version > other;
    isOlder ||= version < other;
  }
  return isNewer && isOlder;
}
