import type { Command } from "commander";
import { Option } from "commander";
import type { Model } from "../../contract/schemas.ts";
import type { Status } from "../../contract/values.ts";
import { localDay } from "../dates.ts";
import { addExamples } from "../help/examples.ts";
import { createNames } from "../todos/names.ts";
import { startProgress } from "../output/progress.ts";
import { printTable } from "../output/table.ts";
import { type PageFlags, addPageOptions, takePages } from "../pages.ts";
import { type Session, withSession } from "../session.ts";
import {
  type DueFilter,
  type TodoQuery,
  defaultSort,
  parseDueFilter,
  parseSort,
  parseStatuses,
  statusesOf,
} from "../todos/todo-query.ts";
import { todoColumns, withProjectNames } from "../todos/todo-view.ts";
import { listUndated } from "../todos/undated-todos.ts";

type Todo = Model<"Todo">;

interface ListFlags extends PageFlags {
  status?: "all" | Status[];
  project?: string;
  category?: string;
  due?: string;
  search?: string;
  sort?: string;
  ids?: boolean;
}

/** `todo list` */
export function addListCommand(program: Command): void {
  const list = program
    .command("list")
    .alias("ls")
    .description("List todos: open and in-progress ones, unless told otherwise.")
    .summary("list todos")
    .addOption(
      new Option(
        "--status <status>",
        "of this status, or several (open,completed), or all",
      ).argParser(parseStatuses),
    )
    .option("-p, --project <name>", "in this project")
    .option("-c, --category <name>", "with this category")
    .option("--due <when>", "today, overdue, week, none, a day, or a range such as today..fri")
    .option("--search <text>", "with this text in the title or description")
    .addOption(
      new Option(
        "--sort <fields>",
        "by title, status, due, created, updated; -due: last first",
      ).argParser(parseSort),
    )
    .option("--ids", "print bare ids, for pipes")
    .action(async (flags: ListFlags, command: Command) => {
      // Nothing is opened for a date that is not understood.
      const due = flags.due === undefined ? {} : await parseDueFilter(flags.due);
      await withSession(listTodos)(flags, due, command);
    });
  addPageOptions(list);
  addExamples(list, [
    ["todo list", "what is to be done, the next first"],
    ["todo list --due overdue", "what is late"],
    ["todo list -p Home -c bills --due week", "filters combine"],
    ["todo list --search rent --status all", "in what is done, too"],
    ["todo list --all", "all there are, in every status"],
    ["todo list --ids --due overdue | todo edit - --due tomorrow", "for another command"],
  ]);
}

async function listTodos(session: Session, flags: ListFlags, due: DueFilter): Promise<void> {
  const { client, output } = session;
  const names = createNames(client, output);
  const project = flags.project === undefined ? undefined : await names.findProject(flags.project);
  const category =
    flags.category === undefined ? undefined : await names.findCategory(flags.category);
  const status = statusesOf(flags.status, flags);
  const { todos, total } = await readTodos(session, flags, due, {
    ...(status !== undefined && { status }),
    ...(project !== undefined && { project_id: project.id }),
    ...(category !== undefined && { category_id: category.id }),
    ...(flags.search !== undefined && { q: flags.search }),
  });
  await output.show(todos, async () => {
    if (flags.ids) for (const { id } of todos) output.line(id);
    else {
      const named = await withProjectNames(names, todos);
      await printTable(output, todoColumns(localDay(new Date())), named);
    }
  });
  if (todos.length === 0) output.tell("No todos match.");
  if (todos.length < total) {
    const more = total - todos.length;
    output.tell(`${more} more of ${total}. --limit shows more, --all shows all.`);
  }
}

async function readTodos(
  { client, output }: Session,
  { limit, all, sort }: ListFlags,
  due: DueFilter,
  filters: TodoQuery,
): Promise<{ todos: Todo[]; total: number }> {
  using progress = startProgress(output, "Reading todos");
  let count = 0;
  const read = (todos: readonly Todo[]) => progress.report((count += todos.length));
  const wanted = all ? Infinity : limit;
  if (due === "none") {
    const query = { ...filters, sort: sort ?? "-created_at" };
    const { records, total } = await listUndated(client, query, wanted, read);
    return { todos: records, total };
  }
  const { records, total } = await takePages(async (paging) => {
    const query = { ...filters, ...due, sort: sort ?? defaultSort, ...paging };
    const answer = await client.todos.list({ query });
    read(answer.data);
    return answer;
  }, wanted);
  return { todos: records, total };
}
