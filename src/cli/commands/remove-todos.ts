import type { Command } from "commander";
import { runBatch } from "../batch.ts";
import type { Model } from "../../contract/schemas.ts";
import { CliError } from "../errors.ts";
import { addExamples } from "../help/examples.ts";
import { findById } from "../ids.ts";
import { clip, harmless } from "../output/text.ts";
import { askConsent } from "../prompts.ts";
import { type Session, withSession } from "../session.ts";
import { readIds } from "../stdin.ts";
import { titleLine } from "../todos/todo-view.ts";

type Todo = Model<"Todo">;

/** `todo remove` */
export function addRemoveCommand(program: Command): void {
  const remove = program
    .command("remove <id...>")
    .alias("rm")
    .description(
      "Remove todos for good: one without a question, several after one. `-` stands for ids on stdin.",
    )
    .summary("remove todos")
    .action(async (args: string[], _flags: unknown, command: Command) => {
      await withSession(removeTodos)(await readIds(args), args, command);
    });
  addExamples(remove, [
    ["todo remove 9e0b1c2", "by the id that `todo list` shows"],
    ["todo remove 9e0b1c2 1a2b3c4", "several, after a question"],
    ["todo list --ids --status archived --all | todo remove - -y", "all that is archived"],
  ]);
}

/** What an id has led to. */
type Found = { id: string; todo: Todo } | { id: string; error: CliError };

async function removeTodos(
  session: Session,
  ids: readonly string[],
  args: readonly string[],
): Promise<void> {
  const { client, output, flags } = session;
  if (ids.length === 0) output.tell("No ids on stdin: nothing to remove.");
  const found = await findTodos(session, ids);
  const todos = found.flatMap((one) => ("todo" in one ? [one.todo] : []));
  if (todos.length > 1 && !(await askConsent(flags, question(todos)))) {
    throw new CliError("failed", "Nothing was removed.");
  }
  const { results, failure } = await runBatch(output, {
    items: found,
    doing: "Removing",
    name: ({ id }) => id,
    async act(one) {
      if ("error" in one) throw one.error;
      await client.todos.remove({ params: { id: one.todo.id } });
      return one.todo;
    },
  });
  const isSingle = args.length === 1 && args[0] !== "-";
  if (!isSingle || results.length > 0) {
    // The API's data about what is gone is null.
    await output.show(isSingle ? null : results.map(() => null), () => {
      if (output.quiet) return;
      for (const todo of results) output.line(titleLine(output, "Removed", todo));
    });
  }
  if (failure !== undefined) throw failure;
}

/** Finds each todo once: the question is about all that will go. */
async function findTodos(
  { client, output }: Session,
  ids: readonly string[],
): Promise<readonly Found[]> {
  const { results, failure } = await runBatch<string, Found>(output, {
    items: ids,
    doing: "Reading todos",
    name: (id) => id,
    async act(id) {
      try {
        return { id, todo: await findById(client, "todos", id) };
      } catch (error) {
        if (error instanceof CliError) return { id, error };
        throw error;
      }
    },
  });
  if (failure !== undefined) throw failure;
  const keys = results.map((one) => ("todo" in one ? one.todo.id : one.id));
  return results.filter((_, index) => keys.indexOf(keys[index]!) === index);
}

const shownInQuestion = 5;

function question(todos: readonly Todo[]): string {
  const titles = todos
    .slice(0, shownInQuestion)
    .map(({ title }) => `"${clip(harmless(title), 30)}"`);
  const more = todos.length > shownInQuestion ? ", …" : "";
  return `${titles.join(", ")}${more}: remove these ${todos.length} todos?`;
}
