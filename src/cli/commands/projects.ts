import type { Command } from "commander";
import type { Client } from "../../client/client.ts";
import type { Model } from "../../contract/schemas.ts";
import { colorOption } from "../output/color-names.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import { formatMoment } from "../dates.ts";
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
import { noneAsNull } from "../none.ts";

type Project = Model<"Project">;

interface ProjectFlags {
  name?: string;
  description?: string;
  color?: string;
}

/** `todo projects …`. */
export function addProjectCommands(program: Command): void {
  const projects = program
    .command("projects")
    .description("List and change projects. Without a subcommand: list.")
    .summary("list and change projects");
  addExamples(projects, [
    ["todo projects", "list them"],
    ['todo projects add "Winter holidays" --color teal', "add one"],
    ['todo projects edit "Winter holidays" --name Summer', "rename it"],
    ["todo projects remove Summer", "remove it; its todos stay"],
  ]);
  refuseUnknownCommands(projects);
  addList(projects);
  addAdd(projects);
  addShow(projects);
  addEdit(projects);
  addRemove(projects);
}

function addList(projects: Command): void {
  const list = projects
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List projects, the newest first.")
    .summary("list projects")
    .action(withSession(listProjects));
  addSortOption(list, ["name", "created_at"]);
  addPageOptions(list);
  addExamples(list, [
    ["todo projects list --sort name", "by name"],
    ["todo projects list --all --json", "all of them, for a script"],
  ]);
}

function addAdd(projects: Command): void {
  const add = projects
    .command("add <name>")
    .description("Add a project.")
    .summary("add a project")
    .option("-d, --description <text>", "what it is about")
    .addOption(colorOption())
    .action(withSession(addProject));
  addExamples(add, [
    ["todo projects add Home", "with the colour that the server gives it"],
    ['todo projects add Home -d "House and garden" --color green', "with all it can have"],
  ]);
}

function addShow(projects: Command): void {
  const show = projects
    .command("show <project>")
    .description("Show a project, found by its name or its id.")
    .summary("show a project")
    .action(withSession(showProject));
  addExamples(show, [
    ["todo projects show Home", "by name"],
    ["todo projects show 9b1d7e3", "by the id that `todo projects` shows"],
  ]);
}

function addEdit(projects: Command): void {
  const edit = projects
    .command("edit <project>")
    .description("Change a project, found by its name or its id. What is not given stays.")
    .summary("change a project")
    .option("--name <name>", "new name")
    .option("-d, --description <text>", "what it is about; none clears it")
    .addOption(colorOption())
    .action(withSession(editProject));
  addExamples(edit, [
    ["todo projects edit Home --name House", "rename it"],
    ["todo projects edit House -d none", "without a description"],
  ]);
}

function addRemove(projects: Command): void {
  const remove = projects
    .command("remove <project...>")
    .alias("rm")
    .description(
      "Remove projects, found by name or id; `-` stands for ids on stdin. Their todos stay, without a project.",
    )
    .summary("remove projects")
    .action(async (args: string[], _flags: unknown, command: Command) => {
      await withSession(removeProjects)(await readIds(args), args, command);
    });
  addExamples(remove, [
    ["todo projects remove Home", "one, without a question"],
    ["todo projects remove Home Garden -y", "several, without a question"],
  ]);
}

const kindOf = (client: Client): NamedKind<Project> => ({
  singular: "project",
  plural: "projects",
  mark: "+",
  request: (paging) => client.projects.list({ query: { ...paging, sort: "name" } }),
});

const columnsFor = (output: Output): Column<Project>[] => [
  { title: "ID", value: ({ id }) => shortId(id), style: () => "dim" },
  ...swatchColumns(output),
  { title: "Name", value: ({ name }) => name, flexible: true },
  { title: "Description", value: ({ description }) => description ?? "", flexible: true },
  ...(output.isTerminal ? [] : [{ title: "Color", value: ({ color }: Project) => color }]),
];

async function listProjects({ client, output }: Session, flags: PageFlags): Promise<void> {
  const { sort } = flags;
  const records = await listPages(
    (paging) => client.projects.list({ query: { ...paging, ...(sort !== undefined && { sort }) } }),
    flags,
    output,
  );
  await output.show(records, () => printTable(output, columnsFor(output), records));
}

async function addProject(
  { client, output }: Session,
  name: string,
  flags: ProjectFlags,
): Promise<void> {
  const { data } = await client.projects.create({ body: { ...changesOf(flags), name } });
  await echo(output, data, `Added ${lineOf(output, data)}`);
}

async function showProject({ client, output }: Session, text: string): Promise<void> {
  const project = await findOneNamed(kindOf(client), text);
  await output.show(project, () => {
    const { id, name, description, color, created_at } = project;
    const fields = [
      ["ID", id],
      ["Color", color],
      ["Created", formatMoment(created_at)],
      ["Description", description],
    ] as const;
    printDetails(output, ["Name", name], fields, swatch(output, color));
  });
}

async function editProject(
  { client, output }: Session,
  text: string,
  flags: ProjectFlags,
): Promise<void> {
  const body = changesOf(flags);
  if (Object.keys(body).length === 0) {
    throw new CliError("usage", "Nothing to change. Give --name, --description or --color.");
  }
  const { id } = await findOneNamed(kindOf(client), text);
  const { data } = await client.projects.update({ params: { id }, body });
  await echo(output, data, `Changed ${lineOf(output, data)}`);
}

async function removeProjects(
  session: Session,
  texts: readonly string[],
  args: readonly string[],
): Promise<void> {
  const { client, output } = session;
  const projects = await findNamed(kindOf(client), texts);
  await removeRecords(session, projects, {
    args,
    plural: "projects",
    nameOf: ({ name }) => name,
    lineOf: (record) => lineOf(output, record),
    remove: ({ id }) => client.projects.remove({ params: { id } }),
  });
}

function changesOf({ name, description, color }: ProjectFlags) {
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description: noneAsNull(description) }),
    ...(color !== undefined && { color }),
  };
}

function lineOf(output: Output, { id, name, color }: Project): string {
  return `${output.style("dim", shortId(id))}  ${swatch(output, color)}${harmless(name)}`;
}
