import type { Command } from "commander";
import { runBatch } from "../batch.ts";
import type { Model } from "../../contract/schemas.ts";
import type { Status } from "../../contract/values.ts";
import { CliError } from "../errors.ts";
import { addExamples } from "../help/examples.ts";
import { resolveId } from "../ids.ts";
import { type Names, createNames } from "../todos/names.ts";
import { updateTodo } from "../todos/save-todo.ts";
import { type Session, withSession } from "../session.ts";
import { readIds } from "../stdin.ts";
import {
  type FieldFlags,
  type Fields,
  addFieldOptions,
  readFlags,
  withTitle,
} from "../todos/todo-fields.ts";
import { echoLine, titleLine, withProjectNames } from "../todos/todo-view.ts";
import { readTitle } from "../todos/words.ts";

type Todo = Model<"Todo">;

interface EditFlags extends FieldFlags {
  title?: string;
}

/** `todo edit`, `start`, `done`, `reopen`, `archive`: what changes todos. */
export function addChangeCommands(program: Command): void {
  addEditCommand(program);
  addStatusCommand(program, "start", "in_progress", "Started", "Mark todos as in progress.");
  addStatusCommand(program, "done", "completed", "Done", "Mark todos as completed.").alias("do");
  addStatusCommand(program, "reopen", "open", "Reopened", "Mark todos as open again.");
  addStatusCommand(program, "archive", "archived", "Archived", "Put todos away as archived.");
}

function addEditCommand(program: Command): void {
  const edit = program
    .command("edit <id...>")
    .description(
      "Change fields of todos; `none` clears one. Categories that are given replace those that a todo has. `-` stands for ids on stdin.",
    )
    .summary("change todos")
    .option("-t, --title <title>", "title; +Project, @category and due:WHEN are understood")
    .action(async (args: string[], flags: EditFlags, command: Command) => {
      const fields = await readChanges(flags);
      const ids = await readIds(args);
      await withSession(changeTodos)({ ids, args, fields, print: printChanged }, command);
    });
  addFieldOptions(edit);
  addExamples(edit, [
    ["todo edit 9e0b1c2 --due friday", "another day"],
    ["todo edit 9e0b1c2 --title 'Pay the rent' -p Home", "another title, and a project"],
    ["todo edit 9e0b1c2 --due none -c none", "no date and no categories any more"],
    ["todo list --ids --due overdue | todo edit - --due tomorrow", "all that is late"],
  ]);
}

async function readChanges({ title, ...flags }: EditFlags): Promise<Fields> {
  const fields = await readFlags(flags);
  const all =
    title === undefined
      ? fields
      : await withTitle(fields, readTitle([title], flags.literal ? 1 : 0));
  const { values, project, categories } = all;
  if (Object.keys(values).length > 0 || project !== undefined || categories !== undefined) {
    return all;
  }
  throw new CliError(
    "usage",
    "Nothing to change. Give --title, --due, --status, --project or another field.",
  );
}

async function printChanged(
  { output }: Session,
  names: Names,
  todos: readonly Todo[],
): Promise<string[]> {
  const named = await withProjectNames(names, todos);
  return named.map((todo) => echoLine(output, "Changed", todo));
}

function addStatusCommand(
  program: Command,
  name: string,
  status: Status,
  verb: string,
  description: string,
): Command {
  const command = program
    .command(`${name} <id...>`)
    .description(`${description} \`-\` stands for ids on stdin.`)
    .summary(description.charAt(0).toLowerCase() + description.slice(1, -1))
    .action(async (args: string[], _flags: unknown, self: Command) => {
      const ids = await readIds(args);
      const print: Changes["print"] = ({ output }, _names, todos) =>
        todos.map((todo) => `${verb} ${titleLine(output, todo)}`);
      await withSession(changeTodos)({ ids, args, fields: { values: { status } }, print }, self);
    });
  return addExamples(command, [
    [`todo ${name} 9e0b1c2`, "by the id that `todo list` shows"],
    [`todo ${name} 9e0b1c2 1a2b3c4`, "several"],
    [`todo list --ids -p Home | todo ${name} -`, "all of a project"],
  ]);
}

interface Changes {
  ids: readonly string[];
  /** As they were given; `-` among them. */
  args: readonly string[];
  fields: Fields;
  /** The lines that say what was done. */
  print: (session: Session, names: Names, todos: readonly Todo[]) => string[] | Promise<string[]>;
}

async function changeTodos(session: Session, changes: Changes): Promise<void> {
  const { client, output } = session;
  const { ids, args, fields, print } = changes;
  const names = createNames(client, output);
  if (ids.length === 0) output.tell("No ids on stdin: nothing to do.");
  const { results, failure } = await runBatch(output, {
    items: ids,
    doing: "Changing",
    name: (id) => id,
    act: async (id) => updateTodo(client, names, await resolveId(client, "todos", id), fields),
  });
  const isSingle = args.length === 1 && args[0] !== "-";
  if (!isSingle || results.length > 0) {
    await output.show(isSingle ? results[0] : results, async () => {
      if (output.quiet) return;
      for (const line of await print(session, names, results)) output.line(line);
    });
  }
  if (failure !== undefined) throw failure;
}
