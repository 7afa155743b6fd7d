import { type Client, type Fetch, createClient } from "../client/client.ts";
import { nodeFetch } from "../client/node-fetch.ts";
import { CliError } from "./errors.ts";
import type { Flags } from "./flags.ts";
import { localKey } from "./local-account.ts";
import { openLocal } from "./local-instance.ts";
import { findProfile, readProfiles } from "./profiles.ts";
import { keyFromEnvironment } from "./secrets.ts";

/** What a command talks to. */
export interface Instance {
  client: Client;
  /** How messages name it: a URL, or the local data folder. */
  name: string;
  server: string;
  key?: string;
  /** For requests that are none of the client's operations. */
  fetch: Fetch;
  close(): Promise<void>;
}

/** In process there is no server to name. */
const inProcess = "http://localhost";

/**
 * Finds the instance: `--server`, else a profile, else the local data folder.
 *
 * @param tell is told what the user should know (on stderr)
 * @throws CliError
 */
export async function openInstance(
  flags: Flags,
  tell: (message: string) => void,
): Promise<Instance> {
  if (flags.server !== undefined) {
    return remote(flags, normalizeServer(flags.server), keyFromEnvironment());
  }
  const profiles = readProfiles();
  const name = flags.profile ?? profiles.current;
  if (name !== undefined) {
    const { server, key } = findProfile(profiles, name);
    return remote(flags, server, key);
  }
  const local = await openLocal(flags);
  const server = local.server ?? inProcess;
  const fetch = traced(flags, local.fetch);
  const options = { server, fetch, timeout: flags.timeout * 1000 };
  try {
    const key = await localKey(flags.data, options, tell);
    return {
      client: createClient({ ...options, key }),
      name: local.server ?? flags.data,
      server,
      key,
      fetch,
      close: () => local.close(),
    };
  } catch (error) {
    await local.close();
    throw error;
  }
}

function remote(flags: Flags, server: string, key: string | undefined): Instance {
  if (key !== undefined) checkTransport(flags, server);
  const fetch = traced(flags, nodeFetch);
  const options = { server, fetch, timeout: flags.timeout * 1000 };
  return {
    client: createClient({ ...options, ...(key !== undefined && { key }) }),
    name: server,
    server,
    ...(key !== undefined && { key }),
    fetch,
    close: () => Promise.resolve(),
  };
}

/**
 * A server's URL as given by the user, without the API's prefix.
 *
 * @throws CliError `usage`
 */
export function normalizeServer(text: string): string {
  const withScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text) ? text : `http://${text}`;
  const url = URL.canParse(withScheme) ? new URL(withScheme) : undefined;
  if (url === undefined || !["http:", "https:"].includes(url.protocol) || url.username !== "") {
    throw new CliError("usage", `"${text}" is not the URL of a server, such as https://todo.example.org.`);
  }
  return url.origin + url.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
}

/**
 * Keeps keys and passwords off the network in the clear.
 *
 * @throws CliError `not_allowed`
 */
export function checkTransport(flags: Pick<Flags, "insecure">, server: string): void {
  const { protocol, hostname } = new URL(server);
  const isLoopback = /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  if (protocol === "https:" || isLoopback || flags.insecure) return;
  throw new CliError(
    "not_allowed",
    `${server} would get your key over plain http, readable on the way. Use https, or --insecure if you trust the network.`,
  );
}

/** With `--debug`, shows each request and how it went; never a key or a body. */
function traced(flags: Pick<Flags, "debug">, fetch: Fetch): Fetch {
  if (!flags.debug) return fetch;
  return async (input, init) => {
    const started = performance.now();
    const end = (result: string | number) => {
      const ms = (performance.now() - started).toFixed(0);
      process.stderr.write(`${init?.method ?? "GET"} ${input} ${result} ${ms}ms\n`);
    };
    try {
      const response = await fetch(input, init);
      end(response.status);
      return response;
    } catch (error) {
      end("failed");
      throw error;
    }
  };
}
