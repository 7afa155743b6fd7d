import { setTimeout as sleep } from "node:timers/promises";
import { createAccount } from "./account.ts";
import { bundleProgram } from "./bundle.ts";
import { temporaryFolder } from "./folder.ts";
import { runClient } from "./linearizability/clients.ts";
import { type Experiment, readList } from "./linearizability/reads.ts";
import { findViolations } from "./linearizability/register.ts";
import { type RestartingServer, createRestartingServer } from "./linearizability/restarting.ts";
import { createSlot } from "./linearizability/slot.ts";
import { countDisagreements } from "./linearizability/snapshots.ts";
import type { Figure, Part, Size } from "./part.ts";
import { grouped } from "./statistics.ts";

interface Extent {
  operations: number;
  kills: number;
}

const sizes: Record<Size, Extent> = {
  full: { operations: 50_000, kills: 50 },
  ci: { operations: 2000, kills: 4 },
};

const clients = 16;

/** Clients that read what others write, with kills in between: each sees one history of all. */
export const linearizability: Part = {
  name: "linearizability",
  title: `${clients} clients on shared todos, with kill -9 in between`,
  untimed: true,
  async run(size, tell) {
    using folder = temporaryFolder();
    using program = await bundleProgram();
    const options = { folder: folder.path, main: program.main };
    await using server = createRestartingServer(options);
    const { key } = await createAccount((await server.current()).http);
    const experiment = await experimentOn(server, key, sizes[size], tell);
    return figures(experiment, sizes[size], tell);
  },
};

/**
 * Lets clients use a server with a user's key.
 *
 * @returns what they saw, for `judge`
 */
export async function experimentOn(
  server: RestartingServer,
  key: string,
  extent: Extent,
  tell: (line: string) => void,
): Promise<Experiment> {
  const slots = Array.from({ length: clients }, (_, number) => createSlot(number));
  const counts = { operations: 0, happened: 0, absent: 0 };
  const experiment: Experiment = { server, key, slots, snapshots: [], wrong: [], ...counts };
  const isOver = () => experiment.operations >= extent.operations;
  const running = Promise.all(slots.map((slot) => runClient(experiment, slot, isOver)));
  await Promise.all([running, killRepeatedly(experiment, extent, tell)]);
  await readList(experiment, (await server.current()).http);
  return experiment;
}

/** What contradicts a single history of all that was done. */
export function judge({ slots, snapshots }: Experiment) {
  return {
    violations: slots.flatMap(({ history }) => findViolations(history)),
    disagreements: countDisagreements(snapshots),
  };
}

/** The last kill is after the last request has been sent; after it, all is found out. */
async function killRepeatedly(
  experiment: Experiment,
  { operations, kills }: Extent,
  tell: (line: string) => void,
): Promise<void> {
  for (let count = 1; count <= kills; count += 1) {
    while (experiment.operations < (operations * count) / kills) await sleep(1);
    await experiment.server.killAndRestart();
    if (count % 10 === 0) tell(`${count} kills, ${grouped(experiment.operations)} operations`);
  }
}

function figures(
  experiment: Experiment,
  { kills }: Extent,
  tell: (line: string) => void,
): Figure[] {
  const { slots, snapshots, operations, wrong, happened, absent } = experiment;
  const { violations, disagreements } = judge(experiment);
  for (const line of [...wrong, ...violations].slice(0, 20)) tell(line);
  const reads = slots.reduce((sum, { history }) => sum + history.reads.length, 0);
  const none = (what: string, count: number) => ({
    what,
    value: grouped(count),
    bar: "0",
    ok: count === 0,
  });
  return [
    {
      what: "operations; kills; writes under way then (of which had happened)",
      value: `${grouped(operations)}; ${kills}; ${grouped(happened + absent)} (${grouped(happened)})`,
      bar: "for comparison",
      ok: true,
    },
    none(`reads that no order explains, of ${grouped(reads)} views of a todo`, violations.length),
    none(`pairs of lists that disagree, of ${grouped(snapshots.length)} lists`, disagreements),
    none("answers that are wrong by themselves", wrong.length),
  ];
}
