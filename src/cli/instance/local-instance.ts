import { setTimeout as sleep } from "node:timers/promises";
import type { H3 } from "h3";
import type { Fetch } from "../../client/client.ts";
import type { Instance } from "../../server/instance.ts";
import type { Flags } from "../flags.ts";
import { ownServerFetch } from "./own-server-fetch.ts";

/** A way to the API on a local data folder. */
export interface LocalInstance {
  /** The URL of the server that runs on the folder; undefined in process. */
  server?: string;
  fetch: Fetch;
  close(): Promise<void>;
}

/** Other commands hold the folder for a moment only. */
const patienceMs = 30_000;

/** The ways to a data folder. */
interface Ways<T> {
  /** At the server of that URL; undefined while it does not take us, as when it is stopping. */
  atServer: (url: string) => T | Promise<T | undefined>;
  inProcess: () => Promise<T>;
}

/**
 * Reaches the data folder: over HTTP when a server runs on it, else in process,
 * through the same app, without a port.
 *
 * @param tell is told what the user should know
 * @throws StorageError when the folder cannot be used
 */
export function openLocal(
  { data }: Pick<Flags, "data">,
  tell: (message: string) => void,
): Promise<LocalInstance> {
  return reach(data, {
    async atServer(server) {
      const fetch = await ownServerFetch(server, data);
      return { server, fetch, close: () => Promise.resolve() };
    },
    async inProcess() {
      const instance = await openFolder(data, tell);
      return { fetch: fetchOf(instance.app), close: () => instance.close() };
    },
  });
}

/**
 * Reaches the data folder by one of the ways, as soon as one is open.
 *
 * @throws StorageError when the folder cannot be used
 */
export async function reach<T>(folder: string, { atServer, inProcess }: Ways<T>): Promise<T> {
  const { findHolder } = await import("../../storage/lock.ts");
  const end = performance.now() + patienceMs;
  for (;;) {
    const holder = await findHolder(folder);
    const reached = holder?.url === undefined ? undefined : await atServer(holder.url);
    if (reached !== undefined) return reached;
    try {
      if (holder === undefined || performance.now() > end) return await inProcess();
    } catch (error) {
      if (!isLocked(error) || performance.now() > end) throw error;
    }
    await sleep(20 + Math.random() * 30);
  }
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "locked";
}

/**
 * The service on a data folder in this process.
 *
 * @param tell is told what the user should know
 */
export async function openFolder(
  folder: string,
  tell: (message: string) => void = () => {},
): Promise<Instance> {
  const { openInstance } = await import("../../server/instance.ts");
  const { createLog } = await import("../../server/log.ts");
  const silent = createLog({ format: "text", level: "silent", write: () => {}, now: Date.now });
  const log = { ...silent, info: (message: string) => tell(`${message}.`) };
  return openInstance({ folder, log });
}

/** An app's own answers, in process. */
export function fetchOf(app: Pick<H3, "fetch">): Fetch {
  return async (input, init = {}) => {
    const headers = [...(init.headers ?? [])];
    return app.fetch(new Request(input, { ...init, headers }));
  };
}
