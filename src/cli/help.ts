import type { Command } from "commander";

/** A command line, and what it does. */
export type Example = readonly [line: string, does: string];

/** Lets the command's help start with examples: most readers need no more of it. */
export function addExamples(command: Command, examples: readonly Example[]): Command {
  const width = Math.max(...examples.map(([line]) => line.length));
  const lines = examples.map(([line, does]) => `  ${line.padEnd(width)}  ${does}\n`);
  return command.addHelpText("before", `Examples:\n${lines.join("")}`);
}
