import { type ShownField, printFields } from "./fields.ts";
import type { Output } from "./output.ts";
import { harmless, wrap } from "./text.ts";

/**
 * Prints a record: in a terminal its name as a heading, above its fields; to a program all as
 * fields. Fields without a value are left out.
 *
 * @param name what the record is called, as a field
 * @param mark something of one line to see before the heading; see `swatch`
 */
export function printDetails(
  output: Output,
  name: ShownField,
  fields: readonly (readonly [label: string, value: string | null])[],
  mark = "",
): void {
  const filled = fields.filter(
    (field): field is ShownField => field[1] !== null && field[1] !== "",
  );
  if (output.isTerminal) {
    const lines = wrap(harmless(name[1]), output.width - 2);
    for (const [index, line] of lines.entries()) {
      output.line((index === 0 ? mark : "") + output.style("bold", line));
    }
  }
  printFields(output, output.isTerminal ? filled : [name, ...filled]);
}
