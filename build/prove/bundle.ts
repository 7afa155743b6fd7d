import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const project = fileURLToPath(new URL("../..", import.meta.url));

/** The program as one folder of JavaScript, which goes away at the end of its scope. */
export interface ProgramBundle extends Disposable {
  /** The path of its main module. */
  main: string;
}

/** Bundles the program, which starts as fast then as what users have. */
export async function bundleProgram(): Promise<ProgramBundle> {
  // Inside the project, since the packages that stay outside the bundle are found from there.
  const cache = join(project, "node_modules", ".cache");
  mkdirSync(cache, { recursive: true });
  const folder = mkdtempSync(join(cache, "todo-prove-"));
  await build({
    absWorkingDir: project,
    entryPoints: ["bin/todo.ts"],
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    format: "esm",
    platform: "node",
    target: "node20",
    logLevel: "warning",
    banner: {
      js: 'import { createRequire as makeRequire } from "node:module"; const require = makeRequire(import.meta.url);',
    },
  });
  // Where the module that starts it ends up in the bundle.
  copyFileSync(
    join(project, "src", "services", "password-worker.mjs"),
    join(folder, "password-worker.mjs"),
  );
  return {
    main: join(folder, "todo.mjs"),
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  };
}
