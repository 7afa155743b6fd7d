import type { Command } from "commander";
import { addExamples } from "../help/examples.ts";
import { removeByIds } from "../removal.ts";
import { type Session, withSession } from "../session.ts";
import { readIds } from "../stdin.ts";
import { titleLine } from "../todos/todo-view.ts";

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

async function removeTodos(
  session: Session,
  ids: readonly string[],
  args: readonly string[],
): Promise<void> {
  const { client, output } = session;
  await removeByIds(session, "todos", ids, {
    args,
    plural: "todos",
    nameOf: ({ title }) => title,
    lineOf: (todo) => titleLine(output, todo),
    remove: ({ id }) => client.todos.remove({ params: { id } }),
  });
}
