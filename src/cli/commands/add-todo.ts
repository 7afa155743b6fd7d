import type { Command } from "commander";
import { runBatch } from "../batch.ts";
import { addExamples } from "../help/examples.ts";
import { createNames } from "../todos/names.ts";
import { clip, harmless } from "../output/text.ts";
import { createTodo } from "../todos/save-todo.ts";
import { type Session, withSession } from "../session.ts";
import { readLines } from "../stdin.ts";
import {
  type FieldFlags,
  type Fields,
  addFieldOptions,
  readFlags,
  withTitle,
} from "../todos/todo-fields.ts";
import { echoLine, withProjectNames } from "../todos/todo-view.ts";
import { type Title, countLiteral, readTitle } from "../todos/words.ts";

/** `todo add` */
export function addAddCommand(program: Command): void {
  const add = program
    .command("add <title...>")
    .alias("a")
    .description(
      "Add a todo. In the title, +Project, @category and due:WHEN are understood; after -- all is literal. A project or category that is not there yet is made. `todo add -` reads one title per line from stdin.",
    )
    .summary("add a todo")
    .action(async (args: string[], flags: FieldFlags, command: Command) => {
      const literal = countLiteral();
      const isFromStdin = args.length === 1 && args[0] === "-" && literal === 0;
      // Nothing is opened, let alone saved, for flags that are not understood.
      const fields = await readFlags(flags);
      const lines = isFromStdin ? await readLines() : undefined;
      const asIs = (count: number) => (flags.literal ? count : literal);
      const titles = lines?.map((line) => () => readTitle([line], asIs(1))) ?? [
        () => readTitle(args, asIs(args.length)),
      ];
      await withSession(addTodos)({ titles, lines, fields }, command);
    });
  addFieldOptions(add);
  addExamples(add, [
    ['todo add "Buy milk"', "the least"],
    [
      "todo add Pay rent +Home @bills due:eom",
      "in a project, with a category, by the end of the month",
    ],
    ['todo add "Call Ada" --due "fri 9am" --remind', "the same by flags"],
    ['todo add "Fix door" -p Home -c tools -c urgent', "with two categories"],
    ["todo add -- Learn +1 and @", "a title that is taken as it is"],
    ["todo add - < titles.txt", "one per line"],
  ]);
}

interface Additions {
  /** Each reads a title: one that is not understood fails alone. */
  titles: readonly (() => Title)[];
  /** Those of stdin. */
  lines: readonly string[] | undefined;
  fields: Fields;
}

async function addTodos(session: Session, { titles, lines, fields }: Additions): Promise<void> {
  const { client, output } = session;
  const names = createNames(client, output);
  if (titles.length === 0) output.tell("No titles on stdin: nothing to add.");
  const { results, failure } = await runBatch(output, {
    items: titles,
    doing: "Adding",
    name: (_, index) => `"${clip(harmless(lines?.[index] ?? ""), 40)}"`,
    act: async (read) => createTodo(client, names, await withTitle(fields, read())),
  });
  if (lines !== undefined || results.length > 0) {
    await output.show(lines === undefined ? results[0] : results, async () => {
      if (output.quiet) return;
      const todos = await withProjectNames(names, results);
      for (const todo of todos) output.line(echoLine(output, "Added", todo));
    });
  }
  if (failure !== undefined) throw failure;
}
