import { hostname } from "node:os";
import { ConnectionError } from "../../client/connection-error.ts";
import { ApiError } from "../../contract/errors.ts";
import { limits } from "../../contract/limits.ts";
import { CliError, type Failure } from "../errors.ts";
import { describeApiError, describeConnectionError, failureOf } from "../failures.ts";
import { type Flags, localProfile } from "../flags.ts";
import { normalizeServer, remote } from "./instance.ts";
import { type Profile, changeProfiles, checkProfileName, readProfiles } from "./profiles.ts";
import { askText } from "../prompts.ts";

/** Where somebody signs in, and the profile that will keep the key. */
export interface Target {
  server: string;
  profile: string;
  /** The profile of that name that there is already. */
  before?: Profile;
}

/**
 * The server that is meant: the one given, else the profile's, else the one that runs on this
 * user's data folder, else the answer to a question.
 *
 * @throws CliError
 */
export async function chooseTarget(flags: Flags, url: string | undefined): Promise<Target> {
  const { current, profiles } = readProfiles();
  const isLocal = flags.profile === localProfile;
  const given = url ?? flags.server;
  // The server of this user's own folder is not that of the current profile.
  const kept = isLocal ? undefined : (flags.profile ?? (given === undefined ? current : undefined));
  const before = kept !== undefined && Object.hasOwn(profiles, kept) ? profiles[kept] : undefined;
  const server = normalizeServer(
    given ?? before?.server ?? (await localServer(flags)) ?? (await askServer(flags)),
  );
  const profile = checkProfileName(kept ?? nameOf(server));
  const replaced = before ?? (Object.hasOwn(profiles, profile) ? profiles[profile] : undefined);
  return { server, profile, ...(replaced !== undefined && { before: replaced }) };
}

/** `https://todo.example.org` is called `todo.example.org`. */
function nameOf(server: string): string {
  return server.replace(/^https?:\/\//, "");
}

async function localServer({ data }: Flags): Promise<string | undefined> {
  const { findHolder } = await import("../../storage/lock.ts");
  return (await findHolder(data))?.url;
}

function askServer(flags: Flags): Promise<string> {
  return askText(flags, { message: "URL of the server:", flag: "the URL as an argument" });
}

/** How the keys that are made on this machine are called. */
export function keyName(): string {
  return `todo@${hostname()}`.slice(0, limits.name);
}

/** Keeps the profile, which commands use from now on. */
export async function keepProfile(name: string, profile: Profile): Promise<void> {
  await changeProfiles(({ profiles }) => ({
    current: name,
    profiles: { ...profiles, [name]: profile },
  }));
}

/**
 * Revokes the key that was made for a profile, by itself.
 *
 * @returns whether it is no longer valid; false for a key that was not made for the profile
 * @throws CliError that says why it is still valid
 */
export async function revokeKeyOf(flags: Flags, { server, key, keyId }: Profile): Promise<boolean> {
  if (keyId === undefined) return false;
  try {
    await remote(flags, server, key).client.keys.remove({ params: { id: keyId } });
  } catch (error) {
    if (!isGone(error)) throw explain(error);
  }
  return true;
}

function isGone(error: unknown): boolean {
  return error instanceof ApiError && ["unauthorized", "not_found"].includes(error.code);
}

function explain(error: unknown): unknown {
  const failed = (failure: Failure, message: string) => {
    return new CliError(failure, `The key could not be revoked: ${message}`, { cause: error });
  };
  if (error instanceof ApiError) return failed(failureOf(error), describeApiError(error));
  if (error instanceof CliError) return failed(error.failure, error.message);
  if (error instanceof ConnectionError)
    return failed("unreachable", describeConnectionError(error));
  return error;
}
