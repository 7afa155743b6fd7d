/** The value below which that part (0 to 1) of the values lies. */
export function quantile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}

export function median(values: readonly number[]): number {
  return quantile(values, 0.5);
}

/** A number as a figure shows it: `12,345`. */
export function grouped(value: number): string {
  return value.toLocaleString("en-GB", { maximumFractionDigits: 0 });
}
