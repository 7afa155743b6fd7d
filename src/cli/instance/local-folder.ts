import { CliError } from "../errors.ts";
import { type Flags, localProfile } from "../flags.ts";

/**
 * The data folder for a command that works on the files of this machine, and on no server elsewhere.
 *
 * @param command its name
 * @throws CliError `usage` when the flags or the environment name another instance
 */
export function localFolder(flags: Flags, command: string): string {
  const { server, profile } = flags;
  if (server === undefined && (profile ?? localProfile) === localProfile) return flags.data;
  const other = server ?? `the profile ${profile}`;
  throw new CliError(
    "usage",
    `\`todo ${command}\` works on a data folder of this machine, not on ${other}. Run it where the server runs, and name the folder with --data.`,
  );
}
