import type { Model } from "../../contract/schemas.ts";
import { type ActiveTheme, rememberTheme } from "./active-theme.ts";
import { isColor } from "../output/colors.ts";
import { CliError } from "../errors.ts";
import { shortId } from "../ids.ts";
import type { Session } from "../session.ts";
import { closest } from "../suggest.ts";

/** A theme of the catalogue, an installed one, or as a rule both. */
export interface ThemeEntry {
  /** The theme's name; of a theme that is no longer published, the start of its id. */
  name: string;
  /** Null when it is no longer published. */
  theme: Model<"Theme"> | null;
  /** Null when it is not installed. */
  installation: Model<"UserTheme"> | null;
}

/** The themes that there are for the caller; what is active is remembered on this machine. */
export async function loadThemes(session: Session): Promise<ThemeEntry[]> {
  const { client } = session;
  const [catalogue, installed] = await Promise.all([
    client.catalogue.list(),
    client.userThemes.list(),
  ]);
  const installations = new Map(installed.data.map((one) => [one.theme_id, one]));
  const published = catalogue.data.map((theme): ThemeEntry => {
    const installation = installations.get(theme.id) ?? null;
    installations.delete(theme.id);
    return { name: theme.name, theme, installation };
  });
  const others = [...installations.values()].map((installation): ThemeEntry => {
    return { name: shortId(installation.theme_id), theme: null, installation };
  });
  const entries = [...published, ...others];
  await rememberActive(session, entries);
  return entries;
}

/** Lets the terminal take the colours of the theme that is active among these. */
export async function rememberActive(
  { instance, output }: Pick<Session, "instance" | "output">,
  entries: readonly ThemeEntry[],
): Promise<void> {
  if (instance.key === undefined) return;
  const active = entries.find(({ installation }) => installation?.is_active);
  try {
    await rememberTheme(instance.key, active === undefined ? undefined : toActiveTheme(active));
  } catch (error) {
    // Colours are no reason to fail.
    output.tell(`The colours could not be kept: ${(error as Error).message}`);
  }
}

function toActiveTheme({ name, installation }: ThemeEntry): ActiveTheme {
  const primary = installation?.custom_settings?.["primary_color"];
  return { name, ...(typeof primary === "string" && isColor(primary) && { primary }) };
}

/**
 * The theme of that name (or display name), whatever its case, accents and spaces.
 *
 * @throws CliError `not_found`, with the theme that was probably meant
 */
export function findTheme(entries: readonly ThemeEntry[], text: string): ThemeEntry {
  const wanted = plain(text);
  const found = entries.find((entry) => namesOf(entry).some((name) => plain(name) === wanted));
  if (found !== undefined) return found;
  const meant = closest(
    wanted,
    entries.map(({ name }) => name),
  );
  const hint = meant === undefined ? "`todo themes` lists them." : `Did you mean ${meant}?`;
  throw new CliError("not_found", `There is no theme "${text}". ${hint}`);
}

/**
 * The same, for what needs the theme to be installed.
 *
 * @throws CliError `not_found`
 */
export function findInstalled(
  entries: readonly ThemeEntry[],
  text: string,
): ThemeEntry & { installation: Model<"UserTheme"> } {
  const { installation, ...entry } = findTheme(entries, text);
  if (installation !== null) return { ...entry, installation };
  const next = `Install it with \`todo themes install ${entry.name}\`.`;
  throw new CliError("not_found", `The theme ${entry.name} is not installed. ${next}`);
}

function namesOf({ name, theme, installation }: ThemeEntry): string[] {
  return [name, theme?.display_name ?? name, theme?.id ?? installation!.theme_id];
}

/** `Rosé Pine` is `rose-pine`. */
function plain(name: string): string {
  return name
    .normalize("NFD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .trim()
    .replace(/[\s_]+/gu, "-");
}
