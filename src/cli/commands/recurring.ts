import type { Command } from "commander";
import type { Model } from "../../contract/schemas.ts";
import type { Schedule } from "../../contract/values.ts";
import { formatMoment } from "../dates.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import { printDetails } from "../output/details.ts";
import { echo } from "../output/echo.ts";
import { CliError } from "../errors.ts";
import { addExamples } from "../help/examples.ts";
import { findById, shortId } from "../ids.ts";
import { createNames } from "../todos/names.ts";
import { describeRecurrence } from "../agenda/occurrences.ts";
import type { Output } from "../output/output.ts";
import { type Column, printTable } from "../output/table.ts";
import { harmless } from "../output/text.ts";
import { type PageFlags, addPageOptions, addSortOption, listPages } from "../pages.ts";
import {
  type RecurringFlags,
  addRecurringOptions,
  categoryIds,
  recurringChanges,
  saveWithCategories,
  scheduleOption,
} from "../recurring-fields.ts";
import { removeByIds } from "../removal.ts";
import { type Session, withSession } from "../session.ts";
import { readIds } from "../stdin.ts";

type RecurringTask = Model<"RecurringTask">;

interface ListFlags extends PageFlags {
  schedule?: Schedule;
  favorite?: boolean;
}

/** `todo recurring …`. */
export function addRecurringCommands(program: Command): void {
  const recurring = program
    .command("recurring")
    .alias("rec")
    .description(
      "List and change recurring tasks. They show in `todo today` and `todo agenda`: weekly ones on the weekday, monthly ones on the day of the month on which they were added (or a shorter month's last day). Without a subcommand: list.",
    )
    .summary("list and change recurring tasks");
  addExamples(recurring, [
    ["todo recurring", "list them"],
    ["todo recurring add Water the plants --days mon,thu", "add one for two days a week"],
    ["todo recurring edit 7a3e5c1 --schedule daily", "change it"],
    ["todo recurring remove 7a3e5c1", "remove it"],
  ]);
  refuseUnknownCommands(recurring);
  addList(recurring);
  addAdd(recurring);
  addShow(recurring);
  addEdit(recurring);
  addRemove(recurring);
}

function addList(recurring: Command): void {
  const list = recurring
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List recurring tasks, the newest first.")
    .summary("list recurring tasks")
    .addOption(scheduleOption())
    .option("--favorite", "only favorites")
    .option("--no-favorite", "only others")
    .action(withSession(listTasks));
  addSortOption(list, ["title", "schedule", "created_at"]);
  addPageOptions(list);
  addExamples(list, [
    ["todo recurring list --schedule daily", "only those of each day"],
    ["todo recurring list --favorite --sort title", "only favorites, by title"],
  ]);
}

function addAdd(recurring: Command): void {
  const add = recurring
    .command("add <title...>")
    .description(
      "Add a recurring task: weekly, unless told otherwise. Unknown categories are made.",
    )
    .summary("add a recurring task")
    .action(withSession(addTask));
  addRecurringOptions(add);
  addExamples(add, [
    ["todo recurring add Take out the bins", "each week, on today's weekday"],
    ["todo recurring add Pay rent --schedule monthly", "each month, on today's day of it"],
    ["todo recurring add Gym --days mon,wed -c health", "on some days, in a category"],
  ]);
}

function addShow(recurring: Command): void {
  const show = recurring
    .command("show <id>")
    .description("Show a recurring task with all its fields.")
    .summary("show a recurring task")
    .action(withSession(showTask));
  addExamples(show, [["todo recurring show 7a3e5c1", "by the id that `todo recurring` shows"]]);
}

function addEdit(recurring: Command): void {
  const edit = recurring
    .command("edit <id>")
    .description("Change a recurring task. What is not given stays; categories are replaced.")
    .summary("change a recurring task")
    .option("--title <title>", "new title")
    .action(withSession(editTask));
  addRecurringOptions(edit);
  addExamples(edit, [
    ['todo recurring edit 7a3e5c1 --title "Feed the cat"', "another title"],
    ["todo recurring edit 7a3e5c1 --days sat,sun -c none", "other days, and no category"],
  ]);
}

