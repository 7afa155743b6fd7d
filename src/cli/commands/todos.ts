import type { Command } from "commander";
import type { Model } from "../../contract/schemas.ts";
import { addExamples } from "../help.ts";
import { findById, shortId } from "../ids.ts";
import { type Column, printTable } from "../output/table.ts";
import { harmlessLines } from "../output/text.ts";
import { type Session, withSession } from "../session.ts";

type Todo = Model<"Todo">;

/** `todo list`, `todo show`, …: everything about todos. */
export function addTodoCommands(program: Command): void {
  const list = program
    .command("list")
    .alias("ls")
    .description("List todos: open and in-progress ones, unless told otherwise.")
    .summary("list todos")
    .action(withSession(listTodos));
  addExamples(list, [["todo list", "what is open"]]);

  const show = program
    .command("show <id>")
    .description("Show a todo with all its fields.")
    .summary("show a todo")
    .action(withSession(showTodo));
  addExamples(show, [["todo show 9e0b1c2", "by the id that `todo list` shows"]]);
}

const columns: Column<Todo>[] = [
  { title: "ID", value: ({ id }) => shortId(id) },
  { title: "Title", value: ({ title }) => title, flexible: true },
  { title: "Due", value: ({ due_date }) => due_date ?? "" },
  { title: "Status", value: ({ status }) => status },
  { title: "Categories", value: ({ categories }) => categories.map((c) => `@${c.name}`).join(" ") },
];

async function listTodos({ client, output }: Session): Promise<void> {
  const { data } = await client.todos.list({ query: { status: ["open", "in_progress"] } });
  output.show(data, () => printTable(output, columns, data));
}

async function showTodo({ client, output }: Session, id: string): Promise<void> {
  const todo = await findById(client, "todos", id);
  output.show(todo, () => {
    output.line(output.style("bold", harmlessLines(todo.title)));
  });
}
