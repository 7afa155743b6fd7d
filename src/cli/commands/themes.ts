import type { Command } from "commander";
import type { Model } from "../../contract/schemas.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import { printDetails } from "../output/details.ts";
import { echo } from "../output/echo.ts";
import { addExamples } from "../help/examples.ts";
import { printTable } from "../output/table.ts";
import { harmless } from "../output/text.ts";
import { removeRecords } from "../removal.ts";
import { type Session, withSession } from "../session.ts";
import { formatStatus, themeColumns, themeLine, themeSwatch } from "../themes/theme-view.ts";
import { formatSettings, readSettings, withSettings } from "../themes/theme-settings.ts";
import {
  type ThemeEntry,
  findInstalled,
  findTheme,
  loadThemes,
  rememberActive,
} from "../themes/themes.ts";

type UserTheme = Model<"UserTheme">;

/** `todo themes …`. */
export function addThemeCommands(program: Command): void {
  const themes = program
    .command("themes")
    .description(
      "Choose the colours of the terminal. The active theme belongs to your account; each machine remembers it for its terminals whenever a `todo themes` command runs there. Without a subcommand: list.",
    )
    .summary("choose the colours");
  addExamples(themes, [
    ["todo themes", "list them; yours are marked"],
    ["todo themes use nord", "take its colours, from now on"],
    ["todo themes set nord primary_color=#ff8800", "with a colour of your own"],
    ["todo themes use none", "back to the terminal's own colours"],
  ]);
  refuseUnknownCommands(themes);
  addReading(themes);
  addChoosing(themes);
  addChanging(themes);
}

function addReading(themes: Command): void {
  const list = themes
    .command("list", { isDefault: true })
    .alias("ls")
    .description(
      "List the themes of the catalogue and those that you have installed. With --json each is {theme, installation}, one of which may be null.",
    )
    .summary("list themes")
    .option("--installed", "only those that you have installed")
    .action(withSession(listThemes));
  addExamples(list, [["todo themes list --installed", "only yours"]]);

  const show = themes
    .command("show <theme>")
    .description("Show a theme, and your settings of it. With --json: {theme, installation}.")
    .summary("show a theme")
    .action(withSession(showTheme));
  addExamples(show, [["todo themes show nord", "what it is, and its colours"]]);
}

function addChoosing(themes: Command): void {
  const install = themes
    .command("install <theme>")
    .description("Install a theme without using it yet.")
    .summary("install a theme")
    .action(withSession(installTheme));
  addExamples(install, [["todo themes install nord", "keep it at hand"]]);

  const use = themes
    .command("use <theme>")
    .description(
      "Use a theme: it is installed if need be, and your other themes are no longer active. `none` uses none.",
    )
    .summary("use a theme")
    .action(withSession(useTheme));
  addExamples(use, [
    ["todo themes use tokyo-night", "take its colours"],
    ["todo themes use none", "the terminal's own colours"],
  ]);
}

function addChanging(themes: Command): void {
  const set = themes
    .command("set <theme> <setting...>")
    .description(
      "Change your settings of an installed theme: name=text, name:=json, and name=none to clear. primary_color stands in for the theme's own.",
    )
    .summary("change the settings of a theme")
    .action(withSession(setTheme));
  addExamples(set, [
    ["todo themes set nord primary_color=#ff8800", "a colour of your own"],
    ["todo themes set nord primary_color=none", "the theme's own again"],
  ]);

  const remove = themes
    .command("remove <theme...>")
    .alias("rm")
    .description("Uninstall themes; your settings of them are lost.")
    .summary("uninstall themes")
    .action(withSession(removeThemes));
  addExamples(remove, [
    ["todo themes remove nord", "one, without a question"],
    ["todo themes remove nord paper -y", "several, without a question"],
  ]);
}

async function listThemes(session: Session, flags: { installed?: boolean }): Promise<void> {
  const { output } = session;
  const entries = (await loadThemes(session)).filter(
    ({ installation }) => !flags.installed || installation !== null,
  );
  const data = entries.map(({ theme, installation }) => ({ theme, installation }));
  await output.show(data, () => printTable(output, themeColumns(output), entries));
}

