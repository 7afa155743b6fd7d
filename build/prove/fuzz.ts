import { setTimeout as sleep } from "node:timers/promises";
import * as fc from "fast-check";
import { openDatabase } from "../../src/storage/database.ts";
import { type Account, createAccount, post } from "./account.ts";
import { temporaryFolder } from "./folder.ts";
import { attack } from "./fuzz/attack.ts";
import { type Attack, attacks } from "./fuzz/shapes.ts";
import type { Http } from "./http.ts";
import type { Figure, Part, Size } from "./part.ts";
import { askProbe, probe } from "./probe.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { grouped, median, quantile } from "./statistics.ts";

/** How many attacks, and how slow (p99, milliseconds) others may become; a gate's machine is busy. */
const sizes: Record<Size, { count: number; p99: number }> = {
  full: { count: 6000, p99: 200 },
  ci: { count: 500, p99: 1000 },
};

const attackers = 8;
const growthMiB = 50;

/** Bytes that are no proper HTTP, beside a client that wants nothing but its todos. */
export const fuzz: Part = {
  name: "fuzz",
  title: "hostile bytes beside a healthy client",
  async run(size, tell) {
    const seed = Number(process.env["TODO_PROVE_SEED"] ?? Date.now() % 2 ** 31);
    tell(`TODO_PROVE_SEED=${seed} repeats this`);
    const { count, p99 } = sizes[size];
    using folder = temporaryFolder();
    const figures: Figure[] = [];
    {
      await using server = await startServerProcess({ folder: folder.path, preload: probe });
      const ada = await createAccount(server.http);
      const all = fc.sample(attacks(ada.key), { seed, numRuns: count + count / 10 });
      // What everything needs once is no growth.
      await assail(server, all.slice(count));
      const alone = await healthyDuring(server.http, ada, sleep(2000));
      const before = (await askProbe(server)).memoryMiB;
      const under = assail(server, all.slice(0, count));
      const beside = await healthyDuring(server.http, ada, under);
      const after = (await askProbe(server)).memoryMiB;
      figures.push(...answerFigures(await under, count));
      const slowest = quantile(beside.times, 0.99);
      figures.push(
        {
          what: "growth of the server's memory, once garbage is gone",
          value: `${grouped(after - before)} MiB (from ${grouped(before)}; at most ${grouped(server.peakMemory())} meanwhile)`,
          bar: `less than ${growthMiB} MiB`,
          ok: after - before < growthMiB,
        },
        {
          what: "healthy client meanwhile, median (p99); alone",
          value: `${shown(beside.times)}; ${shown(alone.times)}`,
          bar: `p99 at most ${p99} ms`,
          ok: slowest <= p99,
        },
        {
          what: "wrong answers to the healthy client",
          value: `${beside.wrong} of ${grouped(beside.times.length)}`,
          bar: "0",
          ok: beside.wrong === 0,
        },
      );
      const { code } = await server.end("SIGTERM");
      figures.push({
        what: "exit code of the server, asked to stop afterwards",
        value: String(code),
        bar: "0",
        ok: code === 0,
      });
    }
    const db = await openDatabase({ folder: folder.path });
    const integrity = JSON.stringify(db.get("PRAGMA integrity_check"));
    await db.close();
    const ok = integrity === '{"integrity_check":"ok"}';
    return [...figures, { what: "integrity of the database", value: integrity, bar: "ok", ok }];
  },
};

const shown = (times: number[]) =>
  `${median(times).toFixed(1)} ms (${quantile(times, 0.99).toFixed(1)} ms)`;

interface Outcome {
  name: string;
  statuses: number[];
}

/** Carries out the attacks, several at a time. */
async function assail({ url }: ServerProcess, all: readonly Attack[]): Promise<Outcome[]> {
  const waiting = [...all];
  const outcomes: Outcome[] = [];
  async function work(): Promise<void> {
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      outcomes.push({ name: next.name, statuses: await attack(url, next) });
    }
  }
  await Promise.all(Array.from({ length: attackers }, work));
  return outcomes;
}

function answerFigures(outcomes: readonly Outcome[], count: number): Figure[] {
  const failed = outcomes.filter(({ statuses }) => statuses.some((status) => status >= 500));
  const smuggled = outcomes.filter(
    ({ name, statuses }) => name.startsWith("smuggling") && statuses.length > 1,
  );
  const named = (some: readonly Outcome[]) =>
    [String(some.length), ...new Set(some.map(({ name }) => name))].join("; ");
  return [
    {
      what: "attacks carried out",
      value: grouped(outcomes.length),
      bar: grouped(count),
      ok: outcomes.length === count,
    },
    { what: "answered 5xx", value: named(failed), bar: "0", ok: failed.length === 0 },
    {
      what: "hidden requests that were answered",
      value: named(smuggled),
      bar: "0",
      ok: smuggled.length === 0,
    },
  ];
}

/** What a healthy client meets until the work is done: it writes a todo and reads it again. */
async function healthyDuring(http: Http, { key }: Account, work: Promise<unknown>) {
  const headers = { "x-api-key": key };
  const times: number[] = [];
  let wrong = 0;
  const until = { isDone: false };
  const done = work.finally(() => (until.isDone = true));
  async function timed<T>(action: Promise<T>): Promise<T> {
    const started = performance.now();
    const result = await action;
    times.push(performance.now() - started);
    return result;
  }
  for (let i = 0; !until.isDone; i += 1) {
    const title = `healthy ${i}`;
    const { status, data } = await timed(post(http, "/todos", { title }, headers));
    const { id } = data as { id: string };
    const target = `/api/v1/todos/${id}`;
    const { text } = await timed(http.send({ method: "GET", target, headers }));
    if (status !== 201 || !text.includes(`"title":"${title}"`)) wrong += 1;
    await sleep(5);
  }
  await done;
  return { times, wrong };
}
