import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";

/** A command, and the environment that it is given besides PATH. */
export interface Command {
  words: readonly [string, ...string[]];
  env?: Record<string, string>;
}

function start({ words: [program, ...args], env = {} }: Command): ChildProcess {
  const { PATH = "" } = process.env;
  return spawn(program, args, { env: { PATH, ...env }, stdio: ["ignore", "pipe", "inherit"] });
}

/**
 * Milliseconds from the start of a command to its end.
 *
 * @throws Error when it fails
 */
export async function timeOf(command: Command): Promise<number> {
  const started = performance.now();
  const child = start(command);
  child.stdout!.resume();
  const [code] = (await once(child, "close")) as [number | null];
  if (code !== 0) throw new Error(`${command.words.join(" ")} failed with ${code}.`);
  return performance.now() - started;
}

/** A server that runs, with the milliseconds that it took to say so. */
export interface Server extends AsyncDisposable {
  url: string;
  readyMs: number;
  /** Its memory now, in bytes. */
  memory(): number;
}

/** Starts a server and waits until it says where it serves. */
export async function startServer(command: Command): Promise<Server> {
  const started = performance.now();
  const child = start(command);
  const ended = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    let shown = "";
    child.stdout!.on("data", (part: Buffer) => {
      shown += part.toString();
      const found = /serving (\S+) from/.exec(shown)?.[1];
      if (found !== undefined) resolve(found);
    });
    ended.then(() => reject(new Error("The server ended at once.")), reject);
  });
  const readyMs = performance.now() - started;
  return {
    url,
    readyMs,
    memory: () => memoryOf(child.pid!),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}

/** The memory that a process holds, in bytes. */
export function memoryOf(pid: number): number {
  const [, kibibytes] = /^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))!;
  return Number(kibibytes) * 1024;
}

/** The middle one; a mean would follow the few that the machine disturbed. */
export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;
}
