import { join } from "node:path";
import envPaths from "env-paths";
import { CliError } from "../errors.ts";
import { localProfile } from "../flags.ts";
import { readIfThere, whileLocked, writePrivateFile } from "./private-file.ts";

/** A server and a key for it, under a name of the user's. */
export interface Profile {
  /** The server's URL, without `/api/v1`. */
  server: string;
  key: string;
  /** The id of the key when it was made for this profile, and goes with it. */
  keyId?: string;
  email?: string;
}

/** What the configuration file holds. */
export interface Profiles {
  /** The profile that commands use when none is named. */
  current?: string;
  profiles: Record<string, Profile>;
}

/** The configuration file: it holds keys, so only this user may read it. */
export function profilesPath(): string {
  // An empty variable is one that is not set.
  return process.env["TODO_CONFIG"] || join(envPaths("todo", { suffix: "" }).config, "config.json");
}

/**
 * The profiles of this user; none when there is no configuration yet.
 *
 * @throws CliError `failed` when the file cannot be understood
 */
export function readProfiles(): Profiles {
  const path = profilesPath();
  const text = readIfThere(path);
  if (text === undefined) return { profiles: {} };
  try {
    const read = JSON.parse(text) as unknown;
    if (isProfiles(read)) return read;
  } catch {
    // Said below: where the parser stopped may show a part of a key.
  }
  throw new CliError(
    "failed",
    `The configuration ${path} is broken. Mend it, or move it away and log in again.`,
  );
}

function isProfiles(read: unknown): read is Profiles {
  const { current, profiles } = (read ?? {}) as { current?: unknown; profiles?: unknown };
  if (typeof profiles !== "object" || profiles === null) return false;
  if (current !== undefined && typeof current !== "string") return false;
  return Object.values(profiles as Record<string, Partial<Profile> | null>).every(
    (profile) =>
      typeof profile?.key === "string" &&
      typeof profile.server === "string" &&
      URL.canParse(profile.server),
  );
}

/**
 * Changes the profiles; of two commands at once, each sees what the other has done.
 *
 * @param change gets what there is, and returns what there will be
 */
export async function changeProfiles(change: (profiles: Profiles) => Profiles): Promise<void> {
  const path = profilesPath();
  await whileLocked(path, () => {
    const profiles = change(readProfiles());
    writePrivateFile(path, `${JSON.stringify(profiles, undefined, 2)}\n`);
  });
}

/** The profiles without that one. */
export function withoutProfile({ current, profiles }: Profiles, name: string): Profiles {
  const others = Object.entries(profiles).filter(([other]) => other !== name);
  return {
    ...(current !== undefined && current !== name && { current }),
    profiles: Object.fromEntries(others),
  };
}

/**
 * The profile of that name.
 *
 * @throws CliError `not_found`, naming those that there are
 */
export function findProfile({ profiles }: Profiles, name: string): Profile {
  const profile = Object.hasOwn(profiles, name) ? profiles[name] : undefined;
  if (profile !== undefined) return profile;
  const names = Object.keys(profiles).join(", ");
  const known =
    names === "" ? "There is none yet: `todo login URL` makes one." : `There are: ${names}.`;
  throw new CliError("not_found", `There is no profile "${name}". ${known}`);
}

/**
 * Checks the name of a new profile.
 *
 * @throws CliError `usage`
 */
export function checkProfileName(name: string): string {
  if (name !== localProfile && /^[^\s\p{C}]{1,255}$/u.test(name)) return name;
  const reason =
    name === localProfile ? "the data folder on this machine has that name" : "a name is one word";
  throw new CliError(
    "usage",
    `A profile cannot be called "${name}": ${reason}. Choose another with --profile.`,
  );
}
