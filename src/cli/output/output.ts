import { styleText } from "node:util";
import type { Flags } from "../flags.ts";
import { harmless } from "./text.ts";

/** Names of colours and styles, as `util.styleText` knows them. */
export type Style = Parameters<typeof styleText>[0];

/** Where a command's results go: data to stdout, everything else to stderr. */
export interface Output {
  /** Whether stdout is a terminal that a person looks at. */
  readonly isTerminal: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  readonly json: boolean;
  /** A result: the API's data with `--json`, otherwise what `print` prints. */
  show(data: unknown, print: () => void): void;
  /** A line of a result, on stdout; already harmless. */
  line(text: string): void;
  /** Something that the user should know, on stderr; not with `--quiet`. */
  tell(message: string): void;
  /** Text in a style, where the terminal has colours. */
  style(style: Style, text: string): string;
}

/** The output of one command. */
export function createOutput(flags: Pick<Flags, "json" | "quiet" | "color">): Output {
  const { stdout, stderr } = process;
  const isTerminal = stdout.isTTY;
  const hasColor = isTerminal && flags.color && !process.env["NO_COLOR"];
  return {
    isTerminal,
    width: Math.max(40, Math.min(stdout.columns ?? 80, 200)),
    json: flags.json,
    show(data, print) {
      if (flags.json) stdout.write(`${JSON.stringify(data, undefined, 2)}\n`);
      else print();
    },
    line: (text) => stdout.write(`${text}\n`),
    tell(message) {
      if (!flags.quiet) stderr.write(`${harmless(message)}\n`);
    },
    style: (style, text) => (hasColor ? styleText(style, text, { validateStream: false }) : text),
  };
}
