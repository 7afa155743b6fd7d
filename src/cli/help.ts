import type { Command } from "commander";

/** A command line, and what it does. */
export type Example = readonly [line: string, does: string];

/** Lets the command's help start with examples: most readers need no more of it. */
export function addExamples(command: Command, examples: readonly Example[]): Command {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, does]) => `  ${line.padEnd(width)}  ${does}\n`);
  return command.addHelpText("before", `Examples:\n${lines.join("")}`);
}

/** `todo help`: commander's own answers an unknown name with the whole help, not a suggestion. */
export function addHelpCommand(program: Command): void {
  program
    .helpCommand(false)
    .command("help [command]")
    .description("print help for a command")
    .action((name: string | undefined) => {
      if (name === undefined) program.help();
      const command = program.commands.find((one) => one.name() === name);
      if (command) command.help();
      // It does not exist, so nothing runs: commander says what was perhaps meant.
      program.parse([name], { from: "user" });
    });
}
