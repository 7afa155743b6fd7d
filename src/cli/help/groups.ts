import type { Command } from "commander";

/** The commands as the overview shows them: what belongs together, the most used first. */
const groups: Record<string, readonly string[]> = {
  Todos: ["add", "list", "show", "edit", "start", "done", "reopen", "archive", "remove"].concat(
    "today",
    "agenda",
  ),
  Nouns: ["projects", "categories", "recurring", "themes"],
  Account: ["register", "login", "logout", "whoami", "profile", "profiles", "keys"],
  Server: ["serve", "health", "doctor", "backup", "restore", "admin"],
  Data: ["log"],
  Meta: ["api", "completion", "help", "version"],
};

const order = Object.values(groups).flat();

/** Gives each command of the program its group in the help. */
export function groupCommands(program: Command): void {
  for (const command of program.commands) {
    const group = Object.keys(groups).find((name) => groups[name]!.includes(command.name()));
    if (group !== undefined) command.helpGroup(`${group}:`);
  }
}

/** Sorts the commands of a program as the overview shows them; those of a group of its own stay. */
export function inOrder(commands: readonly Command[]): Command[] {
  const rank = (command: Command) =>
    command.helpGroup() === "" ? order.length : order.indexOf(command.name());
  return commands.toSorted((a, b) => rank(a) - rank(b));
}
