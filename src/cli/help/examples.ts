import type { Command } from "commander";

/** A command line, and what it does. */
export type Example = readonly [line: string, does: string];

const examples = new WeakMap<Command, readonly Example[]>();

/** Lets the command's help start with examples: most readers need no more of it. */
export function addExamples(command: Command, lines: readonly Example[]): Command {
  examples.set(command, lines);
  return command;
}

/** The examples of a command; none when it has been given none. */
export function examplesOf(command: Command): readonly Example[] {
  return examples.get(command) ?? [];
}
