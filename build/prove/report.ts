import { cpus, totalmem, type } from "node:os";
import type { Figure } from "./part.ts";
import type { Result } from "./run-parts.ts";

/** The results as a Markdown table, with the machine. */
export function toTable(results: readonly Result[]): string {
  const lines = results.flatMap(({ part, figures }) =>
    figures.map(
      ({ what, value, bar, ok }) =>
        `| ${part.name} | ${what} | ${value} | ${bar} | ${ok ? "✓" : "✗"} |`,
    ),
  );
  const head = ["| Part | What | Measured | Must be | |", "|---|---|---|---|---|"];
  return [...head, ...lines, "", `${machine()}.`].join("\n");
}

/** The heading of a page's last section, which holds the figures. */
const heading = "\n## Figures\n";

/**
 * Replaces the figures of a page by new ones: as lists, since tables do not fit terminals.
 *
 * @param date when they were measured, as a date
 * @throws Error when the page has no section for them
 */
export function withFigures(page: string, results: readonly Result[], date: string): string {
  const start = page.indexOf(heading);
  if (start === -1) throw new Error("The page has no section `## Figures`.");
  const sections = results.map(({ part, figures }) =>
    [`### ${part.name}: ${part.title}\n`, ...figures.map(toItem)].join("\n"),
  );
  const text = [`${machine()}, on ${date}.`, ...sections].join("\n\n");
  return `${page.slice(0, start)}${heading}\n${text}\n`;
}

function toItem({ what, value, bar, ok }: Figure): string {
  const isFree = bar === "for comparison";
  return `- ${ok ? "" : "✗ "}${what}: **${value}**${isFree ? "" : ` (must be: ${bar})`}`;
}

function machine(): string {
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  const [cpu] = cpus();
  return `Measured with Node ${process.versions.node} on ${type()}, ${cpus().length} × ${cpu?.model ?? "unknown"}, ${memory} GiB`;
}
