import type { Command } from "commander";
import type { AdminClient } from "../../client/client.ts";
import type { AdminApi, AdminTheme } from "../../contract/admin-schemas.ts";
import { administer, withAdmin } from "../admin.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import { CliError } from "../errors.ts";
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { readInput } from "../input.ts";
import { echo } from "../output/echo.ts";
import type { Output } from "../output/output.ts";
import { type Column, printTable } from "../output/table.ts";
import { harmless } from "../output/text.ts";
import { askConsent } from "../prompts.ts";
import { closest } from "../suggest.ts";

type NewTheme = AdminApi["themes"]["create"]["bodyInput"];

/** `todo admin themes …`. */
export function addAdminThemesCommands(admin: Command): void {
  const themes = admin
    .command("themes")
    .description("Work with the catalogue of themes. Without a subcommand: list.")
    .summary("list, add and remove themes");
  addExamples(themes, [
    ["todo admin themes", "the catalogue, with what is not published"],
    ["todo admin themes add sunrise.json", "for all users to install"],
  ]);
  refuseUnknownCommands(themes);

  const list = themes
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List the catalogue, with themes that are not published.")
    .summary("list the catalogue")
    .action(withAdmin(listThemes));
  addExamples(list, [["todo admin themes list --json", "with all that is known of each"]]);

  const add = themes
    .command("add <file>")
    .description(
      "Add a theme from a JSON file: an object with name and display_name, and if need be description, author, version, thumbnail_url, price, is_published and palette. - reads stdin.",
    )
    .summary("add a theme from a JSON file")
    .action(withAdmin(addTheme));
  addExamples(add, [
    ["todo admin themes add sunrise.json", "published at once, and free without a price"],
    [
      `echo '{"name":"sunrise","display_name":"Sunrise"}' | todo admin themes add -`,
      "the least that a theme has",
    ],
  ]);

  const remove = themes
    .command("remove <theme>")
    .alias("rm")
    .description(
      "Remove a theme from the catalogue. Those who have installed it keep their settings of it, and see that it is no longer published.",
    )
    .summary("remove a theme")
    .action(withAdmin(removeTheme));
  addExamples(remove, [["todo admin themes remove sunrise", "asks when somebody uses it"]]);
}

const columns: Column<AdminTheme>[] = [
  { title: "Name", value: ({ name }) => name, flexible: true },
  { title: "Title", value: (theme) => theme.display_name, flexible: true, hideBelow: 80 },
  { title: "Version", value: ({ version }) => version, flexible: true },
  { title: "Price", value: (theme) => (theme.is_free ? "free" : String(theme.price)) },
  { title: "State", value: (theme) => (theme.is_published ? "published" : "hidden") },
  { title: "Installed", value: ({ installations }) => String(installations) },
];

async function listThemes(flags: Flags, output: Output): Promise<void> {
  const { data } = await administer(flags, ({ client }) => client.themes.list());
  await output.show(data, () => printTable(output, columns, data));
}

async function addTheme(flags: Flags, output: Output, file: string): Promise<void> {
  const body = parseTheme(file, await readInput(file));
  const { data } = await administer(flags, ({ client }) => client.themes.create({ body }));
  const state = data.is_published ? "" : ", not published";
  await echo(output, data, harmless(`Added ${data.name}  ${data.display_name}${state}`));
}

/** The server checks what is in it. */
function parseTheme(file: string, text: string): NewTheme {
  let theme: unknown;
  try {
    theme = JSON.parse(text);
  } catch (error) {
    const message = `${file} is not JSON: ${(error as Error).message}.`;
    throw new CliError("usage", message, { cause: error });
  }
  if (typeof theme === "object" && theme !== null && !Array.isArray(theme)) {
    return theme as NewTheme;
  }
  throw new CliError("usage", `${file} must hold one JSON object: the theme.`);
}

async function removeTheme(flags: Flags, output: Output, name: string): Promise<void> {
  const theme = await administer(flags, ({ client }) => findTheme(client, name));
  const { installations, id } = theme;
  const users = installations === 1 ? "One user has" : `${installations} users have`;
  if (installations > 0) {
    const question = `${users} installed ${theme.name}. Remove it from the catalogue?`;
    if (!(await askConsent(flags, question))) throw new CliError("failed", "Nothing was removed.");
  }
  await administer(flags, ({ client }) => client.themes.remove({ params: { id } }));
  await echo(output, null, harmless(`Removed ${theme.name}  ${theme.display_name}`));
}

async function findTheme(client: AdminClient, text: string): Promise<AdminTheme> {
  const { data } = await client.themes.list();
  const theme = data.find(({ name, id }) => [name, id].includes(text.toLowerCase()));
  if (theme !== undefined) return theme;
  const meant = closest(
    text,
    data.map(({ name }) => name),
  );
  const hint = meant === undefined ? "`todo admin themes` lists them." : `Did you mean ${meant}?`;
  throw new CliError("not_found", `There is no theme "${text}". ${hint}`);
}
