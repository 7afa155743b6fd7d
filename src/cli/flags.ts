import { type Command, InvalidArgumentError, Option } from "commander";
import { dataFolder } from "./instance/data-folder.ts";
import { CliError } from "./errors.ts";

/** The flags that every command takes, in any position. */
export interface Flags {
  server?: string;
  profile?: string;
  data: string;
  json: boolean;
  quiet: boolean;
  yes: boolean;
  /** False with `--no-input`: a missing answer is an error. */
  input: boolean;
  /** False with `--no-color`. */
  color: boolean;
  /** Seconds until a request is given up. */
  timeout: number;
  insecure: boolean;
  debug: boolean;
}

/** Nothing, as of a variable that was never filled in, would mean all addresses or any folder. */
export function parseText(text: string): string {
  if (text.trim() !== "") return text;
  throw new InvalidArgumentError("Give a value, or leave it out.");
}

/** The name of the instance in this user's own data folder, among the profiles. */
export const localProfile = "local";

function parseSeconds(text: string): number {
  const seconds = Number(text);
  if (text.trim() !== "" && seconds > 0 && seconds <= 86_400) return seconds;
  throw new InvalidArgumentError("Give seconds, such as 10 or 0.5.");
}

/** Declares them on the program, which finds them before and after the command. */
export function addFlags(program: Command): void {
  program
    .addOption(new Option("--server <url>", "the server to talk to").env("TODO_SERVER"))
    .addOption(new Option("--profile <name>", "the profile to use").env("TODO_PROFILE"))
    .addOption(
      new Option("--data <folder>", "data folder of the local instance")
        .env("TODO_DATA")
        .default(dataFolder())
        .argParser(parseText),
    )
    .option("--json", "print the API's data as JSON", false)
    .option("-q, --quiet", "print nothing but what was asked for", false)
    .option("-y, --yes", "answer every question with yes", false)
    .option("--no-input", "never ask; a missing answer is an error")
    .option("--no-color", "no colours")
    .addOption(
      new Option("--timeout <seconds>", "give up a request after this time")
        .default(30)
        .argParser(parseSeconds),
    )
    .option("--insecure", "send the key over plain http to another machine", false)
    .option("--debug", "show every request on stderr, and details of failures", false);
}

/**
 * The flags of a command line. Of `server` and `profile` at most one is left: what was typed goes
 * before the environment, and a folder that was typed means the instance in it.
 *
 * @throws CliError `usage` when several instances were typed
 */
export function readFlags(command: Command): Flags {
  const { server, profile, ...flags } = command.optsWithGlobals<Flags>();
  const typed = (["server", "profile", "data"] as const).filter(
    (name) => command.getOptionValueSourceWithGlobals(name) === "cli",
  );
  if (typed.length > 1) {
    const names = typed.map((name) => `--${name}`).join(" and ");
    throw new CliError("usage", `${names} name different instances. Give one of them.`);
  }
  if (typed[0] === "data") return { ...flags, profile: localProfile };
  // An empty variable is one that is not set.
  if (server && typed[0] !== "profile") return { ...flags, server };
  if (typed[0] === "server") throw new CliError("usage", "--server: give the URL of a server.");
  return profile ? { ...flags, profile } : flags;
}
