import { createInterface } from "node:readline";

/**
 * The lines of stdin that are not blank, without their ends, up to its end.
 *
 * To be read before the instance is opened: in `todo list | todo done -` both commands may work on
 * the same data folder, and the first must come to its end.
 */
export async function readLines(): Promise<string[]> {
  const lines: string[] = [];
  const reader = createInterface({ input: process.stdin, crlfDelay: Infinity, terminal: false });
  for await (const line of reader) {
    if (line.trim() !== "") lines.push(line.trim());
  }
  return lines;
}

/**
 * The given ids; `-` stands for those on stdin, each the first word of a line.
 *
 * @returns each once, in order
 */
export async function readIds(args: readonly string[]): Promise<string[]> {
  const fromStdin = args.includes("-") ? await readLines() : [];
  const ids = args.flatMap((arg) =>
    arg === "-" ? fromStdin.map((line) => line.split(/\s/u, 1)[0]!) : [arg],
  );
  return [...new Set(ids)];
}