async function showTheme(session: Session, text: string): Promise<void> {
  const { output } = session;
  const entry = findTheme(await loadThemes(session), text);
  const { theme, installation } = entry;
  await output.show({ theme, installation }, () => {
    const fields = [
      ["Title", theme?.display_name ?? null],
      ["Yours", formatStatus(entry) || "not installed"],
      ["Settings", formatSettings(installation?.custom_settings ?? null)],
      ["Author", theme?.author ?? null],
      ["Version", theme?.version ?? null],
      ["Price", theme && (theme.is_free ? "free" : String(theme.price))],
      ["Description", theme?.description ?? "This theme is no longer published."],
    ] as const;
    printDetails(output, ["Name", entry.name], fields, themeSwatch(output, entry));
  });
}

async function installTheme(session: Session, text: string): Promise<void> {
  const { client, output } = session;
  const entry = findTheme(await loadThemes(session), text);
  const { data } = await client.userThemes.create({ body: { theme_id: themeId(entry) } });
  const next = data.is_active ? "" : `  (todo themes use ${harmless(entry.name)})`;
  await echo(output, data, `Installed ${themeLine(output, entry)}${next}`);
}

async function useTheme(session: Session, text: string): Promise<void> {
  const { client, output } = session;
  const entries = await loadThemes(session);
  const chosen = text.toLowerCase() === "none" ? undefined : findTheme(entries, text);
  const active = chosen && (await activate(session, chosen));
  for (const { installation } of entries) {
    if (installation === null || !installation.is_active || installation.id === active?.id)
      continue;
    const params = { id: installation.id };
    await client.userThemes.update({ params, body: { is_active: false } });
  }
  const used = chosen === undefined ? [] : [{ ...chosen, installation: active ?? null }];
  await rememberActive(session, used);
  const line = chosen === undefined ? "Using no theme" : `Using ${themeLine(output, chosen)}`;
  await echo(output, active ?? null, line);
}

async function activate({ client }: Session, entry: ThemeEntry): Promise<UserTheme> {
  const { installation } = entry;
  const body = { is_active: true };
  const { data } =
    installation === null
      ? await client.userThemes.create({ body: { ...body, theme_id: themeId(entry) } })
      : await client.userThemes.update({ params: { id: installation.id }, body });
  return data;
}

function themeId({ theme, installation }: ThemeEntry): string {
  return theme?.id ?? installation!.theme_id;
}

async function setTheme(session: Session, text: string, settings: string[]): Promise<void> {
  const { client, output } = session;
  const assigned = readSettings(settings);
  const entries = await loadThemes(session);
  const entry = findInstalled(entries, text);
  const { id } = entry.installation;
  const custom_settings = withSettings(entry.installation.custom_settings, assigned);
  const { data } = await client.userThemes.update({ params: { id }, body: { custom_settings } });
  const changed = { ...entry, installation: data };
  await rememberActive(
    session,
    entries.map((one) => (one.installation?.id === id ? changed : one)),
  );
  const line = `Changed ${themeLine(output, entry)}  ${harmless(formatSettings(data.custom_settings))}`;
  await echo(output, data, line.trimEnd());
}

async function removeThemes(session: Session, texts: string[]): Promise<void> {
  const { client, output } = session;
  const entries = await loadThemes(session);
  const chosen = new Map(
    texts
      .map((text) => findInstalled(entries, text))
      .map((entry) => [entry.installation.id, entry]),
  );
  const removed = new Set<string>();
  try {
    await removeRecords(session, [...chosen.values()], {
      args: texts,
      plural: "themes",
      nameOf: ({ name }) => name,
      lineOf: (entry) => themeLine(output, entry),
      async remove({ installation: { id } }) {
        await client.userThemes.remove({ params: { id } });
        removed.add(id);
      },
    });
  } finally {
    await rememberActive(
      session,
      entries.filter(({ installation }) => !removed.has(installation?.id ?? "")),
    );
  }
}
