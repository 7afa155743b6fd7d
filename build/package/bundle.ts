import { readFileSync } from "node:fs";
import path from "node:path";
import { type BuildOptions, build, transform } from "esbuild";
import { embedPlugin } from "./embed.ts";
import { root, sourceFiles } from "./project.ts";
import { leaveOutPlugin, startFastPlugin } from "./slim.ts";

/** Files of packages that the program reads. */
const packageFiles = ["sql.js/dist/sql-wasm-debug.wasm"];

/** The whole program, as named pieces. */
export interface Bundle {
  /** The script that Node starts; it loads the parts. */
  loader: string;
  /** The program's JavaScript: `main.js`, and what it loads when it is needed. */
  parts: Map<string, Buffer>;
  /** What the program reads: help texts, SQLite. */
  files: Map<string, Buffer>;
  /** All that went into it, relative to the project. */
  inputs: string[];
}

/** Names stay as they are, for readable stack traces; they cost next to nothing. */
const options = {
  absWorkingDir: root,
  bundle: true,
  platform: "node",
  target: "node24",
  minifySyntax: true,
  minifyWhitespace: true,
  legalComments: "none",
  write: false,
  metafile: true,
} satisfies BuildOptions;

/**
 * Bundles the program. What it imports with `import()` becomes a part of its own, as do the worker
 * threads: every `.mjs` file in src is one. Every `.md` file in src is embedded as it is.
 *
 * @throws Error when the source does not bundle
 */
export async function bundle(): Promise<Bundle> {
  const workers = sourceFiles(".mjs").map((file) => ({ in: file, out: partName(file) }));
  const program = await build({
    ...options,
    entryPoints: [{ in: "build/package/embedded/main.ts", out: "main" }, ...workers],
    splitting: true,
    format: "esm",
    outdir: "out",
    external: ["todo:assets"],
    plugins: [embedPlugin, leaveOutPlugin, startFastPlugin],
  });
  const parts = new Map<string, Buffer>();
  for (const file of program.outputFiles) {
    const name = path.basename(file.path);
    parts.set(name, await toCommonJs(file.text, name));
  }
  const loader = await build({
    ...options,
    entryPoints: ["build/package/embedded/loader.ts"],
    format: "iife",
    globalName: "loader",
  });
  const files = new Map([
    ...sourceFiles(".md").map((file) => [file, readFileSync(path.join(root, file))] as const),
    ...packageFiles.map(
      (file) => [file, readFileSync(path.join(root, "node_modules", file))] as const,
    ),
  ]);
  const inputs = [
    ...Object.keys(program.metafile.inputs),
    ...packageFiles.map((file) => `node_modules/${file}`),
  ].toSorted();
  return { loader: loader.outputFiles[0]!.text, parts, files, inputs };
}

/** The name of a worker's part; the stand-in for `node:worker_threads` makes the same of its URL. */
function partName(file: string): string {
  return file.replace(/\.mjs$/, "").replaceAll("/", ".");
}

/** Only CommonJS can be loaded from memory, and only ES modules can be split: hence two steps. */
async function toCommonJs(code: string, name: string): Promise<Buffer> {
  const { target, minifySyntax, minifyWhitespace, platform } = options;
  const part = await transform(code, {
    target,
    minifySyntax,
    minifyWhitespace,
    platform,
    format: "cjs",
    supported: { "dynamic-import": false },
  });
  return Buffer.from(nodeModulesByNeed(part.code, name));
}

/**
 * esbuild's way to give a module of Node a default export reads all its other exports, some of
 * which Node loads only when they are read, `fetch` among them. And what every command loads takes
 * Node's modules when it needs them; there it is no matter that each use of one is slower.
 */
function nodeModulesByNeed(code: string, name: string): string {
  const withDefault = code.replace(
    /__toESM\(require\("(?:node:)?([\w/]+)"\)(?:,1)?\)/g,
    'requireNode("$1")',
  );
  if (name !== "main.js") return withDefault;
  return withDefault.replace(
    /(?:requireNode|require)\("(?:node:)?([\w/]+)"\)(?=[,;])/g,
    'lazyNode("$1")',
  );
}
