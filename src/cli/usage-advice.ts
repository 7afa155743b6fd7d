import { type Command, CommanderError } from "commander";
import { sentence } from "./failures.ts";
import { ancestorsOf, namesOf } from "./help/layout.ts";

/** What commander reports, and the help of a command answers. */
const answered = new Set([
  "commander.excessArguments",
  "commander.missingArgument",
  "commander.unknownCommand",
  "commander.unknownOption",
]);

/**
 * Adds to a usage error which help to read, where nothing better is suggested.
 *
 * @param error what parsing has thrown, of any kind
 * @param program what has parsed
 */
export function adviseHelp(error: unknown, program: Command): void {
  if (!(error instanceof CommanderError) || !answered.has(error.code)) return;
  if (error.message.includes("Did you mean")) return;
  const command = reached(program);
  const path = [...ancestorsOf(command).toReversed(), command].map((each) => each.name()).join(" ");
  error.message = `${sentence(error.message)} See \`${path} --help\`.`;
}

/** The command that the words have led to. */
function reached(command: Command): Command {
  const [word = ""] = command.args;
  const next = command.commands.find((each) => namesOf(each).includes(word));
  return next === undefined ? command : reached(next);
}
