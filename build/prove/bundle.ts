import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { build } from "esbuild";

const project = fileURLToPath(new URL("../..", import.meta.url));

/**
 * Bundles the program, which starts as fast then as what users have.
 *
 * @returns the path of its main module, inside the project: SQLite is found from there
 */
export async function bundleProgram(): Promise<string> {
  const folder = join(project, "node_modules", ".cache", "todo-prove", String(process.pid));
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
  return join(folder, "todo.mjs");
}
