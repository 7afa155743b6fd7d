import { spawnSync } from "node:child_process";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { temporaryFolder } from "./folder.ts";
import {
  bundleRacer,
  countOverlaps,
  nextHolder,
  race,
  startRacer,
  type Result,
  type Track,
} from "./lock-race.ts";
import type { Figure, Part, Size } from "./part.ts";

/** How much; a gate's machine may be busy with other things. */
const sizes: Record<Size, { rounds: number; stopMs: number; limitMs: number }> = {
  full: { rounds: 150, stopMs: 60_000, limitMs: 1000 },
  ci: { rounds: 12, stopMs: 3000, limitMs: 5000 },
};

/** A process and a network of its own, which ends with the command. */
const unshare = ["unshare", "--pid", "--net", "--fork", "--kill-child"];

/** Processes that race for a data folder, and are killed and stopped when they have it. */
export const lock: Part = {
  name: "lock",
  title: "one process for each data folder",
  async run(size, tell) {
    using folder = temporaryFolder();
    const program = await bundleRacer(folder.path);
    const { rounds, stopMs, limitMs } = sizes[size];

    function trackAt(name: string, prefix: readonly string[] = []): Track {
      const data = join(folder.path, name);
      mkdirSync(data, { recursive: true });
      const testimony = join(folder.path, `${name.slice(0, 20)}.testimony`);
      return { program, folder: data, testimony, prefix };
    }

    async function proveRaces(): Promise<Figure[]> {
      const long = Array.from({ length: 5 }, () => "a-long-name".repeat(5)).join("/");
      const figures: Figure[] = [];
      for (const [what, track] of [
        ["races", trackAt("plain")],
        ["races with a path too long for a socket", trackAt(long)],
        ["races in separate PID and network namespaces", trackAt("namespaces", unshare)],
      ] as const) {
        tell(`${what}: ${rounds} rounds`);
        if (track.prefix !== unshare || canUnshare()) {
          figures.push(...judge(what, track, await race(track, rounds), limitMs));
        } else {
          figures.push({ what, value: "not carried out", bar: "needs root", ok: true });
        }
      }
      return figures;
    }

    // The stopped process is waited for while the others race.
    const [races, stopped] = await Promise.all([
      proveRaces(),
      proveStopped(trackAt("stopped"), stopMs, limitMs),
    ]);
    return [...races, ...stopped];
  },
};

function canUnshare(): boolean {
  return spawnSync(unshare[0]!, [...unshare.slice(1), "true"]).status === 0;
}

/** A holder that is stopped for a while holds all the while, and until it is killed. */
async function proveStopped(track: Track, stopMs: number, limitMs: number): Promise<Figure[]> {
  const holder = startRacer(track);
  await holder.held;
  const others = [startRacer(track), startRacer(track)];
  try {
    holder.signal("SIGSTOP");
    await sleep(stopMs);
    holder.signal("SIGCONT");
    // Long enough for it to testify that it still holds.
    await sleep(100);
    const killed = process.hrtime.bigint();
    await holder.kill();
    const { since } = await nextHolder(others);
    const errors = [holder, ...others].flatMap((racer) => racer.errors);
    const gapsMs = [Number(since - killed) / 1e6];
    const result = { gapsMs, busyGapsMs: [], errors };
    return judge(`a holder stopped for ${stopMs / 1000} s`, track, result, limitMs);
  } finally {
    await Promise.all([holder, ...others].map((racer) => racer.kill()));
  }
}

function judge(what: string, track: Track, result: Result, limitMs: number): Figure[] {
  const { overlaps, holders } = countOverlaps(track.testimony);
  const { errors } = result;
  const gapsMs = result.gapsMs.toSorted((a, b) => a - b);
  const longestMs = gapsMs.at(-1) ?? 0;
  const medianMs = gapsMs[Math.floor(gapsMs.length / 2)] ?? 0;
  const busy = result.busyGapsMs;
  const others = `, without ${busy.length} kills on a busy machine (longest ${Math.max(0, ...busy).toFixed(0)} ms)`;
  return [
    {
      what: `${what}: two holders at once`,
      value: `${overlaps}, of ${holders} holders`,
      bar: "0",
      ok: overlaps === 0,
    },
    {
      what: `${what}: longest without a holder after a kill`,
      value: `${longestMs.toFixed(0)} ms in ${gapsMs.length} kills (median ${medianMs.toFixed(0)} ms)${busy.length > 0 ? others : ""}`,
      bar: `at most ${limitMs} ms`,
      ok: longestMs <= limitMs,
      isNoisy: true,
    },
    {
      what: `${what}: other errors than a refusal`,
      value: errors.length === 0 ? "0" : `${errors.length}, the first: ${errors[0]}`,
      bar: "0",
      ok: errors.length === 0,
    },
  ];
}
