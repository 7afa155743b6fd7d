import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { findRuntime } from "./runtime.ts";
import type { Server } from "./servers.ts";

/** What the client is to send. */
export interface Job {
  port: number;
  connections: number;
  /** For so long, in milliseconds, … */
  ms: number;
  /** … or so many. */
  count?: number;
  /** Whole HTTP requests, sent one after the other and again from the beginning. */
  requests: readonly string[];
}

/** What the client has measured; latencies are in milliseconds. */
export interface Load {
  requests: number;
  perSecond: number;
  p50: number;
  p99: number;
  p999: number;
}

/** A load with what it cost the server. */
export interface Measured extends Load {
  /** Processor time for each request, in microseconds; undefined where the system does not tell. */
  cpu: number | undefined;
}

let client: ChildProcess | undefined;

/** Started once, and kept warm; it ends with this process. */
function startClient(): ChildProcess {
  const started = spawn(findRuntime(), [join(import.meta.dirname, "load.ts")], {
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  started.unref();
  started.channel!.unref();
  return started;
}

/**
 * Puts a server under load, in a closed loop.
 *
 * @throws when it answers anything but success
 */
export async function measure(server: Server, job: Omit<Job, "port">): Promise<Measured> {
  client ??= startClient();
  client.channel!.ref();
  const before = server.cpu();
  client.send({ ...job, port: server.port } satisfies Job);
  const [answer] = (await once(client, "message")) as [Load | { error: string }];
  client.channel!.unref();
  if ("error" in answer) throw new Error(answer.error);
  const after = server.cpu();
  const cpu =
    before === undefined || after === undefined
      ? undefined
      : ((after - before) * 1000) / answer.requests;
  return { ...answer, cpu };
}
