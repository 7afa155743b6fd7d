/** The value below which that share (0 to 1) of the values lies; NaN of no values. */
export function quantile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  const position = (sorted.length - 1) * share;
  const below = sorted[Math.floor(position)] ?? Number.NaN;
  const above = sorted[Math.ceil(position)] ?? Number.NaN;
  return below + (above - below) * (position - Math.floor(position));
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** A median and how far the values lie apart. */
export interface Spread {
  median: number;
  low: number;
  high: number;
}

/** The ratios of values that were measured right after each other, pair by pair. */
export function ratiosOf(values: readonly number[], others: readonly number[]): Spread {
  const ratios = values.map((value, round) => value / others[round]!);
  return { median: median(ratios), low: Math.min(...ratios), high: Math.max(...ratios) };
}
