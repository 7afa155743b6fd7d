import type { Output, Style } from "../output/output.ts";
import type { Column } from "../output/table.ts";
import { harmless } from "../output/text.ts";
import { paletteOf } from "./palette.ts";
import { swatch } from "../output/swatch.ts";
import type { ThemeEntry } from "./themes.ts";

const shownColors = ["primary", "accent", "success", "warning", "danger"] as const;

/** The columns of a table of themes. */
export function themeColumns(output: Output): Column<ThemeEntry>[] {
  const colors = shownColors.map((role): Column<ThemeEntry> => {
    return {
      title: "",
      value: ({ name }) => (paletteOf(name) === undefined ? "" : "■"),
      style: ({ name }) => paletteOf(name)?.[role],
      hideBelow: 60,
    };
  });
  return [
    { title: "Name", value: ({ name }) => name, style: styleOf, flexible: true },
    ...(output.colorBits < 8 ? [] : colors),
    { title: "Yours", value: formatStatus, style: styleOf },
    {
      title: "Description",
      value: ({ theme }) => theme?.description ?? "",
      flexible: true,
      hideBelow: 60,
    },
  ];
}

/** Whether the caller has the theme; empty if not. */
export function formatStatus({ installation }: ThemeEntry): string {
  if (installation === null) return "";
  return installation.is_active ? "active" : "installed";
}

function styleOf({ installation }: ThemeEntry): Style | undefined {
  return installation?.is_active ? "cyan" : undefined;
}

/** Some of the theme's colours, where they are known. */
export function themeSwatch(output: Output, { name }: ThemeEntry): string {
  const palette = paletteOf(name);
  return palette === undefined ? "" : swatch(output, ...shownColors.map((role) => palette[role]));
}

/** The theme in a line. */
export function themeLine(output: Output, entry: ThemeEntry): string {
  return themeSwatch(output, entry) + harmless(entry.name);
}
