import type { Output } from "../output/output.ts";
import { wrap } from "../output/text.ts";

/** Lines of prose get no longer, however wide the terminal is. */
const maxWidth = 80;

/**
 * Prints Markdown: as it is for a program, for a person without its marks, in
 * lines that fit. It knows what our help uses: headings, paragraphs, lists, tables
 * and indented or fenced code.
 */
export function printMarkdown(output: Output, text: string): void {
  if (!output.isTerminal) {
    output.line(text.trimEnd());
    return;
  }
  const width = Math.min(output.width, maxWidth);
  for (const block of toBlocks(text)) {
    for (const line of formatBlock(block, width, output).split("\n")) output.line(line);
  }
}

/** The text's paragraphs, list items and code blocks, and the empty lines between them. */
function toBlocks(text: string): string[] {
  const blocks: string[] = [];
  let inCode = false;
  let isOpen = false;
  for (const line of text.trimEnd().split("\n")) {
    const isFence = line.startsWith("```");
    if (isFence) inCode = !inCode;
    const startsBlock = line === "" || inCode || isFence || /^(#|- |\|)/.test(line) || !isOpen;
    if (isFence) isOpen = false;
    else if (startsBlock) blocks.push(inCode ? `    ${line}` : line);
    else blocks.push(`${blocks.pop()!} ${line.trim()}`);
    isOpen = !isFence && !inCode && line !== "" && !line.startsWith("#");
  }
  return blocks;
}

function formatBlock(block: string, width: number, output: Output): string {
  const heading = /^#+ (.*)$/.exec(block)?.[1];
  if (heading !== undefined) return output.style("bold", plain(heading));
  if (block.startsWith("    ")) return block.slice(2);
  if (block.startsWith("|")) return plain(block);
  const indent = block.startsWith("- ") ? "  " : "";
  return wrap(plain(block), width - indent.length).join(`\n${indent}`);
}

/** Without the marks of code, emphasis and links. */
function plain(text: string): string {
  return text
    .replace(/`([^`]*)`/g, "$1")
    .replace(/\*\*([^*]*)\*\*/g, "$1")
    .replace(/\[([^\]]*)\]\(([^)]*)\)/g, "$1 ($2)");
}
