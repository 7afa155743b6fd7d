import type { Load, Measured } from "./loader.ts";
import type { Figure, Settings } from "./section.ts";
import { median, ratiosOf } from "./statistics.ts";

/**
 * Takes each measurement in turn, again and again, so that whatever else goes on concerns all of
 * them alike; the first round only warms up.
 */
export async function inTurn<Name extends string, T>(
  { rounds }: Pick<Settings, "rounds">,
  measurements: Record<Name, () => Promise<T>>,
): Promise<Record<Name, T[]>> {
  const names = Object.keys(measurements) as Name[];
  const taken = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Name, T[]>;
  for (let round = 0; round <= rounds; round += 1) {
    // Whoever comes first has another neighbour each time.
    if (round % 2 === 1) names.reverse();
    for (const name of names) {
      const value = await measurements[name]();
      if (round > 0) taken[name].push(value);
    }
  }
  return taken;
}

type Compared = Pick<Figure, "work" | "unit" | "against" | "bar">;

/** What two series of values, measured in turn, come to. */
export function compare(
  what: Compared,
  values: readonly number[],
  others: readonly number[],
): Figure {
  return {
    ...what,
    value: median(values),
    other: median(others),
    ratio: ratiosOf(values, others),
  };
}

/** The same of one measure of two series of loads. */
export function compareLoads(
  what: Compared,
  measure: keyof Load,
  loads: readonly Measured[],
  others: readonly Measured[],
): Figure {
  const figure = compare(
    what,
    loads.map((load) => load[measure]),
    others.map((load) => load[measure]),
  );
  const costs = (all: readonly Measured[]) => all.map(({ cpu }) => cpu ?? Number.NaN);
  const cpuRatios: Partial<Record<keyof Load, number>> = {
    // More time is less speed.
    perSecond: ratiosOf(costs(others), costs(loads)).median,
    p50: ratiosOf(costs(loads), costs(others)).median,
  };
  const cpuRatio = cpuRatios[measure] ?? Number.NaN;
  return Number.isNaN(cpuRatio) ? figure : { ...figure, cpuRatio };
}
