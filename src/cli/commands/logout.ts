import type { Command } from "commander";
import { CliError } from "../errors.ts";
import { type Flags, localProfile } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import type { Output } from "../output/output.ts";
import {
  type Profile,
  changeProfiles,
  findProfile,
  readProfiles,
  withoutProfile,
} from "../instance/profiles.ts";
import { withFlags } from "../session.ts";
import { revokeKeyOf } from "../instance/sign-in.ts";

/** `todo logout`: the end of a profile and of its key. */
export function addLogoutCommand(program: Command): void {
  const logout = program
    .command("logout")
    .description("Revoke the key of the profile in use, and forget the profile.")
    .summary("log out of a server")
    .action(withFlags(runLogout));
  addExamples(logout, [
    ["todo logout", "of the profile in use"],
    ["todo logout --profile work", "of another"],
    ["todo logout -y", "also when the key cannot be revoked"],
  ]);
}

async function runLogout(flags: Flags, output: Output): Promise<void> {
  if (flags.server !== undefined) {
    throw new CliError(
      "usage",
      "--server and TODO_SERVER name no profile. Say with --profile which one to log out of.",
    );
  }
  const profiles = readProfiles();
  const name = flags.profile ?? profiles.current ?? localProfile;
  if (name === localProfile) {
    throw new CliError(
      "not_allowed",
      "You are not logged in: the data folder on this machine is in use. `todo profiles` lists where you are logged in.",
    );
  }
  const isRevoked = await revokeOrTell(flags, output, findProfile(profiles, name));
  await changeProfiles((now) => withoutProfile(now, name));
  await output.show({ profile: name, revoked: isRevoked }, () => {});
  output.tell(`Logged out of "${name}".`);
  if (name === profiles.current) {
    output.tell(
      "Commands use the data folder on this machine now; `todo profiles use NAME` chooses another.",
    );
  }
}

async function revokeOrTell(flags: Flags, output: Output, profile: Profile): Promise<boolean> {
  try {
    const isRevoked = await revokeKeyOf(flags, profile);
    if (!isRevoked) output.tell("The key was not made by `todo login`, so it stays valid.");
    return isRevoked;
  } catch (error) {
    if (!(error instanceof CliError)) throw error;
    if (!flags.yes) {
      const message = `${error.message} You are still logged in; \`todo logout -y\` forgets the profile all the same.`;
      throw new CliError(error.failure, message, { cause: error });
    }
    output.tell(`${error.message} It stays valid until it is revoked there.`);
    return false;
  }
}
