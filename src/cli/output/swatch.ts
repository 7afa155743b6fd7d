import { isColor } from "./colors.ts";
import type { Output, Style } from "./output.ts";
import type { Column } from "./table.ts";

function styleOf(color: string): Style {
  return isColor(color) ? color : "dim";
}

/** The table column that shows the colour of each record; none where a terminal cannot. */
export function swatchColumns(output: Output): Column<{ color: string }>[] {
  if (output.colorBits < 8) return [];
  return [{ title: "", value: () => "■", style: ({ color }) => styleOf(color) }];
}

/** Something to see of the colours, followed by a space; nothing where a terminal cannot. */
export function swatch(output: Output, ...colors: string[]): string {
  if (output.colorBits < 8) return "";
  return `${colors.map((color) => output.style(styleOf(color), "■")).join("")} `;
}
