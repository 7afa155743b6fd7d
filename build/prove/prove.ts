import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import type { Figure } from "./part.ts";
import { parts } from "./parts.ts";
import { toTable, withFigures } from "./report.ts";
import { runParts } from "./run-parts.ts";

const page = new URL("../../src/cli/help/proof.md", import.meta.url);

/**
 * Carries out the proof, part by part, and prints its figures as a Markdown table on stdout.
 *
 *     npm run prove                  everything, at full size
 *     npm run prove -- --ci          the size that a gate has time for
 *     npm run prove -- lock faults   these parts only
 *     npm run prove -- --write       everything, and the figures also into `todo help proof`
 *     npm run prove -- --json        for programs
 *
 * Exits with 1 when a figure misses its bar or a part cannot be carried out; with `--ci`, times and
 * memory are told and do not decide.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      ci: { type: "boolean", default: false },
      json: { type: "boolean", default: false },
      write: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    refuse(
      `No such part: ${unknown.join(", ")}. There are ${parts.map((p) => p.name).join(", ")}.`,
    );
    return;
  }
  if (values.write && (values.ci || positionals.length > 0)) {
    refuse("--write is for everything at full size: leave out --ci and names of parts.");
    return;
  }
  const wanted = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const results = await runParts(wanted, values.ci ? "ci" : "full", tell);
  process.stdout.write(`${values.json ? JSON.stringify(results) : toTable(results)}\n`);
  if (values.write) {
    const date = new Date().toISOString().slice(0, 10);
    writeFileSync(page, withFigures(readFileSync(page, "utf8"), results, date));
  }
  const decides = ({ isNoisy }: Figure) => !(values.ci && isNoisy === true);
  const figures = results.flatMap((result) => result.figures);
  if (figures.some((figure) => !figure.ok && decides(figure))) process.exitCode = 1;
}

function refuse(reason: string): void {
  tell(reason);
  process.exitCode = 2;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main();
