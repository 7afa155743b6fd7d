import { cpus, totalmem, type } from "node:os";
import { parseArgs } from "node:util";
import { parts } from "./parts.ts";
import type { Figure, Size } from "./part.ts";

/**
 * Carries out the proof, part by part, and prints its figures as a Markdown table on stdout.
 *
 *     npm run prove                  everything, at full size
 *     npm run prove -- --ci          the size that a gate has time for
 *     npm run prove -- lock faults   these parts only
 *
 * Exits with 1 when a figure misses its bar or a part cannot be carried out.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: { ci: { type: "boolean", default: false } },
    allowPositionals: true,
  });
  const unknown = positionals.filter((name) => !parts.some((part) => part.name === name));
  if (unknown.length > 0) {
    tell(`No such part: ${unknown.join(", ")}. There are ${parts.map((p) => p.name).join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  const wanted = parts.filter(({ name }) => positionals.length === 0 || positionals.includes(name));
  const rows = await runAll(wanted, values.ci ? "ci" : "full");
  process.stdout.write(`${table(rows)}\n\n${machine()}\n`);
  if (rows.some(({ ok }) => !ok)) process.exitCode = 1;
}

type Row = Figure & { part: string };

async function runAll(wanted: typeof parts, size: Size): Promise<Row[]> {
  const rows: Row[] = [];
  for (const { name, title, run } of wanted) {
    tell(`== ${name}: ${title}`);
    const started = performance.now();
    const figures = await run(size, (line) => tell(`   ${line}`)).catch(notCarriedOut);
    for (const figure of figures) {
      rows.push({ part: name, ...figure });
      tell(`   ${figure.ok ? "ok " : "BAD"} ${figure.what}: ${figure.value} (${figure.bar})`);
    }
    tell(`-- ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
  return rows;
}

function notCarriedOut(error: unknown): Figure[] {
  tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return [{ what: "could not be carried out", value: "–", bar: "runs to its end", ok: false }];
}

function table(rows: readonly Row[]): string {
  const lines = rows.map(
    ({ part, what, value, bar, ok }) =>
      `| ${part} | ${what} | ${value} | ${bar} | ${ok ? "✓" : "✗"} |`,
  );
  return ["| Part | What | Measured | Must be | |", "|---|---|---|---|---|", ...lines].join("\n");
}

function machine(): string {
  const memory = (totalmem() / 2 ** 30).toFixed(0);
  const [cpu] = cpus();
  return `Measured with Node ${process.versions.node} on ${type()}, ${cpus().length} × ${cpu?.model ?? "unknown"}, ${memory} GiB.`;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main();
