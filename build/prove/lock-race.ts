import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { build } from "esbuild";

const RACERS = 6;

/** A holder is let be for up to so long, in milliseconds. */
const HOLD_MS = 30;

/** A race in which nobody wins for so long has come to an end, in milliseconds. */
const PATIENCE_MS = 30_000;

/** A machine on which a timer of this process is late by more is busy, in milliseconds. */
const BUSY_MS = 30;

/** What racers have in common. */
export interface Track {
  /** The bundled program of a racer; see {@link bundleRacer}. */
  program: string;
  /** Whose lock they race for. */
  folder: string;
  /** The file in which they testify. */
  testimony: string;
  /** A command to start them with, such as `unshare` with its flags. */
  prefix?: readonly string[];
}

/** A process that wants the lock. */
export interface Racer {
  /** When it got the lock, in nanoseconds of the monotonic clock. */
  held: Promise<bigint>;
  /** What it was told but that the lock is taken. */
  errors: string[];
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** As `kill -9`; settles when it is gone. */
  kill(): Promise<void>;
}

/** Bundles a racer into one file, because loading TypeScript takes longer than a race. */
export async function bundleRacer(folder: string): Promise<string> {
  const program = join(folder, "racer.mjs");
  await build({
    entryPoints: [new URL("lock-racer.ts", import.meta.url).pathname],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
  });
  return program;
}

let racers = 0;

export function startRacer({ program, folder, testimony, prefix = [] }: Track): Racer {
  const name = `racer-${racers++}`;
  const [command, ...args] = [...prefix, process.execPath, program, folder, testimony, name];
  const child = spawn(command, args, { stdio: ["pipe", "pipe", "inherit"] });
  child.stdin.on("error", () => {});
  const errors: string[] = [];
  // Its output ends with it, even when it is the child of another process that is killed.
  const closed = once(child, "close");
  const held = new Promise<bigint>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const [what, ...rest] = line.split(" ");
      if (what === "held") resolve(BigInt(rest[0]!));
      else errors.push(rest.join(" "));
    });
    void closed.then(() => reject(new Error("A racer ended by itself")));
  });
  held.catch(() => {});
  return {
    held,
    errors,
    signal: (signal) => void child.kill(signal),
    async kill() {
      child.kill("SIGKILL");
      await closed;
    },
  };
}

export interface Result {
  /** For each kill, how long nobody held the lock, in milliseconds; see {@link BUSY_MS}. */
  gapsMs: number[];
  /** The same for those during which the machine was busy: they say little about the lock. */
  busyGapsMs: number[];
  errors: string[];
}

/** Lets racers compete; in each round the holder is killed, and sometimes one of the others too. */
export async function race(track: Track, rounds: number): Promise<Result> {
  const running = Array.from({ length: RACERS }, () => startRacer(track));
  const result: Result = { gapsMs: [], busyGapsMs: [], errors: [] };
  let killed: bigint | undefined;
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();

  async function replace(racer: Racer): Promise<void> {
    running.splice(running.indexOf(racer), 1);
    await racer.kill();
    result.errors.push(...racer.errors);
    running.push(startRacer(track));
  }

  try {
    for (let round = 0; round < rounds; round++) {
      const { holder, since } = await nextHolder(running);
      if (killed !== undefined) {
        const gaps = delay.max / 1e6 > BUSY_MS ? result.busyGapsMs : result.gapsMs;
        gaps.push(Number(since - killed) / 1e6);
      }
      await sleep(HOLD_MS * Math.random());
      delay.reset();
      killed = process.hrtime.bigint();
      await replace(holder);
      if (round % 3 === 0) await replace(running[0]!);
    }
    return result;
  } finally {
    delay.disable();
    await Promise.all(running.map((racer) => racer.kill()));
  }
}

/** The racer that has the lock, as soon as one has. */
export async function nextHolder(
  running: readonly Racer[],
): Promise<{ holder: Racer; since: bigint }> {
  const patience = new AbortController();
  const found = running.map(async (holder) => ({ holder, since: await holder.held }));
  const late = sleep(PATIENCE_MS, undefined, { signal: patience.signal }).then(() => {
    throw new Error("Nobody gets the lock");
  });
  // Those who are killed instead of winning are waited for no more.
  for (const one of [...found, late]) one.catch(() => {});
  try {
    return await Promise.race([...found, late]);
  } finally {
    patience.abort();
  }
}

/** How often a process said that it holds the lock while another one did, and how many ever did. */
export function countOverlaps(testimony: string): { overlaps: number; holders: number } {
  const spans = new Map<string, { first: bigint; last: bigint }>();
  for (const line of readFileSync(testimony, "utf8").trim().split("\n")) {
    const [name = "", time = "0"] = line.split(" ");
    const span = spans.get(name);
    if (span) span.last = BigInt(time);
    else spans.set(name, { first: BigInt(time), last: BigInt(time) });
  }
  const inOrder = [...spans.values()].toSorted((a, b) => (a.first < b.first ? -1 : 1));
  const overlaps = inOrder.filter(({ first }, index) =>
    inOrder.slice(0, index).some(({ last }) => last >= first),
  );
  return { overlaps: overlaps.length, holders: spans.size };
}
