/** When something was asked, and when its answer was there, on one clock. */
export interface Interval {
  start: number;
  end: number;
}

/** A write that took effect at one moment of its interval. */
export interface Write<Value> extends Interval {
  value: Value;
}

export interface Read<Value> extends Interval {
  /** Whether this is what was read when the register holds that value. */
  shows: (value: Value) => boolean;
  /** What was read, for a report. */
  text: string;
}

/** A register with one writer, who makes one write after the other: their order is known. */
export interface History<Value> {
  initial: Value;
  /** In their order. One without an answer stands here when it is known to have happened. */
  writes: Write<Value>[];
  reads: Read<Value>[];
}

/**
 * Checks that a register is linearizable (Herlihy and Wing, 1990): that each operation can have
 * happened at one moment of its interval. With one writer that is so exactly when each read can be
 * given one of the versions that it shows, none of which
 *
 * - was begun after the read had ended,
 * - is older than a version whose write had ended before the read began,
 * - is older than the one given to another read that had ended before this one began.
 *
 * Each read is given the oldest that is left, which leaves the most to those after it.
 *
 * @returns the reads for which none is left, as sentences
 */
export function findViolations<Value>({ initial, writes, reads }: History<Value>): string[] {
  const versions = [{ value: initial, start: -Infinity, end: -Infinity }, ...writes];
  const ending = reads.toSorted((a, b) => a.end - b.end);
  const given = new Map<Read<Value>, number>();
  const violations: string[] = [];
  let ended = 0;
  /** The version that a read must show at least, as others have written or shown it. */
  let oldest = 0;
  for (const read of reads.toSorted((a, b) => a.start - b.start)) {
    while (ending[ended]!.end < read.start) {
      oldest = Math.max(oldest, given.get(ending[ended]!) ?? 0);
      ended += 1;
    }
    while (oldest + 1 < versions.length && versions[oldest + 1]!.end < read.start) oldest += 1;
    let version = oldest;
    const isBegun = () => version < versions.length && versions[version]!.start <= read.end;
    while (isBegun() && !read.shows(versions[version]!.value)) version += 1;
    if (isBegun()) given.set(read, version);
    else violations.push(`${read.text} was read after ${JSON.stringify(versions[oldest]!.value)}`);
  }
  return violations;
}
