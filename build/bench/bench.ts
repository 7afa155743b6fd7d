import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { describeMachine, toTable } from "./report.ts";
import type { Figure, Section } from "./section.ts";
import { sections } from "./sections.ts";

/**
 * Measures the project beside two yardsticks, in turn, and prints medians and their ratios as a
 * Markdown table on stdout.
 *
 *     npm run bench                        everything, in less than ten minutes
 *     npm run bench -- get list            these sections only
 *     npm run bench -- --json              as JSON
 *     npm run bench -- --rounds 9 get      more repetitions (5 when not given)
 *     npm run bench -- --seconds 3 get     longer measurements (1 when not given)
 *
 * Its exit code says nothing about speed: that depends on what else the machine has to do.
 */
async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    options: {
      json: { type: "boolean", default: false },
      rounds: { type: "string", default: "5" },
      seconds: { type: "string", default: "1" },
    },
    allowPositionals: true,
  });
  const names = sections.map(({ name }) => name);
  const unknown = positionals.filter((name) => !names.includes(name));
  if (unknown.length > 0) {
    tell(`No such section: ${unknown.join(", ")}. There are ${names.join(", ")}.`);
    process.exitCode = 2;
    return;
  }
  const wanted = sections.filter(
    ({ name }) => positionals.length === 0 || positionals.includes(name),
  );
  const settings = { rounds: Number(values.rounds), ms: Number(values.seconds) * 1000 };
  const figures: Figure[] = [];
  for (const section of wanted) figures.push(...(await runOne(section, settings)));
  const machine = describeMachine();
  if (values.json) process.stdout.write(`${JSON.stringify({ machine, figures }, undefined, 2)}\n`);
  else process.stdout.write(`${toTable(figures)}\n\nMeasured with ${machine}.\n`);
}

async function runOne(
  { name, title, run }: Section,
  settings: { rounds: number; ms: number },
): Promise<Figure[]> {
  tell(`== ${name}: ${title}`);
  const started = performance.now();
  const folder = mkdtempSync(join(tmpdir(), "todo-bench-"));
  try {
    const figures = await run({ ...settings, folder, tell: (line) => tell(`   ${line}`) });
    for (const { work, against, ratio } of figures) {
      tell(`   ${work}: ${ratio.median.toFixed(2)} × ${against}`);
    }
    return figures;
  } finally {
    rmSync(folder, { recursive: true, force: true });
    tell(`-- ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  }
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main();
