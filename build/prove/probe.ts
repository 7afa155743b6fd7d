import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { ServerProcess } from "./server-process.ts";

/** What a server preloads so that it can be asked. */
export const probe = fileURLToPath(new URL("./probe.mjs", import.meta.url));

export interface Report {
  /** The longest delay of the event loop since the last report, in milliseconds. */
  longestMs: number;
  /** The part of the time since then in which the event loop was busy, 0 to 1. */
  utilization: number;
  /** The memory in use (resident set) once garbage is gone, in MiB. */
  memoryMiB: number;
}

/** Asks a server that was started with the probe. */
export async function askProbe({ pid, output, ended }: ServerProcess): Promise<Report> {
  const reports = () => output().match(/(?<=^probe ).*$/gm) ?? [];
  const count = reports().length;
  let hasEnded = false;
  void ended.then(() => (hasEnded = true));
  process.kill(pid, "SIGUSR2");
  while (reports().length === count) {
    if (hasEnded) throw new Error(`The server has ended: ${output()}`);
    await sleep(5);
  }
  return JSON.parse(reports().at(-1)!) as Report;
}
