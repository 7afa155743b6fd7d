import Table from "cli-table3";
import { columnsOf, harmless } from "./text.ts";
import type { Output, Style } from "./output.ts";

/** A column of a table of records. */
export interface Column<T> {
  title: string;
  value(record: T): string;
  style?(record: T): Style | undefined;
  /** The column that gives way when the terminal is narrow; its text wraps. */
  flexible?: boolean;
}

const noBorders = Object.fromEntries(
  ["top", "top-mid", "top-left", "top-right", "bottom", "bottom-mid", "bottom-left"]
    .concat("bottom-right", "left", "left-mid", "mid", "mid-mid", "right", "right-mid", "middle")
    .map((name) => [name, ""]),
);

const gap = 2;
const leastFlexible = 12;

/** The columns' widths: natural ones, of which the flexible column gives way. */
function fit<T>(total: number, columns: readonly Column<T>[], rows: readonly string[][]): number[] {
  const natural = columns.map(({ title }, index) =>
    Math.max(columnsOf(title), ...rows.map((row) => columnsOf(row[index]!))),
  );
  const excess = natural.reduce((sum, width) => sum + width + gap, 0) - total;
  return natural.map((width, index) =>
    columns[index]!.flexible && excess > 0 ? Math.max(leastFlexible, width - excess) : width,
  );
}

/**
 * Prints records: a table for a person, tab-separated lines without a head for
 * a program. What users wrote is shown harmless in both.
 */
export function printTable<T>(
  output: Output,
  columns: readonly Column<T>[],
  records: readonly T[],
): void {
  const rows = records.map((record) => columns.map(({ value }) => harmless(value(record))));
  if (!output.isTerminal) {
    for (const row of rows) output.line(row.join("\t"));
    return;
  }
  if (rows.length === 0) return;
  const widths = fit(output.width, columns, rows);
  const table = new Table({
    head: columns.map(({ title }) => output.style("dim", title)),
    colWidths: widths.map((width) => width + gap),
    wordWrap: true,
    wrapOnWordBoundary: true,
    style: { head: [], border: [], "padding-left": 0, "padding-right": gap },
    chars: noBorders,
  });
  for (const [index, row] of rows.entries()) {
    const styles = columns.map(({ style }) => style?.(records[index]!));
    table.push(row.map((text, column) => {
      const style = styles[column];
      return style === undefined ? text : output.style(style, text);
    }));
  }
  for (const line of table.toString().split("\n")) output.line(line.trimEnd());
}
