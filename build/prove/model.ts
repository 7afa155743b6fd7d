import * as fc from "fast-check";
import { allRoutes } from "../../src/contract/routes.ts";
import { temporaryFolder } from "./folder.ts";
import { Difference, type Tally, createTally, runSteps } from "./model/run.ts";
import { anyStep } from "./model/steps.ts";
import type { Figure, Part, Size } from "./part.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { grouped } from "./statistics.ts";

const requests: Record<Size, number> = { full: 100_000, ci: 5_000 };

/** So many at once, each with users of its own: the server commits for all of them together. */
const parallel = 8;

/** What a long run must have been refused with. */
const refusals = [400, 401, 403, 404, 405, 409, 413, 422];

/** Random requests to the real server, each answer compared with a model of the whole API. */
export const model: Part = {
  name: "model",
  title: "the API against a model of its contract",
  untimed: true,
  async run(size, tell) {
    const seed = Number(process.env["TODO_PROVE_SEED"] ?? Date.now() % 2 ** 31);
    tell(`TODO_PROVE_SEED=${seed} repeats this`);
    using folder = temporaryFolder();
    await using server = await startServerProcess({ folder: folder.path });
    const tally = createTally();
    const differences = await compareAll(server, tally, { seed, goal: requests[size] }, tell);
    return figures(tally, differences, requests[size]);
  },
};

export interface Comparison {
  seed: number;
  /** How many requests to send. */
  goal: number;
  /** How long a counter-example is made smaller, in milliseconds. */
  shrinkMs?: number;
}

/**
 * Sends about `goal` requests, in runs with users of their own.
 *
 * @returns how many runs found a difference; each was told, as small as it could be made
 */
export async function compareAll(
  { http }: Pick<ServerProcess, "http">,
  tally: Tally,
  { seed, goal, shrinkMs = 60_000 }: Comparison,
  tell: (line: string) => void,
): Promise<number> {
  const steps = fc.array(anyStep, { maxLength: 600, size: "max" });
  let rounds = 0;
  let differences = 0;
  /** The round whose steps are being made fewer; the others give up, since it has what they have. */
  let failing: number | undefined;
  const isEnough = () => tally.requests >= goal && failing === undefined;
  const isOver = () => isEnough() || failing !== undefined;
  async function work(): Promise<void> {
    while (!isOver()) {
      rounds += 1;
      const round = rounds;
      const property = fc.asyncProperty(steps, async (some) => {
        if (failing !== undefined && failing !== round) return;
        await runSteps(http, tally, some, isEnough).catch((error: unknown) => {
          failing ??= round;
          if (failing === round) throw error;
        });
      });
      const options = { seed: seed + round, numRuns: 1, plugins: [fc.unbiased()] };
      const started = Date.now();
      const first = await fc.check(property, { ...options, endOnFailure: true });
      if (!first.failed) continue;
      differences += 1;
      // Once more, now with time to find out which steps it needs.
      const patience = fc.interruptAfterTimeLimit(Date.now() - started + shrinkMs);
      const again = await fc.check(property, { ...options, plugins: [fc.unbiased(), patience] });
      const smallest = again.errorInstance instanceof Difference ? again : first;
      tell(`${smallest.numShrinks} times smaller: ${String(smallest.errorInstance)}`);
    }
  }
  await Promise.all(Array.from({ length: parallel }, work));
  return differences;
}

function figures(tally: Tally, differences: number, goal: number): Figure[] {
  const { succeeded, statuses, serverErrors, brokenEnvelopes } = tally;
  const operations = allRoutes().map(({ route }) => `${route.method} ${route.path}`);
  const missing = operations.filter((operation) => !succeeded.has(operation));
  // A short run meets most of it, by chance.
  const isLong = goal >= requests.full;
  const bar = (count: number) => ({ value: grouped(count), bar: "0", ok: count === 0 });
  const refused = [...statuses].filter(([status]) => status >= 400).map(([status]) => status);
  return [
    {
      what: "requests compared with the model",
      value: grouped(tally.requests),
      bar: `at least ${grouped(goal)}`,
      ok: tally.requests >= goal,
    },
    { what: "answers that differ from the model", ...bar(differences) },
    { what: "answers 5xx", ...bar(serverErrors) },
    { what: "answers without the contract's envelope", ...bar(brokenEnvelopes) },
    {
      what: "operations answered with success",
      value: `${operations.length - missing.length} of ${operations.length}`,
      bar: isLong ? "all" : "for comparison",
      ok: !isLong || missing.length === 0,
    },
    {
      what: "kinds of refusal met",
      value: refused.toSorted((a, b) => a - b).join(", "),
      bar: isLong ? `at least ${refusals.join(", ")}` : "for comparison",
      ok: !isLong || refusals.every((status) => refused.includes(status)),
    },
  ];
}
