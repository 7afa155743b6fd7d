import { type Styler, paletteStyles } from "./colors.ts";
import type { Flags } from "../flags.ts";
import type { Palette } from "../themes/palette.ts";
import { harmless } from "./text.ts";

/** Names of colours and styles, as `util.styleText` knows them, or a colour as `#rrggbb`. */
export type Style = Parameters<Styler>[0];

/** Where a command's results go: data to stdout, everything else to stderr. */
export interface Output {
  /** Whether stdout is a terminal that a person looks at. */
  readonly isTerminal: boolean;
  /** Columns of the terminal. */
  readonly width: number;
  /** Bits of colour that the terminal has: 1 is none; below 8 there are only those with names. */
  readonly colorBits: number;
  readonly json: boolean;
  readonly quiet: boolean;
  /** A result: the API's data with `--json`, otherwise what `print` prints. */
  show(data: unknown, print: () => void | Promise<void>): Promise<void>;
  /** A line of a result, on stdout; already harmless. */
  line(text: string): void;
  /** Something that the user should know, on stderr; not with `--quiet`. */
  tell: (message: string) => void;
  /** Text in a style, where the terminal has colours. */
  style(style: Style, text: string): string;
}

/**
 * The output of one command.
 *
 * @param palette the colours of the active theme
 */
export function createOutput(
  flags: Pick<Flags, "json" | "quiet" | "color">,
  palette: Partial<Palette> = {},
): Output {
  const { stdout, stderr } = process;
  const isTerminal = stdout.isTTY;
  const hasColor = isTerminal && flags.color && !process.env["NO_COLOR"];
  const colorBits = hasColor ? stdout.getColorDepth() : 1;
  return {
    isTerminal,
    width: Math.max(40, Math.min(stdout.columns || 80, 200)),
    colorBits,
    json: flags.json,
    quiet: flags.quiet,
    async show(data, print) {
      if (flags.json) stdout.write(`${JSON.stringify(data, undefined, 2)}\n`);
      else await print();
    },
    line: (text) => stdout.write(`${text}\n`),
    tell(message) {
      if (!flags.quiet) stderr.write(`${harmless(message)}\n`);
    },
    style: paletteStyles(palette, colorBits),
  };
}
