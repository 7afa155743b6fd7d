import { styleText } from "node:util";
import type { Command, Help, Option } from "commander";
import { examplesOf } from "./examples.ts";
import { inOrder } from "./groups.ts";
import { topics } from "./topics.ts";
import { wrap } from "../output/text.ts";

/** What is explained, and its explanation. */
type Entry = readonly [term: string, description: string];

/** Longer lines are hard to read, however wide the terminal is. */
const maxWidth = 100;
/** A description gets at least so many columns beside its term, or stands below it. */
const leastBeside = 30;
const leastTerm = 16;

/** Shows the help of the program and of all commands that are added from now on in our layout. */
export function setUpHelp(program: Command): void {
  const { stdout } = process;
  program.configureHelp({ formatHelp, optionDescription });
  program.configureOutput({
    getOutHelpWidth: () => Math.min(stdout.columns ?? 80, maxWidth),
    getOutHasColors: () =>
      stdout.isTTY && program.opts()["color"] !== false && !process.env["NO_COLOR"],
  });
}

/** The whole help of a command; commander takes the colours away where there are none. */
function formatHelp(command: Command, helper: Help): string {
  const width = helper.helpWidth ?? 80;
  const section = (title: string, entries: readonly Entry[]) =>
    entries.length === 0 ? [] : [`${toTitle(title)}\n${formatList(entries, width)}`];
  const isRoot = command.parent === null;
  const own = toEntries(helper.visibleOptions(command), helper);
  return [
    ...section("Examples:", examplesOf(command)),
    wrap(`${toTitle("Usage:")} ${helper.commandUsage(command)}`, width).join("\n"),
    wrap(helper.commandDescription(command), width).join("\n"),
    ...section(
      "Arguments:",
      helper
        .visibleArguments(command)
        .map((argument) => [argument.name(), helper.argumentDescription(argument)]),
    ),
    ...commandSections(command, helper).flatMap(([title, entries]) => section(title, entries)),
    ...(isRoot ? section("Topics:", Object.entries(topics)) : section("Options:", own)),
    ...section("Global options:", isRoot ? own : globalOptions(command, helper)),
  ]
    .join("\n\n")
    .concat("\n");
}

function toTitle(text: string): string {
  return styleText("bold", text, { validateStream: false });
}

function commandSections(command: Command, helper: Help): [string, Entry[]][] {
  const sections = new Map<string, Entry[]>();
  for (const shown of inOrder(helper.visibleCommands(command))) {
    const title = shown.helpGroup() || "Commands:";
    const entry: Entry = [commandTerm(shown), helper.subcommandDescription(shown)];
    sections.set(title, [...(sections.get(title) ?? []), entry]);
  }
  return [...sections];
}

/** The command with its arguments, and its short name, as in `list|ls`. */
export function commandTerm(command: Command): string {
  const names = namesOf(command).slice(0, 2).join("|");
  const args = command.registeredArguments.map(argumentTerm);
  return [names, ...args].join(" ");
}

/** An argument as the usage shows it. */
function argumentTerm(argument: Command["registeredArguments"][number]): string {
  const name = argument.variadic ? `${argument.name()}...` : argument.name();
  return argument.required ? `<${name}>` : `[${name}]`;
}

/** The options that a command takes from the program. */
function globalOptions(command: Command, helper: Help): Entry[] {
  const options = ancestorsOf(command).flatMap((ancestor) => ancestor.options);
  return toEntries(
    // The program's version is nothing that a command has.
    options.filter(({ hidden, long }) => !hidden && long !== "--version"),
    helper,
  );
}

/** What a command is called: its name, then its short names. */
export function namesOf(command: Command): string[] {
  return [command.name(), ...command.aliases()];
}

/** The commands above a command, the nearest first. */
export function ancestorsOf({ parent }: Command): Command[] {
  return parent === null ? [] : [parent, ...ancestorsOf(parent)];
}

function toEntries(options: readonly Option[], helper: Help): Entry[] {
  return options.map((option) => [
    // Long options of those with a short one and those without stand in one column.
    option.short === undefined ? `    ${option.flags}` : option.flags,
    helper.optionDescription(option),
  ]);
}

/** What an option does, what it takes, and where else its value comes from. */
function optionDescription(option: Option): string {
  const { description, argChoices, defaultValueDescription, envVar } = option;
  // A flag that is not given needs no explanation.
  const fallback = option.isBoolean() ? undefined : (option.defaultValue as string | undefined);
  const facts = [
    argChoices?.join(", "),
    fallback === undefined ? undefined : `default: ${defaultValueDescription ?? fallback}`,
    envVar === undefined ? undefined : `or ${envVar}`,
  ].filter((fact) => fact !== undefined);
  return facts.length === 0 ? description : `${description} (${facts.join("; ")})`;
}

/** Terms and descriptions side by side, or one below the other where there is no room. */
function formatList(entries: readonly Entry[], width: number): string {
  const room = width - leastBeside - 4;
  const isNarrow = room < leastTerm;
  const longest = Math.max(...entries.map(([term]) => term.length));
  const indent = isNarrow ? 6 : Math.min(longest, room) + 4;
  const lines = entries.map(([term, description]) => {
    const head = `  ${isNarrow ? term.trimStart() : term}`;
    const text = wrap(description, width - indent).join(`\n${" ".repeat(indent)}`);
    if (text === "") return head;
    return !isNarrow && head.length + 2 <= indent
      ? head.padEnd(indent) + text
      : `${head}\n${" ".repeat(indent)}${text}`;
  });
  return lines.join("\n");
}
