import type { Command } from "commander";
import type { Client } from "../../client/client.ts";
import type { Model } from "../../contract/schemas.ts";
import { colorFor, colorOption } from "../output/color-names.ts";
import { formatMoment } from "../dates.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import { printDetails } from "../output/details.ts";
import { echo } from "../output/echo.ts";
import { CliError } from "../errors.ts";
import { addExamples } from "../help/examples.ts";
import { shortId } from "../ids.ts";
import { type NamedKind, findNamed, findOneNamed } from "../named.ts";
import type { Output } from "../output/output.ts";
import { type Column, printTable } from "../output/table.ts";
import { harmless } from "../output/text.ts";
import { type PageFlags, addPageOptions, addSortOption, listPages } from "../pages.ts";
import { removeRecords } from "../removal.ts";
import { type Session, withSession } from "../session.ts";
import { readIds } from "../stdin.ts";
import { swatch, swatchColumns } from "../output/swatch.ts";

type Category = Model<"Category">;

interface CategoryFlags {
  name?: string;
  color?: string;
  favorite?: boolean;
}

/** `todo categories …`. */
export function addCategoryCommands(program: Command): void {
  const categories = program
    .command("categories")
    .alias("cats")
    .description("List and change categories. Without a subcommand: list.")
    .summary("list and change categories");
  addExamples(categories, [
    ["todo categories", "list them"],
    ["todo categories add errands", "add one, with a colour that goes with its name"],
    ["todo categories edit errands --color teal --favorite", "change it"],
    ["todo categories remove errands", "remove it; what was in it stays"],
  ]);
  refuseUnknownCommands(categories);
  addList(categories);
  addAdd(categories);
  addShow(categories);
  addEdit(categories);
  addRemove(categories);
}

function addList(categories: Command): void {
  const list = categories
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List categories, the newest first.")
    .summary("list categories")
    .option("--favorite", "only favorites")
    .option("--no-favorite", "only others")
    .action(withSession(listCategories));
  addSortOption(list, ["name", "favorite", "created_at"]);
  addPageOptions(list);
  addExamples(list, [
    ["todo categories list --favorite", "only favorites"],
    ["todo categories list --sort -favorite,name", "favorites first, then by name"],
  ]);
}

function addAdd(categories: Command): void {
  const add = categories
    .command("add <name>")
    .description("Add a category. Without a colour it gets one that goes with its name.")
    .summary("add a category")
    .addOption(colorOption())
    .option("--favorite", "make it a favorite")
    .action(withSession(addCategory));
  addExamples(add, [
    ["todo categories add errands", "with a colour of its own"],
    ["todo categories add bills --color '#F59E0B' --favorite", "with all it can have"],
  ]);
}

function addShow(categories: Command): void {
  const show = categories
    .command("show <category>")
    .description("Show a category, found by its name or its id.")
    .summary("show a category")
    .action(withSession(showCategory));
  addExamples(show, [
    ["todo categories show errands", "by name"],
    ["todo categories show c2a4f1d", "by the id that `todo categories` shows"],
  ]);
}

function addEdit(categories: Command): void {
  const edit = categories
    .command("edit <category>")
    .description("Change a category, found by its name or its id. What is not given stays.")
    .summary("change a category")
    .option("--name <name>", "new name")
    .addOption(colorOption())
    .option("--favorite", "make it a favorite")
    .option("--no-favorite", "make it none")
    .action(withSession(editCategory));
  addExamples(edit, [
    ["todo categories edit errands --name shopping", "rename it"],
    ["todo categories edit shopping --color green --no-favorite", "change the rest"],
  ]);
}

function addRemove(categories: Command): void {
  const remove = categories
    .command("remove <category...>")
    .alias("rm")
    .description(
      "Remove categories, found by name or id; `-` stands for ids on stdin. What was in them stays.",
    )
    .summary("remove categories")
    .action(async (args: string[], _flags: unknown, command: Command) => {
      await withSession(removeCategories)(await readIds(args), args, command);
    });
  addExamples(remove, [
    ["todo categories remove errands", "one, without a question"],
    ["todo categories remove errands bills -y", "several, without a question"],
  ]);
}

const kindOf = (client: Client): NamedKind<Category> => ({
  singular: "category",
  plural: "categories",
  mark: "@",
  request: (paging) => client.categories.list({ query: { ...paging, sort: "name" } }),
});

const columnsFor = (output: Output): Column<Category>[] => [
  { title: "ID", value: ({ id }) => shortId(id), style: () => "dim" },
  ...swatchColumns(output),
  { title: "Name", value: ({ name }) => name, flexible: true },
  { title: "Favorite", value: ({ favorite }) => (favorite ? "yes" : "") },
  ...(output.isTerminal ? [] : [{ title: "Color", value: ({ color }: Category) => color }]),
];

async function listCategories(
  { client, output }: Session,
  flags: PageFlags & CategoryFlags,
): Promise<void> {
  const { sort, favorite } = flags;
  const filter = {
    ...(sort !== undefined && { sort }),
    ...(favorite !== undefined && { favorite }),
  };
  const records = await listPages(
    (paging) => client.categories.list({ query: { ...filter, ...paging } }),
    flags,
    output,
  );
  await output.show(records, () => printTable(output, columnsFor(output), records));
}

async function addCategory(
  { client, output }: Session,
  name: string,
  flags: CategoryFlags,
): Promise<void> {
  const body = { color: colorFor(name), ...changesOf(flags), name };
  const { data } = await client.categories.create({ body });
  await echo(output, data, `Added ${lineOf(output, data)}`);
}

async function showCategory({ client, output }: Session, text: string): Promise<void> {
  const category = await findOneNamed(kindOf(client), text);
  await output.show(category, () => {
    const { id, name, color, favorite, created_at } = category;
    const fields = [
      ["ID", id],
      ["Color", color],
      ["Favorite", favorite ? "yes" : "no"],
      ["Created", formatMoment(created_at)],
    ] as const;
    printDetails(output, ["Name", name], fields, swatch(output, color));
  });
}

async function editCategory(
  { client, output }: Session,
  text: string,
  flags: CategoryFlags,
): Promise<void> {
  const body = changesOf(flags);
  if (Object.keys(body).length === 0) {
    throw new CliError("usage", "Nothing to change. Give --name, --color or --favorite.");
  }
  const { id } = await findOneNamed(kindOf(client), text);
  const { data } = await client.categories.update({ params: { id }, body });
  await echo(output, data, `Changed ${lineOf(output, data)}`);
}

async function removeCategories(
  session: Session,
  texts: readonly string[],
  args: readonly string[],
): Promise<void> {
  const { client, output } = session;
  const categories = await findNamed(kindOf(client), texts);
  await removeRecords(session, categories, {
    args,
    plural: "categories",
    nameOf: ({ name }) => name,
    lineOf: (record) => lineOf(output, record),
    remove: ({ id }) => client.categories.remove({ params: { id } }),
  });
}

function changesOf({ name, color, favorite }: CategoryFlags): CategoryFlags {
  return {
    ...(name !== undefined && { name }),
    ...(color !== undefined && { color }),
    ...(favorite !== undefined && { favorite }),
  };
}

function lineOf(output: Output, { id, name, color }: Category): string {
  return `${output.style("dim", shortId(id))}  ${swatch(output, color)}${harmless(name)}`;
}
