import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { nodeFlags } from "../package/executable.ts";
import { bundle } from "./bundle.ts";
import { findRuntime } from "./runtime.ts";

/** A server in a process of its own. */
export interface Server {
  port: number;
  /** From the start of the process to its word that it serves, in milliseconds. */
  readyAfter: number;
  /** Processor time so far, in milliseconds; undefined where the system does not tell. */
  cpu: () => number | undefined;
  /** Memory that it occupies, in MiB; undefined where the system does not tell. */
  memory: () => number | undefined;
  [Symbol.asyncDispose]: () => Promise<void>;
}

const node = findRuntime();
let main: Promise<string> | undefined;

/**
 * The project on a data folder, as the executable runs it; nobody reads its log.
 *
 * @param syncMs how much longer each sync of the disk takes, in milliseconds; see `canSlowSyncs`
 */
export async function startProject(folder: string, syncMs = 0): Promise<Server> {
  const serve = ["serve", "--port", "0", "--data", folder];
  return startServer([...nodeFlags, await (main ??= bundle()), ...serve], syncMs);
}

/** The yardstick that answers prepared bytes; see limit.ts. */
export function startLimit(answers: string): Promise<Server> {
  return startServer([join(import.meta.dirname, "limit.ts"), answers]);
}

/** The yardstick that a user would write instead; see peer.ts. */
export function startPeer(database: string, syncMs = 0): Promise<Server> {
  return startServer([join(import.meta.dirname, "peer.ts"), database], syncMs);
}

/** Whether syncs can be made slower here: strace does it, which leaves all other calls alone. */
export function canSlowSyncs(): boolean {
  return spawnSync("strace", ["-V"], { stdio: "ignore" }).status === 0;
}

function slowerSyncs(ms: number): string[] {
  const syncs = "fsync,fdatasync";
  const delay = `inject=${syncs}:delay_exit=${ms * 1000}`;
  // -D: the process that is started is the server itself.
  return ["strace", ..."-D -f -qq --seccomp-bpf -o /dev/null -e".split(" "), syncs, "-e", delay];
}

/** Waits for the line in which a server says its URL. */
async function startServer(args: readonly string[], syncMs = 0): Promise<Server> {
  const started = performance.now();
  const [command = node, ...words] = [...(syncMs > 0 ? slowerSyncs(syncMs) : []), node, ...args];
  const child = spawn(command, words, { stdio: ["ignore", "pipe", "ignore"] });
  for await (const line of createInterface(child.stdout)) {
    const port = /http:\/\/[^:]+:(\d+)/.exec(line)?.[1];
    if (port === undefined) continue;
    return toServer(child, Number(port), performance.now() - started);
  }
  throw new Error(`It did not start: ${args.join(" ")}`);
}

function toServer(child: ChildProcess, port: number, readyAfter: number): Server {
  const exit = once(child, "exit");
  return {
    port,
    readyAfter,
    cpu: () => readCpu(child.pid!),
    memory: () => readMemory(child.pid!),
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await exit;
    },
  };
}

/** A clock tick of Linux's accounting, in milliseconds. */
const tickMs = 10;

function readCpu(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) * tickMs;
}

function readMemory(pid: number): number | undefined {
  if (process.platform !== "linux") return undefined;
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+)/.exec(status)![1]) / 1024;
}
