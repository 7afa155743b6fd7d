import type { Figure, Part } from "./part.ts";
import {
  failingSyncs,
  runFailingProcess,
  type FailedProcess,
  type FailingSync,
} from "./crash/failing-process.ts";
import { IN_PLACE } from "./crash/failed-syncs.ts";
import { survey, surveyControls } from "./crash/survey.ts";

const sizes = {
  full: { states: 10_000, small: 1000, large: 200, rounds: 4 },
  ci: { states: 1000, small: 300, large: 100, rounds: 1 },
};

const MAX_MILLISECONDS = 1000;

/** A sync that fails ends the process, and what the next one shows is on the disk for good. */
export const failedSync: Part = {
  name: "failed-sync",
  title: "syncs that fail, as Linux fails them",
  async run(size, tell) {
    const { states: wanted, rounds, ...limits } = sizes[size];
    const processes = await endings(rounds, tell);
    const { states, bad } = await survey("failed-sync", wanted, limits, tell);
    return [
      ...processes,
      {
        what: "unique states after a failed sync, a new start and a power cut",
        value: states.toLocaleString("en"),
        bar: `at least ${wanted.toLocaleString("en")}`,
        ok: states >= wanted,
      },
      { what: "bad states", value: String(bad), bar: "0", ok: bad === 0 },
      ...(await surveyControls("failed-sync", [IN_PLACE], limits.small)),
    ];
  },
};

/** A busy machine holds up any process; one that waits for something would be late each time. */
const ATTEMPTS = 3;

async function fastest(sync: FailingSync): Promise<FailedProcess> {
  let process = await runFailingProcess(sync);
  for (let attempt = 1; attempt < ATTEMPTS && isLate(process) && isSound(process); attempt++) {
    process = await runFailingProcess(sync);
  }
  return process;
}

const isLate = ({ milliseconds }: FailedProcess): boolean => milliseconds > MAX_MILLISECONDS;

/** It acknowledged nothing after the failure, and nothing that was not there at the next start. */
const isSound = ({ acknowledgedAfter, isWhole, saidWhy }: FailedProcess): boolean =>
  acknowledgedAfter === 0 && isWhole && saidWhy;

/** Real processes, of each of which one sync fails. */
async function endings(rounds: number, tell: (line: string) => void): Promise<Figure[]> {
  const ended = [];
  for (let round = 0; round < rounds; round++) {
    for (const sync of failingSyncs) {
      const process = await fastest(sync);
      tell(`${sync.join(" ")}: ${JSON.stringify(process)}`);
      ended.push(process);
    }
  }
  const slowest = Math.max(...ended.map(({ milliseconds }) => milliseconds));
  const after = ended.reduce((sum, { acknowledgedAfter }) => sum + acknowledgedAfter, 0);
  const sound = ended.filter(({ isWhole, saidWhy }) => isWhole && saidWhy).length;
  return [
    {
      what: `slowest end of ${ended.length} processes after a failed sync`,
      value: `${slowest} ms`,
      bar: `at most ${MAX_MILLISECONDS} ms`,
      ok: slowest <= MAX_MILLISECONDS,
      isNoisy: true,
    },
    { what: "acknowledged after it", value: String(after), bar: "0", ok: after === 0 },
    {
      what: "said why, and had all that was acknowledged at the next start",
      value: `${sound} of ${ended.length}`,
      bar: "all",
      ok: sound === ended.length,
    },
  ];
}
