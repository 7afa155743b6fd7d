import { setTimeout as sleep } from "node:timers/promises";
import { type Client, createClient } from "../../client/client.ts";
import type { Kind } from "./kinds.ts";
import type { Candidate, Given } from "./words.ts";
import { type Flags, localProfile } from "../flags.ts";
import { shortId } from "../ids.ts";
import { checkTransport, normalizeServer } from "../instance/instance.ts";
import { localAccount } from "../instance/local-account.ts";
import { findProfile, readProfiles } from "../instance/profiles.ts";
import { keyFromEnvironment } from "../instance/secrets.ts";

/** Who presses Tab waits no longer than this for a server. */
const patienceMs = 300;

/** More than these help nobody to choose. */
const per_page = 200;

/**
 * What is in the caller's list: the values of a kind, by asking the server. Completion must
 * neither disturb nor change anything: without a server, in time and with a key, there are none.
 *
 * @param given the flags on the line that is completed; they go before those of the environment
 */
export async function liveValues(
  kind: Kind | undefined,
  flags: Flags,
  given: Given,
): Promise<Candidate[]> {
  const source = kind === undefined ? undefined : sources[kind];
  if (source === undefined) return [];
  try {
    const late = sleep(patienceMs, [], { ref: false });
    return await Promise.race([source(() => openClient(flags, given)), late]);
  } catch {
    return [];
  }
}

type Source = (open: () => Promise<Client>) => Promise<Candidate[]>;

const named = (records: readonly { name: string }[]) =>
  records.map(({ name }) => ({ value: name }));
const titled = (records: readonly { id: string; title: string }[]) =>
  records.map(({ id, title }) => ({ value: shortId(id), description: title }));

function todos(...status: string[]): Source {
  return async (open) => {
    const { list } = (await open()).todos;
    const query = { per_page, ...(status.length > 0 && { status }) };
    return titled((await list({ query })).data);
  };
}

const sources: Partial<Record<Kind, Source>> = {
  todos: todos(),
  "active-todos": todos("open", "in_progress"),
  "finished-todos": todos("completed", "archived"),
  recurring: async (open) =>
    titled((await (await open()).recurring.list({ query: { per_page } })).data),
  projects: async (open) =>
    named((await (await open()).projects.list({ query: { per_page } })).data),
  categories: async (open) =>
    named((await (await open()).categories.list({ query: { per_page } })).data),
  themes: async (open) =>
    (await (await open()).catalogue.list()).data.map(({ name, display_name }) => ({
      value: name,
      description: display_name,
    })),
  keys: async (open) =>
    (await (await open()).keys.list()).data
      .filter(({ is_active }) => is_active)
      .map(({ id, name }) => ({ value: shortId(id), description: name })),
  profiles: () =>
    Promise.resolve(
      Object.entries(readProfiles().profiles).map(([value, { server }]) => ({
        value,
        description: server,
      })),
    ),
};

/**
 * A client of the instance that the command line means. Other than a command, it makes no local
 * account, and opens no data folder on which no server runs.
 */
async function openClient(flags: Flags, given: Given): Promise<Client> {
  const { server, profile, data } = choose(flags, given);
  const timeout = patienceMs;
  if (server !== undefined) {
    const url = normalizeServer(server);
    const key = keyFromEnvironment();
    checkTransport(flags, url);
    return createClient({ server: url, timeout, ...(key !== undefined && { key }) });
  }
  const name = profile ?? readProfiles().current ?? localProfile;
  if (name !== localProfile) {
    const found = findProfile(readProfiles(), name);
    checkTransport(flags, found.server);
    return createClient({ ...found, timeout });
  }
  const { findHolder } = await import("../../storage/lock.ts");
  const holder = await findHolder(data);
  const account = localAccount(data);
  if (holder?.url === undefined || account === undefined) throw new Error("Nobody to ask.");
  return createClient({ server: holder.url, key: account.key, timeout });
}

/** Of several ways to name an instance, what is typed goes first; see `readFlags`. */
function choose(flags: Flags, { server, profile, data }: Given): Given & { data: string } {
  if (data !== undefined) return { data, profile: localProfile };
  if (server !== undefined) return { data: flags.data, server };
  if (profile !== undefined) return { data: flags.data, profile };
  return {
    data: flags.data,
    ...(flags.server ? { server: flags.server } : flags.profile && { profile: flags.profile }),
  };
}
