import type { Command } from "commander";
import { CliError } from "../errors.ts";
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { namesOf } from "../help/layout.ts";
import { printMarkdown } from "../help/markdown.ts";
import { isTopic, readTopic, topics } from "../help/topics.ts";
import { createOutput } from "../output/output.ts";
import { closest } from "../suggest.ts";

/** `todo help`: the overview, a command, a topic, or all of it as a man page. */
export function addHelpCommand(program: Command): void {
  const command = program
    .command("help [words...]")
    .description(
      "Explain todo: without words an overview, otherwise the command or the topic that they name.",
    )
    .summary("explain a command or a topic")
    .option("--man", "print a man page of the whole program (roff)")
    .action(async (words: string[], { man }: { man?: true }, self: Command) => {
      if (man !== true) return printHelp(program, words, self.optsWithGlobals<Flags>());
      const { formatManPage } = await import("../help/man.ts");
      process.stdout.write(formatManPage(program));
    });
  addExamples(command, [
    ["todo help", "all commands and topics"],
    ["todo help add", "a command: same as `todo add --help`"],
    ["todo help dates", "a topic"],
    ["todo help --man | man -l -", "the whole as a man page"],
  ]);
}

function printHelp(program: Command, words: readonly string[], flags: Flags): void {
  const [first = ""] = words;
  if (words.length === 1 && isTopic(first)) printMarkdown(createOutput(flags), readTopic(first));
  else findCommand(program, words).outputHelp();
}

/**
 * The command that the words name, by names or short names.
 *
 * @throws CliError `usage`, with what may have been meant
 */
function findCommand(from: Command, words: readonly string[]): Command {
  const [word, ...rest] = words;
  if (word === undefined) return from;
  const shown = from.createHelp().visibleCommands(from);
  const found = shown.find((command) => namesOf(command).includes(word));
  if (found !== undefined) return findCommand(found, rest);
  const isRoot = from.parent === null;
  const names = shown.flatMap(namesOf);
  const meant = closest(word, isRoot ? [...names, ...Object.keys(topics)] : names);
  const what = isRoot ? "command or topic" : `command of ${from.name()}`;
  const hint =
    meant === undefined ? "`todo help` lists what there is." : `Did you mean \`${meant}\`?`;
  throw new CliError("usage", `There is no ${what} "${word}". ${hint}`);
}
