/** Numbers from 0 up to 1. */
export type Random = () => number;

/** The same numbers again for the same seed: mulberry32. */
export function randomFrom(seed: number): Random {
  /* oxlint-disable no-bitwise -- that is how it is made */
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  /* oxlint-enable no-bitwise */
}

/** A whole number from 0 up to `count`. */
export function below(random: Random, count: number): number {
  return Math.floor(random() * count);
}

/** One of several. */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[below(random, items.length)];
  if (item === undefined) throw new RangeError("There is nothing to pick from");
  return item;
}
