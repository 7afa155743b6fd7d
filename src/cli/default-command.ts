import type { Command } from "commander";
import { closest } from "./suggest.ts";

/**
 * Keeps a typo from running the group's default command (the one that was added with `isDefault`):
 * a word that is no command is an error with a suggestion.
 */
export function refuseUnknownCommands(group: Command): void {
  group.hook("preSubcommand", () => {
    const [word] = group.args;
    const isKnown = word !== undefined && namesOf(group.commands).includes(word);
    if (word === undefined || word.startsWith("-") || isKnown) return;
    const meant = closest(word, namesOf(group.createHelp().visibleCommands(group)));
    const hint = meant === undefined ? "" : ` (Did you mean ${meant}?)`;
    group.error(`error: unknown command '${word}'${hint}`, { code: "commander.unknownCommand" });
  });
}

function namesOf(commands: readonly Command[]): string[] {
  return commands.flatMap((command) => [command.name()].concat(command.aliases()));
}
