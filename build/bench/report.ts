import { execFileSync } from "node:child_process";
import { cpus, totalmem, type } from "node:os";
import { findRuntime } from "./runtime.ts";
import { type Figure, meets } from "./section.ts";

/** The figures as a Markdown table. */
export function toTable(figures: readonly Figure[]): string {
  const rows = figures.map((figure) => {
    const { work, unit, value, against, other, ratio, bar, cpuRatio } = figure;
    const limit = "atLeast" in bar ? `≥ ${bar.atLeast}` : `≤ ${bar.atMost}`;
    const spread = `**${round(ratio.median)}** (${round(ratio.low)}–${round(ratio.high)})`;
    const cells = [
      work,
      `${round(value)} ${unit}`,
      `${against}: ${round(other)}`,
      spread,
      cpuRatio === undefined ? "" : round(cpuRatio),
      limit,
      meets(figure) ? "✓" : "✗",
    ];
    return `| ${cells.join(" | ")} |`;
  });
  return [
    "| Work | todo | Against | Ratio | By processor time | Bar | |",
    "|---|---|---|---|---|---|---|",
    ...rows,
  ].join("\n");
}

/** Three digits, and no more than are before the point. */
function round(value: number): string {
  if (value >= 100) return Math.round(value).toLocaleString("en");
  return value.toPrecision(3);
}

/** What the figures were measured on. */
export function describeMachine(): string {
  const version = execFileSync(findRuntime(), ["--version"], { encoding: "utf8" }).trim();
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  return `Node ${version.slice(1)} on ${type()}, ${cpus().length} × ${cpus()[0]?.model ?? "unknown"}, ${memory} GiB`;
}
