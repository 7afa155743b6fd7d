import type { Command } from "commander";
import type { Model } from "../../contract/schemas.ts";
import { ApiError } from "../../contract/errors.ts";
import type { Client } from "../../client/client.ts";
import { formatMoment, localDay } from "../dates.ts";
import { addExamples } from "../help/examples.ts";
import { findById } from "../ids.ts";
import { type ShownField, printFields } from "../output/fields.ts";
import { harmless, wrap } from "../output/text.ts";
import { type Session, withSession } from "../session.ts";
import {
  type NamedTodo,
  formatCategories,
  formatDue,
  formatProject,
  formatStatus,
  isOverdue,
  plainDue,
} from "../todos/todo-view.ts";

type Todo = Model<"Todo">;

/** `todo show` */
export function addShowCommand(program: Command): void {
  const show = program
    .command("show <id>")
    .description("Show a todo with all its fields. Any unambiguous start of its id will do.")
    .summary("show a todo")
    .action(withSession(showTodo));
  addExamples(show, [
    ["todo show 9e0b1c2", "by the id that `todo list` shows"],
    ["todo show 9e0b --json", "as the API has it"],
  ]);
}

async function showTodo({ client, output }: Session, id: string): Promise<void> {
  const todo = await findById(client, "todos", id);
  await output.show(todo, async () => {
    const named = await withProject(client, todo);
    if (output.isTerminal) {
      for (const line of wrap(harmless(todo.title), output.width)) {
        output.line(output.style("bold", line));
      }
      output.line("");
    }
    printFields(output, output.isTerminal ? fieldsForPeople(named) : fieldsForPrograms(named));
  });
}

async function withProject(client: Client, todo: Todo): Promise<NamedTodo> {
  if (todo.project_id === null) return todo;
  try {
    const { data } = await client.projects.get({ params: { id: todo.project_id } });
    return { ...todo, projectName: data.name };
  } catch (error) {
    // It has been removed since the todo was read.
    if (error instanceof ApiError && error.code === "not_found") return todo;
    throw error;
  }
}

function fieldsForPeople(todo: NamedTodo): ShownField[] {
  const late = isOverdue(todo, localDay(new Date())) ? " (overdue)" : "";
  const onOff = (flag: boolean) => (flag ? "on" : "off");
  return [
    ["Status", formatStatus(todo.status)],
    ["Due", `${formatDue(todo) || "none"}${late}`],
    ["Project", formatProject(todo) || "none"],
    ["Categories", formatCategories(todo) || "none"],
    ["Reminder", onOff(todo.reminder_enabled)],
    ["Sync", onOff(todo.sync_enabled)],
    ["Recurring", onOff(todo.recurring_enabled)],
    ["Created", formatMoment(todo.created_at)],
    ["Updated", formatMoment(todo.updated_at)],
    ["Owner", todo.user_id],
    ["ID", todo.id],
    ["Description", todo.description ?? "none"],
  ];
}

function fieldsForPrograms(todo: NamedTodo): ShownField[] {
  return [
    ["Title", todo.title],
    ["Status", todo.status],
    ["Due", plainDue(todo)],
    ["Project", formatProject(todo)],
    ["Categories", formatCategories(todo)],
    ["Reminder", String(todo.reminder_enabled)],
    ["Sync", String(todo.sync_enabled)],
    ["Recurring", String(todo.recurring_enabled)],
    ["Created", todo.created_at],
    ["Updated", todo.updated_at],
    ["Owner", todo.user_id],
    ["ID", todo.id],
    ["Description", todo.description ?? ""],
  ];
}
