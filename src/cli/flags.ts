import { type Command, InvalidArgumentError, Option } from "commander";
import { dataFolder } from "./data-folder.ts";

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
        .default(dataFolder()),
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
