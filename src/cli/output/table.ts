import type { Output, Style } from "./output.ts";
import { columnsOf, harmless, wrap } from "./text.ts";

/** A column of a table of records. */
export interface Column<T> {
  title: string;
  value: (record: T) => string;
  /** What programs get in place of `value`. */
  plain?: (record: T) => string;
  style?: (record: T) => Style | undefined;
  /** The column is the first to give way when the terminal is narrow; its text wraps. */
  flexible?: boolean;
  /** How narrow the column may become. */
  least?: number;
  /** Left out where the terminal has fewer columns. */
  hideBelow?: number;
}

const gap = 2;
const defaultLeast = 12;

/** The columns' widths: natural ones, of which the flexible give way first, and then the others. */
function fit<T>(total: number, columns: readonly Column<T>[], rows: readonly string[][]): number[] {
  const natural = columns.map(({ title }, index) =>
    Math.max(columnsOf(title), ...rows.map((row) => columnsOf(row[index]!))),
  );
  const narrowed = narrow(total, natural, columns, ({ flexible = false }) => flexible);
  return narrow(total, narrowed, columns, () => true);
}

/** Of the columns that give way, those furthest above their least become narrower. */
function narrow<T>(
  total: number,
  natural: readonly number[],
  columns: readonly Column<T>[],
  givesWay: (column: Column<T>) => boolean,
): number[] {
  const widths = [...natural];
  const spare = columns.map((column, index) => {
    const least = Math.max(column.least ?? defaultLeast, columnsOf(column.title));
    return givesWay(column) ? Math.max(0, widths[index]! - least) : 0;
  });
  let excess = widths.reduce((sum, width) => sum + width + gap, -gap) - total;
  while (excess > 0 && spare.some((columnsLeft) => columnsLeft > 0)) {
    const widest = spare.indexOf(Math.max(...spare));
    spare[widest]! -= 1;
    widths[widest]! -= 1;
    excess -= 1;
  }
  return widths;
}

/**
 * Prints records: a table for a person, without columns that are empty; tab-separated lines of all
 * columns, without a head, for a program. What users wrote is shown harmless in both.
 */
export async function printTable<T>(
  output: Output,
  columns: readonly Column<T>[],
  records: readonly T[],
): Promise<void> {
  if (!output.isTerminal) {
    for (const record of records) {
      const cells = columns.map(({ value, plain = value }) => harmless(plain(record)));
      output.line(cells.join("\t"));
    }
    return;
  }
  if (records.length === 0) return;
  const shown = columns.filter(
    ({ hideBelow = 0, value }) =>
      output.width >= hideBelow && records.some((record) => value(record) !== ""),
  );
  const texts = records.map((record) => shown.map(({ value }) => harmless(value(record))));
  const widths = fit(output.width, shown, texts);
  const head = shown.map(({ title }) => [output.style("dim", title)]);
  const rows = records.map((record, row) =>
    shown.map(({ style }, column) => {
      const styled = style?.(record);
      const lines = wrap(texts[row]![column]!, widths[column]!);
      return styled === undefined ? lines : lines.map((line) => output.style(styled, line));
    }),
  );
  for (const line of await layOut([head, ...rows], widths)) output.line(line);
}

const noBorders = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left"]
    .concat("bottom-right", "left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle")
    .map((name) => [name, ""]),
);

/** For private use by Unicode, and one column wide to everybody. */
const standIn = "\ue000";

/**
 * The lines of a table whose cells are already wrapped to the widths. cli-table3 measures text by
 * an older Unicode, to which new emoji are narrow and Thai is wide: it gets stand-ins of the right
 * width, which are then replaced one after the other.
 */
async function layOut(
  rows: readonly (readonly string[][])[],
  widths: readonly number[],
): Promise<string[]> {
  const { default: Table } = await import("cli-table3");
  const table = new Table({
    colWidths: widths.map((width) => width + gap),
    style: { head: [], border: [], "padding-left": 0, "padding-right": gap },
    chars: noBorders,
  });
  for (const row of rows) {
    table.push(row.map((cell) => cell.map((line) => standIn.repeat(columnsOf(line))).join("\n")));
  }
  const texts = rows.flatMap(inReadingOrder).values();
  return table
    .toString()
    .split("\n")
    .map((line) => line.replace(/\ue000+/g, () => texts.next().value ?? "").trimEnd());
}

/** The lines of a row's cells, from left to right and from top to bottom, without empty ones. */
function inReadingOrder(row: readonly string[][]): string[] {
  const height = Math.max(...row.map((cell) => cell.length));
  const lines = Array.from({ length: height }, (_, line) => row.map((cell) => cell[line] ?? ""));
  return lines.flat().filter((text) => columnsOf(text) > 0);
}
