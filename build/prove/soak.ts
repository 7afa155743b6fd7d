import { statSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { LOG } from "../../src/storage/file-names.ts";
import { bundleProgram } from "./bundle.ts";
import { temporaryFolder } from "./folder.ts";
import { type Person, createPerson } from "./load/person.ts";
import type { Figure, Part, Size } from "./part.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { grouped, median } from "./statistics.ts";

const minute = 60_000;

/**
 * For how long, when the first window begins over which memory is taken, how long that and the last
 * window are, and how much of the first the last may have more: in a short run the caches fill only.
 */
const sizes: Record<Size, { ms: number; settledMs: number; windowMs: number; percent: number }> = {
  full: { ms: 30 * minute, settledMs: 5 * minute, windowMs: 5 * minute, percent: 10 },
  ci: { ms: 30_000, settledMs: 10_000, windowMs: 10_000, percent: 50 },
};

/** Each has an account of their own. */
const people = 8;

/** Of all together; moderate, as other parts run meanwhile. */
const requestsPerSecond = 200;

const logLimitMiB = 16;

/** Small enough to be full soon: what grows after that is not the page cache. */
const cacheMiB = 4;

/** Use for a long time: the log and the memory stay as small as they were, and answers right. */
export const soak: Part = {
  name: "soak",
  title: `mixed load, ${requestsPerSecond} requests/s`,
  beside: true,
  async run(size, tell) {
    const { ms } = sizes[size];
    using folder = temporaryFolder();
    using program = await bundleProgram();
    const options = { folder: folder.path, main: program.main, flags: ["--cache", `${cacheMiB}`] };
    await using server = await startServerProcess(options);
    const numbers = Array.from({ length: people }, (_, number) => number);
    const all = await Promise.all(numbers.map((number) => createPerson(server.http, number)));
    const tally = { requests: 0, wrong: 0, largestLog: 0, memory: [] as Sample[] };
    const end = performance.now() + ms;
    const note = (wrong: string | undefined) => {
      tally.requests += 1;
      if (wrong === undefined) return;
      tally.wrong += 1;
      tell(wrong);
    };
    const acting = all.map((person) => actUntil(end, person, note));
    await Promise.all([...acting, sampleUntil(end, server, join(folder.path, LOG), tally)]);
    const differences = await Promise.all(all.map((person) => person.differences()));
    const different = differences.reduce((sum, count) => sum + count, 0);
    const { code } = await server.end("SIGTERM");
    return figures({ ...tally, different, code }, size);
  },
};

/** Keeps to the pace; what the machine made late is not made up for. */
async function actUntil(
  end: number,
  person: Person,
  note: (wrong: string | undefined) => void,
): Promise<void> {
  const interval = (people * 1000) / requestsPerSecond;
  for (
    let next = performance.now();
    next < end;
    next = Math.max(next + interval, performance.now())
  ) {
    await sleep(next - performance.now());
    note(await person.act());
  }
}

interface Sample {
  /** Milliseconds from the beginning. */
  at: number;
  memory: number;
}

interface Tally {
  requests: number;
  wrong: number;
  /** In bytes. */
  largestLog: number;
  memory: Sample[];
}

async function sampleUntil(
  end: number,
  server: ServerProcess,
  log: string,
  tally: Tally,
): Promise<void> {
  const start = performance.now();
  for (let count = 0; performance.now() < end; count += 1) {
    tally.largestLog = Math.max(tally.largestLog, statSync(log).size);
    const at = performance.now() - start;
    if (count % 10 === 0) tally.memory.push({ at, memory: server.memory() });
    await sleep(100);
  }
}

function figures(tally: Tally & { different: number; code: number | null }, size: Size): Figure[] {
  const { requests, wrong, largestLog, different, code } = tally;
  const { ms, settledMs, windowMs, percent } = sizes[size];
  const during = (from: number) =>
    median(
      tally.memory
        .filter(({ at }) => at >= from && at < from + windowMs)
        .map(({ memory }) => memory),
    );
  const first = during(settledMs);
  const last = during(ms - windowMs);
  const growth = (last / first - 1) * 100;
  const logMiB = largestLog / 2 ** 20;
  const seconds = ms / 1000;
  return [
    {
      what: `wrong answers, of ${grouped(requests)} in ${grouped(seconds)} s`,
      value: grouped(wrong),
      bar: "0",
      ok: wrong === 0,
    },
    {
      what: "records that are not as acknowledged at the end",
      value: grouped(different),
      bar: "0",
      ok: different === 0,
    },
    {
      what: "largest size of the write-ahead log",
      value: `${logMiB.toFixed(1)} MiB`,
      bar: `at most ${logLimitMiB} MiB`,
      ok: logMiB <= logLimitMiB,
    },
    {
      what: `growth of memory after the first ${grouped(settledMs / 1000)} s, with a page cache of ${cacheMiB} MiB`,
      value: `${growth.toFixed(1)} % (from ${grouped(first)} MiB to ${grouped(last)} MiB)`,
      bar: `below ${percent} %`,
      ok: growth < percent,
      isNoisy: true,
    },
    {
      what: "exit code of the server, asked to stop afterwards",
      value: String(code),
      bar: "0",
      ok: code === 0,
    },
  ];
}
