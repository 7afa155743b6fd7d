import { type BashWord, formatForBash, splitBashLine } from "./bash.ts";
import type { Shell } from "./scripts.ts";
import type { Candidate } from "./words.ts";
import { clip, harmless } from "../output/text.ts";

/** What a shell's script asks. */
export interface Request {
  /** What follows the program's name; the last is the word to complete. */
  words: string[];
  /** The last word as it stands in bash, which cannot quote by itself. */
  inBash?: BashWord;
}

/** More of a title is not needed to know it again. */
const descriptionColumns = 60;

/**
 * Reads what a script passes: from zsh and fish the words, from bash the line up to the cursor,
 * the part of the last word that it is going to replace, and the kind of completion.
 */
export function readRequest(shell: Shell, args: readonly string[]): Request {
  if (shell !== "bash") return { words: [...args] };
  const [line = "", replaced = "", type = ""] = args;
  const { words, last } = splitBashLine(line);
  return { words: words.slice(1), inBash: { ...last, replaced, type } };
}

/**
 * What the script prints: a line that says whether file names are wanted, then a candidate on each
 * line, with its description after a tab.
 */
export function formatAnswer(
  { inBash }: Request,
  areFiles: boolean,
  candidates: readonly Candidate[],
): string {
  const shown = candidates
    // A name that moves the cursor cannot be typed either.
    .filter(({ value }) => harmless(value) === value)
    .map(({ value, description = "" }) => ({
      value,
      description: clip(harmless(description), descriptionColumns),
    }));
  const lines =
    inBash === undefined
      ? shown.map(({ value, description }) => `${value}\t${description}`)
      : formatForBash(inBash, shown);
  return [areFiles ? "files" : "words", ...lines, ""].join("\n");
}
