import { createHash } from "node:crypto";
import { join } from "node:path";
import envPaths from "env-paths";
import { isColor } from "../output/colors.ts";
import { type Hex, type Palette, paletteOf } from "./palette.ts";
import { readIfThere, whileLocked, writePrivateFile } from "../instance/private-file.ts";

/** The theme whose colours the terminal takes. */
export interface ActiveTheme {
  name: string;
  /** In place of the theme's own primary colour, as `#RRGGBB`. */
  primary?: Hex;
}

/** By account: see `accountOf`. */
type Remembered = Record<string, ActiveTheme>;

/**
 * Where this machine remembers the active theme of each account, so that no command must ask for
 * it. Every `todo themes` command brings it up to date; without the file there is just no theme.
 */
function path(): string {
  const { log, config } = envPaths("todo", { suffix: "" });
  // env-paths has no folder for state; on Linux its log folder is that of the XDG specification.
  return join(process.platform === "linux" ? log : config, "themes.json");
}

/** A key is of one account on one instance, whichever way the instance is reached. */
function accountOf(key: string): string {
  return createHash("sha256").update(key).digest("hex").slice(0, 16);
}

/** A broken file is like none: colours are no reason to fail. */
function read(): Remembered {
  try {
    const remembered: unknown = JSON.parse(readIfThere(path()) ?? "{}");
    return typeof remembered === "object" && remembered !== null ? (remembered as Remembered) : {};
  } catch {
    return {};
  }
}

/** Remembers which theme the account of the key has active, or that none is. */
export async function rememberTheme(key: string, theme: ActiveTheme | undefined): Promise<void> {
  const account = accountOf(key);
  if (JSON.stringify(read()[account]) === JSON.stringify(theme)) return;
  await whileLocked(path(), () => {
    const { [account]: _, ...others } = read();
    const remembered = theme === undefined ? others : { ...others, [account]: theme };
    writePrivateFile(path(), `${JSON.stringify(remembered, undefined, 2)}\n`);
  });
}

/**
 * The colours of the account's active theme. Empty without one, and for a theme that is not of the
 * first catalogue, except for a primary colour of the user's own: the terminal's colours stay then.
 */
export function activePalette(key: string | undefined): Partial<Palette> {
  const theme = key === undefined ? undefined : read()[accountOf(key)];
  if (typeof theme?.name !== "string") return {};
  const { name, primary } = theme;
  const hasPrimary = typeof primary === "string" && isColor(primary);
  return { ...paletteOf(name), ...(hasPrimary && { primary }) };
}
