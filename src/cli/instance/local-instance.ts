import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Fetch } from "../../client/client.ts";
import { nodeFetch } from "../../client/node-fetch.ts";
import type { Flags } from "../flags.ts";
import { readIfThere } from "./private-file.ts";

/** A way to the API on a local data folder. */
export interface LocalInstance {
  /** The URL of the server that runs on the folder; undefined in process. */
  server?: string;
  fetch: Fetch;
  close(): Promise<void>;
}

/** Other commands hold the folder for a moment only. */
const patienceMs = 10_000;

/**
 * Reaches the data folder: over HTTP when a server runs on it, else in process,
 * through the same app, without a port.
 *
 * @param tell is told what the user should know
 * @throws StorageError when the folder cannot be used
 */
export async function openLocal(
  flags: Pick<Flags, "data">,
  tell: (message: string) => void,
): Promise<LocalInstance> {
  const { findHolder } = await import("../../storage/lock.ts");
  const end = Date.now() + patienceMs;
  for (;;) {
    const holder = await findHolder(flags.data);
    if (holder?.url !== undefined) {
      const fetch = await fetchFrom(holder.url, flags.data);
      return { server: holder.url, fetch, close: () => Promise.resolve() };
    }
    try {
      if (holder === undefined || Date.now() > end) return await openInProcess(flags.data, tell);
    } catch (error) {
      if (!isLocked(error) || Date.now() > end) throw error;
    }
    await sleep(20 + Math.random() * 30);
  }
}

/** A server of one's own folder is trusted by the certificate that it has put there. */
async function fetchFrom(url: string, folder: string): Promise<Fetch> {
  if (!url.startsWith("https:")) return nodeFetch;
  const certificate = readIfThere(join(folder, "https-certificate.pem"));
  if (certificate === undefined) return nodeFetch;
  const { pinnedFetch } = await import("../../client/pinned-fetch.ts");
  return pinnedFetch(certificate);
}

function isLocked(error: unknown): boolean {
  return error instanceof Error && "code" in error && error.code === "locked";
}

async function openInProcess(
  folder: string,
  tell: (message: string) => void,
): Promise<LocalInstance> {
  const { openInstance } = await import("../../server/instance.ts");
  const { createLog } = await import("../../server/log.ts");
  const silent = createLog({ format: "text", level: "silent", write: () => {}, now: Date.now });
  const log = { ...silent, info: (message: string) => tell(`${message}.`) };
  const instance = await openInstance({ folder, log });
  return {
    async fetch(input, init = {}) {
      const headers = [...(init.headers ?? [])];
      return instance.app.fetch(new Request(input, { ...init, headers }));
    },
    close: () => instance.close(),
  };
}
