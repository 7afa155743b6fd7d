import stringWidth from "string-width";

/**
 * Text as it may go to a terminal: control characters, escape sequences and
 * characters that turn the direction of text are shown, not obeyed. Tabs and
 * line breaks become spaces, so that a record stays on its line.
 */
export function harmless(text: string): string {
  return text
    .replace(/[\t\n\r]+/g, " ")
    .replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) => {
      const code = character.codePointAt(0)!;
      return code < 0x20 ? String.fromCodePoint(0x2400 + code) : "\ufffd";
    });
}

/** Text of several lines, each harmless. */
export function harmlessLines(text: string): string {
  return text.split(/\r\n|\n|\r/).map(harmless).join("\n");
}

/** The number of columns that the text takes in a terminal. */
export function columnsOf(text: string): number {
  return stringWidth(text);
}

/** The text cut to so many columns, with an ellipsis where something is missing. */
export function clip(text: string, columns: number): string {
  if (columnsOf(text) <= columns) return text;
  let cut = "";
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    if (columnsOf(cut + segment) > columns - 1) break;
    cut += segment;
  }
  return `${cut}…`;
}
