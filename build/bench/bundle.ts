import { copyFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { build } from "esbuild";
import { cacheFolder, root } from "./folders.ts";

/**
 * Bundles the program, as its users run it.
 *
 * @param folder inside the project: SQLite's file is found from there
 * @returns the path of its main module
 */
export async function bundle(folder = join(cacheFolder, "bundle")): Promise<string> {
  await build({
    absWorkingDir: root,
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
  // Where the modules that read them end up in the bundle.
  copyFileSync(
    join(root, "src", "services", "password-worker.mjs"),
    join(folder, "password-worker.mjs"),
  );
  const help = join(root, "src", "cli", "help");
  for (const name of readdirSync(help)) {
    if (name.endsWith(".md")) copyFileSync(join(help, name), join(folder, name));
  }
  return join(folder, "todo.mjs");
}
