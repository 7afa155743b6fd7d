import type { Model } from "../../contract/schemas.ts";
import type { Status } from "../../contract/values.ts";
import { formatDay, formatNearDay, formatTime } from "../dates.ts";
import { shortId } from "../ids.ts";
import type { Names } from "./names.ts";
import type { Output, Style } from "../output/output.ts";
import type { Column } from "../output/table.ts";
import { harmless } from "../output/text.ts";

type Todo = Model<"Todo">;

/** A todo with what its project is called. */
export type NamedTodo = Todo & { projectName?: string };

/** Adds the projects' names: one request, if any of the todos is in a project. */
export async function withProjectNames(
  names: Pick<Names, "projectName">,
  todos: readonly Todo[],
): Promise<NamedTodo[]> {
  return Promise.all(
    todos.map(async (todo) => {
      const { project_id: id } = todo;
      const projectName = id === null ? undefined : await names.projectName(id);
      return projectName === undefined ? todo : { ...todo, projectName };
    }),
  );
}

const statusWords: Record<Status, string> = {
  open: "○ open",
  in_progress: "◐ in progress",
  completed: "✓ completed",
  archived: "▪ archived",
};

/** A status for people: a mark and a word. */
export function formatStatus(status: Status): string {
  return statusWords[status];
}

/** How a status looks. */
export function statusStyle(status: Status): Style | undefined {
  const styles: Partial<Record<Status, Style>> = { in_progress: "cyan", completed: "green" };
  return status === "archived" ? "dim" : styles[status];
}

/** Whether the todo is still to be done and its day is past. */
export function isOverdue({ status, due_date }: Todo, today: string): boolean {
  const isToDo = status === "open" || status === "in_progress";
  return isToDo && due_date !== null && due_date < today;
}

/** How a todo's date looks: one that is overdue stands out. */
function dueStyle(todo: Todo, today: string): Style | undefined {
  if (isOverdue(todo, today)) return ["red", "bold"];
  return todo.due_date === today ? "yellow" : undefined;
}

/** When the todo is due, in full: `Mon 30 Nov 2026 18:00`; empty for never. */
export function formatDue({ due_date, due_time }: Pick<Todo, "due_date" | "due_time">): string {
  const day = due_date === null ? [] : [formatDay(due_date)];
  return [...day, ...(due_time === null ? [] : [formatTime(due_time)])].join(" ");
}

/** The same for programs: `2026-11-30 18:00:00`. */
export function plainDue({ due_date, due_time }: Todo): string {
  return [due_date, due_time].filter((part) => part !== null).join(" ");
}

function nearDue(todo: Todo, today: string): string {
  if (todo.due_date === null) return formatDue(todo);
  const mark = isOverdue(todo, today) ? "! " : "";
  const time = todo.due_time === null ? "" : ` ${formatTime(todo.due_time)}`;
  return mark + formatNearDay(todo.due_date, today) + time;
}

/** The todo's project as it is written in a title: `+Home`; empty without one. */
export function formatProject({ projectName }: NamedTodo): string {
  return projectName === undefined ? "" : `+${projectName}`;
}

/** The todo's categories as they are written in a title: `@bills @errands`. */
export function formatCategories({ categories }: Todo): string {
  return categories.map(({ name }) => `@${name}`).join(" ");
}

/**
 * The columns of a table of todos.
 *
 * @param today the local day, to which dates are near or past
 */
export function todoColumns(today: string): Column<NamedTodo>[] {
  return [
    { title: "ID", value: ({ id }) => shortId(id), style: () => "dim" },
    { title: "Title", value: ({ title }) => title, flexible: true, least: 11 },
    {
      title: "Due",
      value: (todo) => nearDue(todo, today),
      plain: plainDue,
      style: (todo) => dueStyle(todo, today),
      flexible: true,
      least: 8,
    },
    {
      title: "Status",
      value: ({ status }) => formatStatus(status),
      plain: ({ status }) => status,
      style: ({ status }) => statusStyle(status),
      flexible: true,
      least: 8,
    },
    {
      title: "Project",
      value: formatProject,
      style: () => "blue",
      flexible: true,
      least: 8,
      hideBelow: 60,
    },
    {
      title: "Categories",
      value: formatCategories,
      style: () => "magenta",
      flexible: true,
      least: 8,
      hideBelow: 60,
    },
  ];
}

/** A todo in a few words: `9e0b1c2  Pay rent`. */
export function titleLine(output: Output, { id, title }: Todo): string {
  return `${output.style("dim", shortId(id))}  ${harmless(title)}`;
}

/**
 * What was done to a todo and what it is now, in a line:
 * `Added 9e0b1c2  Pay rent  due Mon 30 Nov 2026  +Home  @bills`.
 */
export function echoLine(output: Output, verb: string, todo: NamedTodo): string {
  const styled = (style: Style | undefined, text: string) =>
    style === undefined || text === "" ? text : output.style(style, text);
  const due = formatDue(todo);
  const parts = [
    `${verb} ${titleLine(output, todo)}`,
    due === "" ? "" : styled("yellow", `due ${due}`),
    styled("blue", harmless(formatProject(todo))),
    ...todo.categories.map(({ name }) => styled("magenta", harmless(`@${name}`))),
    todo.status === "open" ? "" : styled(statusStyle(todo.status), formatStatus(todo.status)),
    todo.reminder_enabled ? "reminder" : "",
    todo.recurring_enabled ? "recurring" : "",
    todo.sync_enabled ? "" : "no sync",
    todo.description === null ? "" : "with description",
  ];
  return parts.filter((part) => part !== "").join("  ");
}
