import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { bundle } from "../build/bench/bundle.ts";

const cache = new URL("../node_modules/.cache", import.meta.url).pathname;

/** The words that run `todo` from source. */
export const sourceProgram: readonly string[] = [
  process.execPath,
  "--import",
  "tsx",
  new URL("../bin/todo.ts", import.meta.url).pathname,
];

/** The same program as a bundle, which starts in a fifth of the time: for tests of many commands. */
export const bundledProgram: readonly string[] = [process.execPath, await bundleOnce()];

async function bundleOnce(): Promise<string> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "todo-test-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true }));
  return bundle(folder);
}
