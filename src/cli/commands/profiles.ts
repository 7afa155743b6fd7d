import type { Command } from "commander";
import { refuseUnknownCommands } from "../default-command.ts";
import { CliError } from "../errors.ts";
import { type Flags, localProfile } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import type { Output } from "../output/output.ts";
import { type Column, printTable } from "../output/table.ts";
import { changeProfiles, findProfile, readProfiles, withoutProfile } from "../instance/profiles.ts";
import { withFlags } from "../session.ts";

/** A profile as it is listed: never with its key. */
interface Listed {
  name: string;
  current: boolean;
  /** A URL, or the local data folder. */
  server: string;
  email: string | null;
}

/** `todo profiles`: the servers and accounts that this user is logged in to. */
export function addProfilesCommands(program: Command): void {
  const profiles = program
    .command("profiles")
    .description("Choose between the servers and accounts that you are logged in to.")
    .summary("choose between servers");
  addExamples(profiles, [
    ["todo profiles", "where you are logged in; * marks the one in use"],
    ["todo profiles use work", "from now on"],
    ["todo --profile work list", "for one command"],
  ]);
  refuseUnknownCommands(profiles);

  const list = profiles
    .command("list", { isDefault: true })
    .alias("ls")
    .description(
      `List the profiles; * marks the one in use. "${localProfile}" is the data folder on this machine.`,
    )
    .summary("list the profiles")
    .action(withFlags(listProfiles));
  addExamples(list, [["todo profiles list", "* marks the one in use"]]);

  const use = profiles
    .command("use <name>")
    .description("Use a profile from now on.")
    .summary("use a profile from now on")
    .action(withFlags(useProfile));
  addExamples(use, [
    ["todo profiles use work", "the profile of that name"],
    [`todo profiles use ${localProfile}`, "the data folder on this machine"],
  ]);

  const remove = profiles
    .command("remove <name>")
    .alias("rm")
    .description("Forget a profile. Its key stays valid: `todo logout` revokes it as well.")
    .summary("forget a profile")
    .action(withFlags(removeProfile));
  addExamples(remove, [["todo profiles remove work", "forget it, without asking its server"]]);
}

const columns: Column<Listed>[] = [
  { title: "", value: ({ current }) => (current ? "*" : " ") },
  { title: "Name", value: ({ name }) => name },
  { title: "Account", value: ({ email }) => email ?? "" },
  { title: "Server", value: ({ server }) => server, flexible: true },
];

async function listProfiles(flags: Flags, output: Output): Promise<void> {
  const { current = localProfile, profiles } = readProfiles();
  const local = { name: localProfile, current: current === localProfile, server: flags.data };
  const listed: Listed[] = [
    { ...local, email: null },
    ...Object.entries(profiles).map(([name, { server, email = null }]) => ({
      name,
      current: name === current,
      server,
      email,
    })),
  ];
  await output.show(listed, () => printTable(output, columns, listed));
}

async function useProfile(_flags: Flags, output: Output, name: string): Promise<void> {
  await changeProfiles(({ profiles }) => {
    if (name === localProfile) return { profiles };
    findProfile({ profiles }, name);
    return { current: name, profiles };
  });
  await output.show({ current: name }, () => {});
  output.tell(`Commands use "${name}" from now on.`);
}

async function removeProfile(_flags: Flags, output: Output, name: string): Promise<void> {
  if (name === localProfile) {
    throw new CliError(
      "usage",
      `"${localProfile}" is the data folder on this machine, which is no profile.`,
    );
  }
  await changeProfiles((profiles) => {
    findProfile(profiles, name);
    return withoutProfile(profiles, name);
  });
  await output.show({ removed: name }, () => {});
  output.tell(`Forgot the profile "${name}". Its key stays valid on the server.`);
}
