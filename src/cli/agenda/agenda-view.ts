import type { Model } from "../../contract/schemas.ts";
import type { Agenda } from "./agenda.ts";
import { formatDay, formatNearDay, formatTime } from "../dates.ts";
import { shortId } from "../ids.ts";
import type { Output, Style } from "../output/output.ts";
import { type Column, printTable } from "../output/table.ts";
import { columnsOf, harmless, wrap } from "../output/text.ts";
import { formatStatus, statusStyle } from "../todos/todo-view.ts";

/** A todo or a recurring task on a day of the agenda. */
interface Item {
  date: string;
  todo?: Model<"Todo">;
  recurring?: Model<"RecurringTask">;
}

/** Days with a heading for a person, a line for each thing for a program. */
export async function printAgenda(output: Output, agenda: Agenda, today: string): Promise<void> {
  const overdue = agenda.overdue.map((todo): Item => ({ date: todo.due_date ?? "", todo }));
  const days = agenda.days.map(({ date, todos, recurring: tasks }) => ({
    title: heading(date, today),
    items: [
      ...todos.map((todo) => ({ date, todo })),
      ...tasks.map((recurring) => ({ date, recurring })),
    ],
  }));
  const due = days.flatMap(({ items }) => items);
  if (!output.isTerminal) {
    await printTable(output, columns, [...overdue, ...due]);
    return;
  }
  const late = formatWhens(overdue, ({ date }) => formatNearDay(date, today));
  const times = formatWhens(due, timeOf);
  const sections = [
    layOut(output, output.style(["bold", "red"], "Overdue"), overdue, late),
    ...days.map(({ title, items }) => {
      return layOut(output, output.style(["bold", "cyan"], title), items, times);
    }),
  ];
  const shown = sections.filter((lines) => lines.length > 0);
  if (shown.length > 0) output.line(shown.map((lines) => lines.join("\n")).join("\n\n"));
}

const columns: Column<Item>[] = [
  { title: "Date", value: ({ date }) => date },
  { title: "Time", value: ({ todo }) => todo?.due_time ?? "" },
  { title: "Kind", value: ({ todo }) => (todo === undefined ? "recurring" : "todo") },
  { title: "ID", value: (item) => shortId(recordOf(item).id) },
  { title: "Title", value: (item) => recordOf(item).title },
  { title: "Categories", value: (item) => categoriesOf(item) },
];

function recordOf({ todo, recurring }: Item) {
  return (todo ?? recurring)!;
}

function categoriesOf(item: Item): string {
  return recordOf(item)
    .categories.map(({ name }) => `@${name}`)
    .join(" ");
}

/** `Today, Fri 20 Nov 2026`, `Mon 30 Nov`. */
function heading(date: string, today: string): string {
  const near = formatNearDay(date, today);
  if (/\d/.test(near)) return near;
  return `${near.slice(0, 1).toUpperCase()}${near.slice(1)}, ${formatDay(date)}`;
}

function timeOf({ todo }: Item): string {
  if (todo === undefined) return "↻";
  return todo.due_time === null ? "" : formatTime(todo.due_time);
}

/** When each item is due, in a column. */
function formatWhens(items: readonly Item[], whenOf: (item: Item) => string): Map<Item, string> {
  const whens = items.map(whenOf);
  const width = Math.max(0, ...whens.map(columnsOf));
  const padded = (when: string) => when + " ".repeat(width - columnsOf(when));
  return new Map(items.map((item, index) => [item, padded(whens[index]!)]));
}

/** The lines of a section; none if there is nothing in it. */
function layOut(
  output: Output,
  title: string,
  items: readonly Item[],
  whens: ReadonlyMap<Item, string>,
): string[] {
  const lines = items.flatMap((item) => {
    const id = shortId(recordOf(item).id);
    const when = whens.get(item)!;
    const gap = columnsOf(when) === 0 ? "" : "  ";
    const indent = columnsOf(id) + 2 + columnsOf(when) + gap.length;
    const head = `${output.style("dim", id)}  ${output.style("yellow", when)}${gap}`;
    return describe(output, item, output.width - indent).map(
      (line, row) => (row === 0 ? head : " ".repeat(indent)) + line,
    );
  });
  return lines.length === 0 ? [] : [title, ...lines];
}

/** The title in so many columns, and after it what else there is to say where it fits. */
function describe(output: Output, item: Item, room: number): string[] {
  const { todo } = item;
  const notes: [text: string, style: Style | undefined][] = [
    [todo?.status === "in_progress" ? formatStatus(todo.status) : "", statusStyle("in_progress")],
    [harmless(categoriesOf(item)), "magenta"],
  ];
  const lines = wrap(harmless(recordOf(item).title), room);
  let used = columnsOf(lines.at(-1)!);
  for (const [text, style] of notes) {
    for (const [row, line] of text === "" ? [] : wrap(text, room).entries()) {
      const styled = style === undefined ? line : output.style(style, line);
      const fits = row === 0 && used + 2 + columnsOf(line) <= room;
      if (fits) lines[lines.length - 1] += `  ${styled}`;
      else lines.push(styled);
      used = fits ? used + 2 + columnsOf(line) : columnsOf(line);
    }
  }
  return lines;
}
