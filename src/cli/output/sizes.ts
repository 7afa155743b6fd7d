const units = ["bytes", "kB", "MB", "GB", "TB"];

/** A size as people read it, such as "1.2 MB"; powers of 1000, as of disks. */
export function formatSize(bytes: number): string {
  const power = Math.min(units.length - 1, Math.floor(Math.log10(Math.max(bytes, 1)) / 3));
  const value = bytes / 1000 ** power;
  return `${value.toFixed(power === 0 || value >= 100 ? 0 : 1)} ${units[power]!}`;
}

/** How many there are of something, such as "1 todo" and "2 todos". */
export function formatCount(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
