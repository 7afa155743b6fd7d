import { formatTimestamp } from "../../src/contract/time.ts";

const vocabulary =
  "rent milk call invoice garden backup train letter tax doctor paint key bicycle window report meeting flowers ticket printer coffee school bread phone lamp contract shelf photos river market library".split(
    " ",
  );
const yearStart = Date.UTC(2026, 0, 1);
const yearMs = 365 * 24 * 60 * 60 * 1000;

/** Values that look random and are the same in every run. */
export interface Chance {
  /** From 0 to below 1. */
  number: () => number;
  is: (probability: number) => boolean;
  pick: <T>(values: readonly T[]) => T;
  sample: <T>(values: readonly T[], count: number) => T[];
  uuid: () => string;
  /** Words of about so many characters. */
  words: (length: number) => string;
  date: () => string;
  time: () => string;
  /** A moment of the year 2026, from 0 (its start) to 1 (its end). */
  moment: (progress: number) => string;
}

/** The generator is mulberry32. */
export function createChance(seed: number): Chance {
  let state = seed;

  function number(): number {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  }
  const integer = (below: number) => Math.floor(number() * below);
  const pick = <T>(values: readonly T[]): T => values[integer(values.length)]!;
  const moment = (progress: number) => formatTimestamp(yearStart + Math.floor(progress * yearMs));
  const twoDigits = (value: number) => String(value).padStart(2, "0");

  return {
    number,
    is: (probability) => number() < probability,
    pick,
    sample: (values, count) =>
      values.length <= count ? [...values] : Array.from({ length: count }, () => pick(values)),
    uuid() {
      const hex = Array.from({ length: 4 }, () =>
        integer(2 ** 32)
          .toString(16)
          .padStart(8, "0"),
      ).join("");
      return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20)}`;
    },
    words(length) {
      let text = pick(vocabulary);
      while (text.length < length) text += ` ${pick(vocabulary)}`;
      return text;
    },
    date: () => moment(number()).slice(0, 10),
    time: () => `${twoDigits(integer(24))}:${twoDigits(integer(60))}`,
    moment,
  };
}
