import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { bundle } from "../bench/bundle.ts";

const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/** The program as one folder of JavaScript, which goes away at the end of its scope. */
export interface ProgramBundle extends Disposable {
  /** The path of its main module. */
  main: string;
}

/** Bundles the program, which starts as fast then as what users have. */
export async function bundleProgram(): Promise<ProgramBundle> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "todo-prove-"));
  return {
    main: await bundle(folder),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
