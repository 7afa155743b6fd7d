import packageJson from "../../../package.json" with { type: "json" };
import { type Client, type Fetch, createClient } from "../../client/client.ts";
import { PlainHeaders, nodeFetch } from "../../client/node-fetch.ts";
import { CliError } from "../errors.ts";
import { type Flags, localProfile } from "../flags.ts";
import { adviceForLocalKey, localKey } from "./local-account.ts";
import { openLocal } from "./local-instance.ts";
import { findProfile, readProfiles } from "./profiles.ts";
import { keyFromEnvironment } from "./secrets.ts";

/** What a command talks to. */
export interface Instance {
  client: Client;
  /** How messages name it: a URL, or the local data folder. */
  name: string;
  server: string;
  /** The profile that it was found by; undefined with `--server`. */
  profile?: string;
  key?: string;
  /** What to do when the key is missing or refused. */
  whenRefused: string;
  /** For requests that are none of the client's operations. */
  fetch: Fetch;
  close(): Promise<void>;
}

/** In process, and over a local socket, there is no server to name. */
export const inProcess = "http://localhost";

/**
 * Finds the instance: `--server`, else a profile, else the local data folder.
 *
 * @param flags as `readFlags` reads them
 * @param tell is told what the user should know (on stderr)
 * @throws CliError
 */
export async function openInstance(
  flags: Flags,
  tell: (message: string) => void,
): Promise<Instance> {
  if (flags.server !== undefined) {
    const server = normalizeServer(flags.server);
    const whenRefused = `Set TODO_API_KEY to a key for ${server}, or log in with \`todo login ${server}\`.`;
    const key = keyFromEnvironment();
    return { ...remote(flags, server, key), whenRefused };
  }
  const name = flags.profile ?? readProfiles().current;
  if (name === undefined || name === localProfile) return openLocalInstance(flags, tell);
  const { server, key } = findProfile(readProfiles(), name);
  const whenRefused = `Log in again with \`todo login --profile ${name}\`.`;
  return { ...remote(flags, server, key), profile: name, whenRefused };
}

async function openLocalInstance(flags: Flags, tell: (message: string) => void): Promise<Instance> {
  const local = await openLocal(flags);
  const server = local.server ?? inProcess;
  const fetch = commandFetch(flags, local.fetch);
  const options = { server, fetch, timeout: flags.timeout * 1000 };
  try {
    const key = await localKey(flags.data, options, tell);
    return {
      client: createClient({ ...options, key }),
      name: local.server ?? flags.data,
      server,
      profile: localProfile,
      key,
      whenRefused: adviceForLocalKey(flags.data),
      fetch,
      close: () => local.close(),
    };
  } catch (error) {
    await local.close();
    throw error;
  }
}

/**
 * A server elsewhere, with a key of it or without.
 *
 * @throws CliError `not_allowed` when the key would go over the network in the clear
 */
export function remote(
  flags: Pick<Flags, "insecure" | "debug" | "timeout">,
  server: string,
  key?: string,
): Omit<Instance, "whenRefused"> {
  if (key !== undefined) checkTransport(flags, server);
  const fetch = commandFetch(flags, nodeFetch);
  const credentials = key === undefined ? {} : { key };
  return {
    client: createClient({
      server,
      fetch,
      timeout: flags.timeout * 1000,
      ...credentials,
    }),
    name: server,
    server,
    ...credentials,
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
  const hasScheme = /^[a-z][a-z\d+.-]*:\/\//i.test(text);
  // Servers on this machine speak http; for all others https is the only safe guess.
  const scheme = loopback.test(text.replace(/(:\d+)?(\/.*)?$/, "")) ? "http" : "https";
  const url = hasScheme ? text : `${scheme}://${text}`;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !["http:", "https:"].includes(parsed.protocol)) {
    throw new CliError(
      "usage",
      `"${text}" is not the URL of a server, such as https://todo.example.org.`,
    );
  }
  if (parsed.username !== "" || parsed.password !== "") {
    throw new CliError("usage", "Leave the name and password out of the server's URL.");
  }
  return parsed.origin + parsed.pathname.replace(/\/+$/, "").replace(/\/api\/v1$/, "");
}

const loopback = /^(localhost|127(\.\d+){3}|\[::1\])$/i;

/**
 * Keeps keys and passwords off the network in the clear.
 *
 * @throws CliError `not_allowed`
 */
export function checkTransport(flags: Pick<Flags, "insecure">, server: string): void {
  const { protocol, hostname } = new URL(server);
  if (protocol === "https:" || loopback.test(hostname) || flags.insecure) return;
  throw new CliError(
    "not_allowed",
    `A key or password for ${server} would go over plain http, readable on the way. Use https, or --insecure if you trust the network.`,
  );
}

/** A fetch as commands use it: identified, and traced with `--debug`. */
export function commandFetch(flags: Pick<Flags, "debug">, fetch: Fetch): Fetch {
  return traced(flags, identified(fetch));
}

/** Says which program asks: the activity log shows it. */
function identified(fetch: Fetch): Fetch {
  return (input, init = {}) => {
    const headers = init.headers ?? new PlainHeaders();
    headers.set("user-agent", `todo/${packageJson.version}`);
    return fetch(input, { ...init, headers });
  };
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
