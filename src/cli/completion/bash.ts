/**
 * What bash leaves to those who complete: to split the line into words, and to quote what is
 * inserted. Both follow the section "Quoting" of its manual.
 */

/** The last word of a line, as far as it is typed. */
interface LastWord {
  /** As it is typed. */
  raw: string;
  /** What it means. */
  text: string;
  /** The quote that is open at its end. */
  quote: string;
  /** How much of `raw` and of `text` stands before what is quoted. */
  rawStart: number;
  textStart: number;
}

export interface BashWord extends LastWord {
  /** The end of `raw` that bash replaces: what follows the last `=`, `:` or `@`. */
  replaced: string;
  /** The value of `COMP_TYPE`. */
  type: string;
}

/** Splits the line up to the cursor into words, without their quotes; the last may be empty. */
export function splitBashLine(line: string): { words: string[]; last: LastWord } {
  const words: string[] = [];
  let last = emptyWord();
  for (let i = 0; i < line.length; i += 1) {
    const character = line[i]!;
    if (last.quote === "" && /\s/.test(character)) {
      if (last.raw !== "") words.push(last.text);
      last = emptyWord();
      continue;
    }
    last.raw += character;
    if (character === last.quote) {
      last.quote = "";
    } else if (last.quote === "" && /['"]/.test(character)) {
      last.quote = character;
      last.rawStart = last.raw.length;
      last.textStart = last.text.length;
    } else if (isEscape(character, last.quote, line[i + 1])) {
      i += 1;
      last.raw += line[i] ?? "";
      last.text += line[i] ?? "";
    } else {
      last.text += character;
    }
  }
  return { words: [...words, last.text], last };
}

function emptyWord(): LastWord {
  return { raw: "", text: "", quote: "", rawStart: 0, textStart: 0 };
}

function isEscape(character: string, quote: string, next = ""): boolean {
  if (character !== "\\" || quote === "'") return false;
  return quote === "" || /[$`"\\]/.test(next);
}

/** What has a meaning within a quote, and cannot be written there without leaving it. */
const special: Record<string, RegExp> = { "'": /'/, '"': /["$`\\!]/ };

/** Menu completion inserts each candidate whole, with whatever stands beside it. */
const insertingTypes = new Set(["37", "42"]);

/**
 * The candidates that continue the word, quoted for bash. It shows no descriptions of its own, so
 * they stand behind the candidates while there are several: only what these have in common is
 * inserted then.
 */
export function formatForBash(
  word: BashWord,
  candidates: readonly { value: string; description: string }[],
): string[] {
  const fitting = candidates.flatMap(({ value, description }) => {
    const inserted = quoteFor(word, value);
    return inserted === undefined ? [] : [{ inserted, description }];
  });
  const areShown =
    fitting.length > 1 &&
    word.quote === "" &&
    !insertingTypes.has(word.type) &&
    // With `completion-ignore-case`, names that differ in case only have all of it in common.
    new Set(fitting.map(({ inserted }) => inserted.toLowerCase())).size === fitting.length;
  return fitting.map(({ inserted, description }) =>
    areShown && description !== "" ? `${inserted}  (${description})` : inserted,
  );
}

/** What bash is to put in the place of `replaced`; undefined for a value that does not fit. */
function quoteFor(word: BashWord, value: string): string | undefined {
  const { raw, text, quote, rawStart, textStart, replaced } = word;
  if (!value.startsWith(text)) return undefined;
  if (quote !== "" && special[quote]!.test(value.slice(textStart))) return undefined;
  const whole = quote === "" ? escape(value) : raw.slice(0, rawStart) + value.slice(textStart);
  const kept = raw.slice(0, raw.length - replaced.length);
  return raw.endsWith(replaced) && whole.startsWith(kept) ? whole.slice(kept.length) : undefined;
}

function escape(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}_@%+=:,./-]/gu, String.raw`\$&`);
}
