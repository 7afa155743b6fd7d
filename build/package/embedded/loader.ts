import { getRawAsset } from "node:sea";
import { Script } from "node:vm";

/**
 * Loads the bundle's parts out of the executable, each when it is first needed. This is the script
 * that Node starts with, and again the script of every worker thread.
 */

interface Part {
  exports: unknown;
}

type Bytes = Uint8Array<ArrayBuffer>;

const parts = new Map<string, Part>();

/** What the bundle imports as `todo:assets`. */
const assets = { readAsset, readText, threadSource };

function findRaw(name: string): Bytes | undefined {
  try {
    return new Uint8Array(getRawAsset(name) as ArrayBuffer);
  } catch {
    return undefined;
  }
}

/** The bytes of an asset, which may be compressed. */
function find(name: string): Bytes | undefined {
  const raw = findRaw(name);
  if (raw !== undefined) return raw;
  const packed = findRaw(`${name}.br`);
  if (packed === undefined) return undefined;
  // Loading it takes a while, and plain commands have no need to.
  const { brotliDecompressSync } = require("node:zlib") as typeof import("node:zlib");
  return brotliDecompressSync(packed);
}

function readAsset(name: string): Bytes {
  const bytes = find(name);
  if (bytes !== undefined) return bytes;
  throw Object.assign(new Error(`${name} is not in the executable.`), { code: "ENOENT" });
}

function readText(name: string, encoding: BufferEncoding = "utf8"): string {
  const { buffer, byteOffset, length } = readAsset(name);
  return Buffer.from(buffer, byteOffset, length).toString(encoding);
}

/** The program of a worker thread: this script, and what it is to load. */
function threadSource(entry: string): string {
  return `${readText("loader.js")}\nloader.load("${entry}.js");`;
}

/** What stands for `require` in a part: other parts, the assets, and Node's own modules. */
function requirePart(specifier: string): unknown {
  if (specifier === "todo:assets") return assets;
  return specifier.startsWith("./") ? load(specifier.slice(2)) : require(specifier);
}

/** A module of Node as `import` would give it, with a default export. */
function requireNode(name: string): object {
  const module = require(`node:${name}`) as object;
  return Object.create(module, { default: { value: module } }) as object;
}

/** The same, loaded when it is first used. */
function lazyNode(name: string): object {
  let module: object | undefined;
  return new Proxy(
    {},
    { get: (_, key): unknown => Reflect.get((module ??= requireNode(name)), key) },
  );
}

/**
 * Runs a part of the bundle, the first time only.
 *
 * @returns what it exports
 */
export function load(name: string): unknown {
  const known = parts.get(name);
  if (known !== undefined) return known.exports;
  const part: Part = { exports: {} };
  parts.set(name, part);
  // The bundler writes ASCII only, for which Latin 1 is the fastest.
  const text = readText(name, "latin1");
  const cachedData = find(`${name}.cache`);
  const script = new Script(`(function(require,requireNode,lazyNode,module,exports){${text}\n})`, {
    filename: name,
    // It is made only for the kind of machine that the executable was built on.
    cachedData:
      cachedData && Buffer.from(cachedData.buffer, cachedData.byteOffset, cachedData.length),
  });
  const run = script.runInThisContext({ displayErrors: false }) as (...given: unknown[]) => void;
  run(requirePart, requireNode, lazyNode, part, part.exports);
  return part.exports;
}

/** Runs the command line that the process was started with. */
export function start(): void {
  // Node would print the line of the bundle, thousands of characters long.
  process.on("uncaughtException", crash);
  const { main } = load("main.js") as { main: (args: readonly string[]) => Promise<void> };
  void main(process.argv.slice(2));
}

function crash(error: unknown): void {
  const stack = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`todo: it stopped because of a mistake in the program:\n${stack}\n`);
  process.exit(1);
}
