import { homedir } from "node:os";
import type { Command } from "commander";
import packageJson from "../../../package.json" with { type: "json" };
import { examplesOf } from "./examples.ts";
import { commandTerm } from "./layout.ts";
import { inOrder } from "./groups.ts";
import { readTopic } from "./topics.ts";

/**
 * The man page of the program in roff, with the macros of man(7), from the definitions that the
 * command line itself works with.
 * Its date is today, or that of `SOURCE_DATE_EPOCH` (reproducible-builds.org), in seconds.
 */
export function formatManPage(program: Command): string {
  const { name, version } = packageJson;
  const epoch = process.env["SOURCE_DATE_EPOCH"];
  const day = (epoch ? new Date(Number(epoch) * 1000) : new Date()).toISOString().slice(0, 10);
  return [
    `.TH ${name.toUpperCase()} 1 ${day} "${escape(`${name} ${version}`)}" "User Commands"`,
    macro("SH", "NAME"),
    `${escape(name)} \\- ${escape(lowerFirst(program.description()))}`,
    macro("SH", "SYNOPSIS"),
    `.B ${escape(name)}`,
    "[\\fIcommand\\fR] [\\fIargument\\fR ...] [\\fIoption\\fR ...]",
    macro("SH", "DESCRIPTION"),
    text(
      `One executable: the server of the API, its administration, and the command line that talks to it. Without a command, ${name} shows what is due today. Nothing needs configuring: on a fresh machine, commands use a data folder of this user.`,
    ),
    macro("PP"),
    text("Data goes to standard output, everything else to standard error."),
    macro("SH", "COMMANDS"),
    ...commandLines(program),
    macro("SH", "GLOBAL OPTIONS"),
    text("Every command takes these, in any position."),
    ...optionLines(program),
    macro("SH", "ENVIRONMENT"),
    ...listLines(readTopic("environment"), "Variables"),
    macro("SH", "EXIT STATUS"),
    ...listLines(readTopic("exit-codes")),
    macro("SH", "FILES"),
    ...listLines(readTopic("environment"), "Files"),
    macro("SH", "EXAMPLES"),
    // The heading takes the place of the first paragraph's mark.
    ...exampleLines(program).slice(1),
    "",
  ].join("\n");
}

/** The commands below a command, each with its options and examples. */
function commandLines(parent: Command): string[] {
  const helper = parent.createHelp();
  const visible = helper
    .visibleCommands(parent)
    // The help that commander gives each group is explained once.
    .filter((command) => parent.parent === null || command.name() !== "help");
  return inOrder(visible).flatMap((command) =>
    command.commands.length > 0 ? commandLines(command) : describeCommand(command),
  );
}

function describeCommand(command: Command): string[] {
  const names = [...ancestorNames(command), commandTerm(command)].join(" ");
  const lines = [macro("SS", names), text(command.description())];
  return lines.concat(optionLines(command), exampleLines(command));
}

function ancestorNames({ parent }: Command): string[] {
  return parent === null ? [] : [...ancestorNames(parent), parent.name()];
}

function optionLines(command: Command): string[] {
  const helper = command.createHelp();
  return helper
    .visibleOptions(command)
    .filter(({ long }) => command.parent === null || long !== "--help")
    .flatMap((option) => [
      macro("TP"),
      `.B ${escape(option.flags)}`,
      // A default within the home of whoever prints the page is everybody's.
      text(helper.optionDescription(option).replaceAll(homedir(), "~")),
    ]);
}

function exampleLines(command: Command): string[] {
  return examplesOf(command).flatMap(([line, does]) => [
    macro("PP"),
    text(`${upperFirst(does)}:`),
    macro("PP"),
    macro("RS", "4"),
    ".nf",
    text(line),
    ".fi",
    macro("RE"),
  ]);
}

/** The list of a topic, or of the section under that heading, as tagged paragraphs. */
function listLines(markdown: string, heading?: string): string[] {
  const start = heading === undefined ? 0 : markdown.indexOf(`\n## ${heading}\n`);
  if (start < 0) throw new Error(`There is no section ${heading}.`);
  const section = markdown.slice(start + 1).split(/^## /m)[heading === undefined ? 0 : 1] ?? "";
  return [...section.matchAll(/^- `([^`]+)`: (.*(?:\n {2}.*)*)/gm)].flatMap(
    ([, term = "", description = ""]) => [
      macro("TP"),
      `.B ${escape(term)}`,
      text(description.replaceAll("`", "").replace(/\n\s+/g, " ")),
    ],
  );
}

/** A request line. */
function macro(name: string, ...args: readonly string[]): string {
  return [
    `.${name}`,
    ...args.map((arg) => `"${escape(arg).replaceAll('"', String.raw`\(dq`)}"`),
  ].join(" ");
}

/** A line of text, in which nothing is taken for a request. */
function text(line: string): string {
  return escape(line).replace(/^[.']/, String.raw`\&$&`);
}

/** Special characters as man(7) writes them: ASCII quotes and hyphens stay what they are. */
function escape(line: string): string {
  const named: Record<string, string> = {
    "\\": String.raw`\e`,
    "-": String.raw`\-`,
    "'": String.raw`\(aq`,
    "`": String.raw`\(ga`,
    "^": String.raw`\(ha`,
    "~": String.raw`\(ti`,
    "…": "...",
  };
  return line
    .replace(/[\\\-'`^~…]/g, (character) => named[character]!)
    .replace(/[^\0-\x7f]/gu, (character) => {
      return String.raw`\[u${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, "0")}]`;
    });
}

function lowerFirst(line: string): string {
  return line.charAt(0).toLowerCase() + line.slice(1);
}

function upperFirst(line: string): string {
  return line.charAt(0).toUpperCase() + line.slice(1);
}
