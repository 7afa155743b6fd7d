import { mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";
import { bundle } from "../bench/bundle.ts";

const cache = fileURLToPath(new URL("../../node_modules/.cache", import.meta.url));

/** A program as one folder of JavaScript, which goes away at the end of its scope. */
export interface ProgramBundle extends Disposable {
  /** The path of its main module. */
  main: string;
}

/** Bundles the program, which starts as fast then as what users have. */
export function bundleProgram(): Promise<ProgramBundle> {
  return inFolder(bundle);
}

/** Bundles a module of the proof. */
export function bundleModule(path: string): Promise<ProgramBundle> {
  return inFolder(async (folder) => {
    const outfile = join(folder, "main.mjs");
    const options = { bundle: true, platform: "node", format: "esm" } as const;
    await build({ entryPoints: [path], outfile, ...options });
    return outfile;
  });
}

/** @param make makes the bundle in a folder within the project, where packages are found */
async function inFolder(make: (folder: string) => Promise<string>): Promise<ProgramBundle> {
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "todo-prove-"));
  return {
    main: await make(folder),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
