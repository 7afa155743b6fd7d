import { spawn } from "node:child_process";
import { json } from "node:stream/consumers";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { openDatabase } from "../../src/storage/database.ts";
import { type Account, createAccount, post } from "./account.ts";
import { temporaryFolder } from "./folder.ts";
import type { Orders, Outcome } from "./fuzz/attackers.ts";
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

/** Attacks before the measurement: what everything needs once is no growth. */
const warmUp = 600;

/** The attacks come in so many rounds; the memory is looked at after each. */
const rounds = 4;

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
      await assail(server, { key: ada.key, seed, count: warmUp });
      const alone = await healthyDuring(server.http, ada, sleep(2000));
      const { memoryMiB: before } = await askProbe(server);
      const outcomes: Outcome[] = [];
      const beside = { times: [] as number[], wrong: 0 };
      let after = Infinity;
      for (let round = 1; round <= rounds; round += 1) {
        const orders = { key: ada.key, seed: seed + round, count: count / rounds };
        const under = assail(server, orders);
        const { times, wrong } = await healthyDuring(server.http, ada, under);
        outcomes.push(...(await under));
        beside.times.push(...times);
        beside.wrong += wrong;
        const { memoryMiB } = await askProbe(server);
        // What grows, grows on: the least of the second half shows it without the noise.
        if (round > rounds / 2) after = Math.min(after, memoryMiB);
      }
      figures.push(...answerFigures(outcomes, count));
      const slowest = quantile(beside.times, 0.99);
      figures.push(
        {
          what: "growth of the server's memory, once garbage is gone",
          value: `${grouped(after - before)} MiB (from ${grouped(before)}; at most ${grouped(server.peakMemory())} meanwhile)`,
          bar: `less than ${growthMiB} MiB`,
          ok: after - before < growthMiB,
          isNoisy: true,
        },
        {
          what: "healthy client meanwhile, median (p99); alone",
          value: `${shown(beside.times)}; ${shown(alone.times)}`,
          bar: `p99 at most ${p99} ms`,
          ok: slowest <= p99,
          isNoisy: true,
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

/** Lets so many attacks come from a process of their own. */
async function assail({ url }: ServerProcess, orders: Omit<Orders, "url">): Promise<Outcome[]> {
  const program = fileURLToPath(new URL("./fuzz/attackers.ts", import.meta.url));
  const stdio = ["pipe", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, ["--import", "tsx", program], { stdio: [...stdio] });
  child.stdin.end(JSON.stringify({ url, ...orders }));
  return (await json(child.stdout)) as Outcome[];
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
