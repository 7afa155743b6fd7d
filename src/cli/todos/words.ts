import { CliError } from "../errors.ts";

/** A title as it was typed, and what the words in it say (the marks of todo.txt). */
export interface Title {
  title: string;
  /** `+Project` */
  project?: string;
  /** `@category` */
  categories: string[];
  /** `due:WHEN` */
  due?: string;
}

/** A name has a letter or a picture: `+49 170 …` is a number to call, not a project. */
const name = String.raw`\S*[\p{L}\p{Extended_Pictographic}]\S*`;
const marked = new RegExp(String.raw`(?<=^|\s)(?:[+@]${name}|due:\S+)(?=\s|$)`, "giu");
const markedAsWhole = new RegExp(
  String.raw`^(?:[+@].*[\p{L}\p{Extended_Pictographic}]|due:.)`,
  "isu",
);

/**
 * Reads the words of a title. In one argument (or line), words end at white space; where the title
 * is several arguments, one that starts with a mark is a word with its spaces: `+"Home Work"`.
 *
 * @param args the title's arguments
 * @param literal how many of the last ones are taken as they are (those after `--`)
 * @throws CliError `usage` when the words name several projects or dates
 */
export function readTitle(args: readonly string[], literal = 0): Title {
  const words: string[] = [];
  const texts = args.map((arg, index) => {
    if (index >= args.length - literal) return arg;
    if (args.length > 1 && markedAsWhole.test(arg)) {
      words.push(arg);
      return "";
    }
    return withoutMarked(arg, words);
  });
  const title = texts.filter((text) => text !== "").join(" ");
  const start = (mark: string) =>
    words.filter((word) => word.startsWith(mark)).map((word) => word.slice(1));
  const dues = words.filter((word) => /^due:/i.test(word)).map((word) => word.slice(4));
  const project = only("project", start("+"));
  const due = only("due date", dues);
  return {
    title,
    categories: start("@"),
    ...(project !== undefined && { project }),
    ...(due !== undefined && { due }),
  };
}

/** The text as it was without marked words; these are added to `words`. */
function withoutMarked(text: string, words: string[]): string {
  const found = text.match(marked);
  if (found === null) return text;
  words.push(...found);
  return text.replace(marked, "").replace(/\s+/gu, " ").trim();
}

function only(noun: string, values: readonly string[]): string | undefined {
  const [value, ...others] = new Set(values);
  if (others.length === 0) return value;
  const given = [value, ...others].join(", ");
  throw new CliError("usage", `A todo has one ${noun}, but its title has several: ${given}.`);
}

/**
 * How many of a command's last arguments are literal: those after `--`, of which commander does
 * not tell.
 */
export function countLiteral(argv: readonly string[] = process.argv.slice(2)): number {
  const end = argv.indexOf("--");
  return end === -1 ? 0 : argv.length - end - 1;
}
