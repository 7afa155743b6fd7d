import stringWidth from "string-width";

/**
 * Text as it may go to a terminal: control characters, escape sequences and
 * characters that turn the direction of text are shown, not obeyed. Tabs and
 * line breaks become spaces, so that a record stays on its line.
 */
export function harmless(text: string): string {
  return text
    .replace(/[\t\n\r]+/g, " ")
    .replace(
      /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu,
      (character) => {
        const code = character.codePointAt(0)!;
        return code < 0x20 ? String.fromCodePoint(0x2400 + code) : "\ufffd";
      },
    );
}

/** Text of several lines, each harmless. */
export function harmlessLines(text: string): string {
  return text
    .split(/\r\n|\n|\r/)
    .map(harmless)
    .join("\n");
}

/** The number of columns that the text takes in a terminal. */
export function columnsOf(text: string): number {
  // Most text is plain, and the rules of Unicode take 15 ms to load.
  return /^[\x20-\x7e]*$/.test(text) ? text.length : stringWidth(text);
}

let segmenter: Intl.Segmenter | undefined;

/** The characters of the text as readers count them. */
function characters(text: string): Intl.Segments {
  segmenter ??= new Intl.Segmenter();
  return segmenter.segment(text);
}

/** The text cut to so many columns, with an ellipsis where something is missing. */
export function clip(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  return `${fill(text, columns - 1)}…`;
}

/** As many whole characters as fit into so many columns. */
function fill(text: string, columns: number): string {
  let end = 0;
  let width = 0;
  for (const { segment, index } of characters(text)) {
    width += columnsOf(segment);
    if (width > columns) break;
    end = index + segment.length;
  }
  return text.slice(0, end);
}

function firstCharacter(text: string): string {
  const [first] = characters(text);
  return first?.segment ?? "";
}

/**
 * The text in lines of at most so many columns, broken at spaces where it can be. A character that
 * is wider than that gets a line of its own.
 */
export function wrap(text: string, columns: number): string[] {
  const lines: string[] = [];
  let line = "";
  for (const word of text.trim().split(/\s+/u)) {
    const longer = line === "" ? word : `${line} ${word}`;
    if (columnsOf(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== "") lines.push(line);
    line = word;
    while (columnsOf(line) > columns) {
      const part = fill(line, columns) || firstCharacter(line);
      lines.push(part);
      line = line.slice(part.length);
    }
  }
  return line === "" && lines.length > 0 ? lines : [...lines, line];
}
