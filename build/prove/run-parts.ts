import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import type { Figure, Part, Size } from "./part.ts";

export interface Result {
  part: Pick<Part, "name" | "title">;
  figures: Figure[];
}

const program = fileURLToPath(new URL("prove.ts", import.meta.url));

/**
 * Carries out parts one after the other, and meanwhile those that run beside the others.
 *
 * @returns the results in the order of the parts
 */
export async function runParts(
  wanted: readonly Part[],
  size: Size,
  tell: (line: string) => void,
): Promise<Result[]> {
  const runsBeside = (part: Part) => part.beside === true && wanted.length > 1;
  const beside = wanted.filter(runsBeside).map((part) => runElsewhere(part, size, tell));
  const results: Result[] = [];
  for (const part of wanted.filter((each) => !runsBeside(each))) {
    results.push(await runPart(part, size, tell));
  }
  results.push(...(await Promise.all(beside)));
  const order = wanted.map(({ name }) => name);
  return results.toSorted((a, b) => order.indexOf(a.part.name) - order.indexOf(b.part.name));
}

async function runPart(
  { name, title, run }: Part,
  size: Size,
  tell: (line: string) => void,
): Promise<Result> {
  tell(`== ${name}: ${title}`);
  const started = performance.now();
  const say = (line: string) => tell(`   ${name}: ${line}`);
  const figures = await run(size, say).catch((error: unknown) => notCarriedOut(error, say));
  for (const { ok, what, value, bar } of figures) {
    say(`${ok ? "ok " : "BAD"} ${what}: ${value} (${bar})`);
  }
  tell(`-- ${name}: ${((performance.now() - started) / 1000).toFixed(0)} s`);
  return { part: { name, title }, figures };
}

/** In a process of its own: what the others compute does not keep it waiting, nor it them. */
async function runElsewhere(
  { name, title }: Part,
  size: Size,
  tell: (line: string) => void,
): Promise<Result> {
  const args = [program, "--json", ...(size === "ci" ? ["--ci"] : []), name];
  const stdio = ["ignore", "pipe", "inherit"] as const;
  const child = spawn(process.execPath, [...process.execArgv, ...args], { stdio: [...stdio] });
  try {
    const [result] = JSON.parse(await text(child.stdout)) as [Result];
    return result;
  } catch (error) {
    return { part: { name, title }, figures: notCarriedOut(error, tell) };
  }
}

function notCarriedOut(error: unknown, tell: (line: string) => void): Figure[] {
  tell(error instanceof Error ? (error.stack ?? error.message) : String(error));
  return [{ what: "could not be carried out", value: "–", bar: "runs to its end", ok: false }];
}
