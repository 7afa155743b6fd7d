import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { GARBAGE_FLAGS } from "./crash/pool.ts";
import type { Figure, Part, Size } from "./part.ts";

export interface Result {
  part: Pick<Part, "name" | "title">;
  figures: Figure[];
}

const program = fileURLToPath(new URL("prove.ts", import.meta.url));

type Tell = (line: string) => void;

/** So many parts at a time share the machine; some of them leave it idle now and then. */
const LANES = 2;

/**
 * Carries out parts: first those whose times do not matter, {@link LANES} at a time, then the others
 * one after the other; and meanwhile those that run beside all.
 *
 * @returns the results in the order of the parts
 */
export async function runParts(wanted: readonly Part[], size: Size, tell: Tell): Promise<Result[]> {
  if (wanted.length === 1) return [await runPart(wanted[0]!, size, tell)];
  const started = performance.now();
  const beside = wanted.filter((part) => part.beside).map((part) => runElsewhere(part, size, tell));
  const others = wanted.filter((part) => !part.beside);
  const results = await runUntimed(
    others.filter((part) => part.untimed),
    size,
    tell,
  );
  for (const part of others.filter((each) => !each.untimed)) {
    results.push(await runPart(part, size, tell));
  }
  results.push(...(await Promise.all(beside)));
  tell(`-- all ${wanted.length} parts: ${secondsSince(started)}`);
  const order = wanted.map(({ name }) => name);
  return results.toSorted((a, b) => order.indexOf(a.part.name) - order.indexOf(b.part.name));
}

async function runUntimed(parts: readonly Part[], size: Size, tell: Tell): Promise<Result[]> {
  const waiting = [...parts];
  const results: Result[] = [];
  async function runLane(): Promise<void> {
    for (let part = waiting.shift(); part; part = waiting.shift()) {
      results.push(await runElsewhere(part, size, tell));
    }
  }
  await Promise.all(Array.from({ length: LANES }, runLane));
  return results;
}

async function runPart({ name, title, run }: Part, size: Size, tell: Tell): Promise<Result> {
  tell(`== ${name}: ${title}`);
  const started = performance.now();
  const say = (line: string) => tell(`   ${name}: ${line}`);
  // A promise that nothing is left to settle ends the process without a word, and so may the part.
  function isCutShort(code: number): void {
    say("BAD the process ends before this part does");
    process.exitCode = code === 0 ? 1 : code;
  }
  process.once("exit", isCutShort);
  const figures = await run(size, say).catch((error: unknown) => notCarriedOut(error, say));
  process.off("exit", isCutShort);
  for (const { ok, what, value, bar } of figures) {
    say(`${ok ? "ok " : "BAD"} ${what}: ${value} (${bar})`);
  }
  tell(`-- ${name}: ${secondsSince(started)}`);
  return { part: { name, title }, figures };
}

function secondsSince(started: number): string {
  return `${((performance.now() - started) / 1000).toFixed(0)} s`;
}

/** In a process of its own: what the others compute does not keep it waiting, nor it them. */
async function runElsewhere({ name, title }: Part, size: Size, tell: Tell): Promise<Result> {
  const args = [program, "--json", ...(size === "ci" ? ["--ci"] : []), name];
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const flags = [...process.execArgv, ...GARBAGE_FLAGS];
  const child = spawn(process.execPath, [...flags, ...args], { stdio: [...stdio] });
  try {
    const [result] = JSON.parse(await text(child.stdout)) as [Result];
    return result;
  } catch (error) {
    const say = (line: string) => tell(`   ${name}: ${line}`);
    return { part: { name, title }, figures: notCarriedOut(error, say) };
  }
}

function notCarriedOut(error: unknown, tell: Tell): Figure[] {
  tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return [{ what: "could not be carried out", value: "–", bar: "runs to its end", ok: false }];
}
