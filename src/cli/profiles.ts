import { join } from "node:path";
import envPaths from "env-paths";
import { CliError } from "./errors.ts";
import { readIfThere, whileLocked, writePrivateFile } from "./private-file.ts";

/** A server and a key for it, under a name of the user's. */
export interface Profile {
  /** The server's URL, without `/api/v1`. */
  server: string;
  key: string;
  /** The id of the key, which `logout` revokes. */
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
  return (
    process.env["TODO_CONFIG"] ?? join(envPaths("todo", { suffix: "" }).config, "config.json")
  );
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
    const read = JSON.parse(text) as Partial<Profiles>;
    return { ...read, profiles: { ...read.profiles } };
  } catch (error) {
    const message = `The configuration ${path} is not JSON. Mend it, or move it away and log in again.`;
    throw new CliError("failed", message, { cause: error });
  }
}

/** Changes the profiles; of two commands at once, each sees what the other has done. */
export async function changeProfiles(change: (profiles: Profiles) => void): Promise<void> {
  const path = profilesPath();
  await whileLocked(path, () => {
    const profiles = readProfiles();
    change(profiles);
    writePrivateFile(path, `${JSON.stringify(profiles, undefined, 2)}\n`);
  });
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
  const known = names === "" ? "There is none yet: `todo login` makes one." : `There are: ${names}.`;
  throw new CliError("not_found", `There is no profile "${name}". ${known}`);
}
