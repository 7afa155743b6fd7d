import type { Argument, Command, Option } from "commander";
import { type Kind, kindOfArgument, kindOfOption, staticValues } from "./kinds.ts";
import { ancestorsOf, namesOf } from "../help/layout.ts";
import { topics } from "../help/topics.ts";

/** A word that may stand at the place of the cursor. */
export interface Candidate {
  value: string;
  description?: string | undefined;
}

/** The flags on the command line that say which instance it means. */
export interface Given {
  server?: string;
  profile?: string;
  data?: string;
}

/** What may stand at the end of a command line. */
export interface Completion {
  /** The words that are known without asking a server. */
  candidates: Candidate[];
  /** The values that come with them. */
  kind: Kind | undefined;
  /** What stands before each of them within the word, as in `--project=Home`. */
  prefix: string;
  given: Given;
}

/** How far the words lead: the command, its arguments so far, and an option that lacks its value. */
interface Position {
  command: Command;
  operands: number;
  pending: Option | undefined;
  /** After `--` nothing is a flag. */
  isLiteral: boolean;
  given: Given;
}

/**
 * Finds out what may stand at the end of a command line.
 *
 * @param words what follows the program's name; the last is the one to complete, often empty
 */
export function completeWords(program: Command, words: readonly string[]): Completion {
  const position = readWords(program, words.slice(0, -1));
  const { command, pending, isLiteral, given } = position;
  const current = words.at(-1) ?? "";
  if (pending !== undefined) return { ...valuesOf(command, pending), prefix: "", given };
  if (!isLiteral && current.startsWith("-")) {
    const [name = "", value] = splitFlag(current);
    const option = value === undefined ? undefined : findOption(command, name);
    if (option === undefined) return withoutLive(flagsOf(command), given);
    return { ...valuesOf(command, option), prefix: `${name}=`, given };
  }
  const { commands, registeredArguments: all } = command;
  const argument = all[position.operands] ?? (all.at(-1)?.variadic ? all.at(-1) : undefined);
  const subcommands = position.operands > 0 || isLiteral ? [] : commands.flatMap(toCandidate);
  const values = argument === undefined ? nothing : valuesOfArgument(position, argument);
  return {
    candidates: [...subcommands, ...values.candidates],
    ...inTitle(values.kind, current),
    given,
  };
}

type Values = Pick<Completion, "candidates" | "kind">;

const nothing: Values = { candidates: [], kind: undefined };

function readWords(program: Command, words: readonly string[]): Position {
  const position: Position = {
    command: program,
    operands: 0,
    pending: undefined,
    isLiteral: false,
    given: {},
  };
  for (const word of words) readWord(position, word);
  return position;
}

function readWord(position: Position, word: string): void {
  const { command, pending } = position;
  if (pending !== undefined) {
    note(position, pending, word);
    position.pending = undefined;
  } else if (position.isLiteral || !word.startsWith("-") || word === "-") {
    const found = position.operands > 0 ? undefined : findCommand(command, word);
    if (found === undefined || position.isLiteral) position.operands += 1;
    else position.command = found;
  } else if (word === "--") {
    position.isLiteral = true;
  } else {
    const [name = "", value] = splitFlag(word);
    const option = findOption(command, name);
    if (option === undefined || option.isBoolean()) return;
    if (value === undefined) position.pending = option;
    else note(position, option, value);
  }
}

function note({ given }: Position, option: Option, value: string): void {
  const name = option.attributeName();
  if (name === "server" || name === "profile" || name === "data") given[name] = value;
}

/** `--name=value` as name and value; without `=` the name alone. */
function splitFlag(word: string): string[] {
  const end = word.indexOf("=");
  return word.startsWith("--") && end > 0 ? [word.slice(0, end), word.slice(end + 1)] : [word];
}

function findCommand({ commands }: Command, word: string): Command | undefined {
  return commands.find((command) => namesOf(command).includes(word));
}

function findOption(command: Command, name: string): Option | undefined {
  return optionsOf(command).find(({ short, long }) => name === short || name === long);
}

/** The options of a command and of those above it. */
function optionsOf(command: Command): Option[] {
  return [command, ...ancestorsOf(command)].flatMap(({ options }) => options);
}

function flagsOf(command: Command): Candidate[] {
  const flags = optionsOf(command).filter(({ hidden }) => !hidden);
  return [
    ...flags.map((option) => ({
      value: option.long ?? option.short!,
      description: option.description,
    })),
    { value: "--help", description: "print help" },
  ];
}

function toCandidate(command: Command): Candidate[] {
  // Commander keeps hidden ones in the same list, and tells only its help.
  const { parent } = command;
  const isVisible = parent?.createHelp().visibleCommands(parent).includes(command);
  return isVisible ? [{ value: command.name(), description: command.summary() }] : [];
}

function valuesOf(command: Command, option: Option): Values {
  const kind = kindOfOption(option);
  const values = option.argChoices ?? staticValues(command, option.attributeName());
  return { candidates: values.map((value) => ({ value })), kind };
}

function valuesOfArgument({ command, operands }: Position, argument: Argument): Values {
  const kind = kindOfArgument(command, argument);
  const values = argument.argChoices ?? [];
  if (kind !== "help") return { candidates: values.map((value) => ({ value })), kind };
  return { candidates: operands > 0 ? [] : helpValues(command), kind: undefined };
}

/** What `todo help` explains. */
function helpValues({ parent }: Command): Candidate[] {
  const explained = Object.entries(topics).map(([value, description]) => ({ value, description }));
  return [...(parent?.commands.flatMap(toCandidate) ?? []), ...explained];
}

/** Within a title, only words of the form `+Project` and `@category` can be completed. */
function inTitle(kind: Kind | undefined, current: string): Pick<Completion, "kind" | "prefix"> {
  if (kind !== "title") return { kind, prefix: "" };
  if (current.startsWith("+")) return { kind: "projects", prefix: "+" };
  if (current.startsWith("@")) return { kind: "categories", prefix: "@" };
  return { kind: undefined, prefix: "" };
}

function withoutLive(candidates: Candidate[], given: Given): Completion {
  return { candidates, kind: undefined, prefix: "", given };
}
