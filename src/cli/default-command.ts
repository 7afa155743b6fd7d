import type { Command } from "commander";
import { closest } from "./suggest.ts";

/** What other programs call our commands. */
const synonyms = new Map([
  ["new", "add"],
  ["create", "add"],
  ["view", "show"],
  ["info", "show"],
  ["modify", "edit"],
  ["update", "edit"],
  ["rename", "edit"],
  ["close", "done"],
  ["complete", "done"],
  ["finish", "done"],
  ["del", "remove"],
  ["delete", "remove"],
  ["next", "list"],
]);

/**
 * Keeps a typo from running the group's default command (the one that was added with `isDefault`):
 * a word that is no command is an error with a suggestion.
 */
export function refuseUnknownCommands(group: Command): void {
  group.hook("preSubcommand", () => {
    const [word] = group.args;
    const isKnown = word !== undefined && namesOf(group.commands).includes(word);
    if (word === undefined || word.startsWith("-") || isKnown) return;
    const names = namesOf(group.createHelp().visibleCommands(group));
    const meant = names.find((name) => name === synonyms.get(word)) ?? closest(word, names);
    const hint = meant === undefined ? "" : ` (Did you mean ${meant}?)`;
    group.error(`error: unknown command '${word}'${hint}`, { code: "commander.unknownCommand" });
  });
}

function namesOf(commands: readonly Command[]): string[] {
  return commands.flatMap((command) => [command.name()].concat(command.aliases()));
}
