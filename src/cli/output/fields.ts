import type { Output } from "./output.ts";
import { columnsOf, harmless, harmlessLines, wrap } from "./text.ts";

/** A field of a record as it is shown. */
export type ShownField = readonly [label: string, value: string];

/**
 * Prints the fields of a record, one below the other; to a program as tab-separated lines. What
 * users wrote is shown harmless; a value of several lines keeps them in a terminal only.
 */
export function printFields(output: Output, fields: readonly ShownField[]): void {
  const width = Math.max(...fields.map(([label]) => columnsOf(label))) + 2;
  for (const [label, value] of fields) {
    if (output.isTerminal) {
      const lines = harmlessLines(value)
        .split("\n")
        .flatMap((line) => wrap(line, output.width - width));
      const indented = lines.join(`\n${" ".repeat(width)}`);
      output.line(output.style("dim", label.padEnd(width)) + indented);
    } else {
      output.line(`${label}\t${harmless(value)}`);
    }
  }
}