function addRemove(recurring: Command): void {
  const remove = recurring
    .command("remove <id...>")
    .alias("rm")
    .description("Remove recurring tasks. `-` stands for ids on stdin.")
    .summary("remove recurring tasks")
    .action(async (args: string[], _flags: unknown, command: Command) => {
      await withSession(removeTasks)(await readIds(args), args, command);
    });
  addExamples(remove, [
    ["todo recurring remove 7a3e5c1", "one, without a question"],
    ["todo recurring remove 7a3e5c1 c2a4f1d -y", "several, without a question"],
  ]);
}

const columns: Column<RecurringTask>[] = [
  { title: "ID", value: ({ id }) => shortId(id), style: () => "dim" },
  { title: "Title", value: ({ title }) => title, flexible: true },
  { title: "Schedule", value: describeRecurrence, flexible: true },
  { title: "Favorite", value: ({ favorite }) => (favorite ? "yes" : ""), hideBelow: 60 },
  { title: "Categories", value: categoriesOf, flexible: true, hideBelow: 60 },
];

async function listTasks({ client, output }: Session, flags: ListFlags): Promise<void> {
  const { sort, schedule, favorite } = flags;
  const filter = {
    ...(sort !== undefined && { sort }),
    ...(schedule !== undefined && { schedule }),
    ...(favorite !== undefined && { favorite }),
  };
  const records = await listPages(
    (paging) => client.recurring.list({ query: { ...filter, ...paging } }),
    flags,
    output,
  );
  await output.show(records, () => printTable(output, columns, records));
}

async function addTask(
  { client, output }: Session,
  words: string[],
  flags: RecurringFlags,
): Promise<void> {
  const body = { ...recurringChanges(flags), title: words.join(" ") };
  if (flags.schedule === "custom" && flags.days === undefined) {
    throw new CliError("usage", "A custom schedule needs its days. Give --days, such as mon,thu.");
  }
  const ids = await categoryIds(createNames(client, output), flags);
  const task = await saveWithCategories(client, ids, (link) =>
    client.recurring.create({ body: { ...body, ...link } }),
  );
  await echo(output, task, `Added ${lineOf(output, task)}`);
}

async function showTask({ client, output }: Session, text: string): Promise<void> {
  const task = await findById(client, "recurring", text);
  await output.show(task, () => {
    printDetails(
      output,
      ["Title", task.title],
      [
        ["ID", task.id],
        ["Schedule", describeRecurrence(task)],
        ["Favorite", task.favorite ? "yes" : "no"],
        ["Categories", categoriesOf(task)],
        ["Created", formatMoment(task.created_at)],
        ["Updated", formatMoment(task.updated_at)],
        ["Description", task.description],
      ],
    );
  });
}

async function editTask(
  { client, output }: Session,
  text: string,
  flags: RecurringFlags,
): Promise<void> {
  const body = recurringChanges(flags);
  if (Object.keys(body).length === 0 && flags.category === undefined) {
    throw new CliError("usage", "Nothing to change. Give --title, --schedule or another flag.");
  }
  const { id } = await findById(client, "recurring", text);
  const ids = await categoryIds(createNames(client, output), flags);
  const task = await saveWithCategories(client, ids, (link) =>
    client.recurring.update({ params: { id }, body: { ...body, ...link } }),
  );
  await echo(output, task, `Changed ${lineOf(output, task)}`);
}

async function removeTasks(
  session: Session,
  ids: readonly string[],
  args: readonly string[],
): Promise<void> {
  const { client, output } = session;
  await removeByIds(session, "recurring", ids, {
    args,
    plural: "recurring tasks",
    nameOf: ({ title }) => title,
    lineOf: (task) => lineOf(output, task),
    remove: ({ id }) => client.recurring.remove({ params: { id } }),
  });
}

function categoriesOf({ categories }: RecurringTask): string {
  return categories.map(({ name }) => `@${name}`).join(" ");
}

function lineOf(output: Output, task: RecurringTask): string {
  const parts = [task.title, describeRecurrence(task), categoriesOf(task)].map(harmless);
  return [output.style("dim", shortId(task.id)), ...parts].join("  ").trimEnd();
}
