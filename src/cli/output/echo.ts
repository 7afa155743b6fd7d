import type { Output } from "./output.ts";

/**
 * Shows what a command has done: the API's data with `--json`, otherwise a line, which `--quiet`
 * leaves out.
 *
 * @param line harmless
 */
export async function echo(output: Output, data: unknown, line: string): Promise<void> {
  await output.show(data, () => {
    if (!output.quiet) output.line(line);
  });
}
