import { getRawAsset } from "node:sea";
import { Script } from "node:vm";

/**
 * Loads the bundle's parts out of the executable, each when it is first needed. This is the script
 * that Node starts with, and again the script of every worker thread.
 */

interface Part {
  exports: unknown;
}

const parts = new Map<string, Part>();

/** The text of this very script, for the threads. */
const loaderName = "loader.js";

function readAsset(name: string): Uint8Array {
  try {
    return new Uint8Array(getRawAsset(name) as ArrayBuffer);
  } catch (error) {
    const message = `${name} is not in the executable.`;
    throw Object.assign(new Error(message, { cause: error }), { code: "ENOENT" });
  }
}

function readText(name: string): string {
  return Buffer.from(readAsset(name) as Uint8Array<ArrayBuffer>).toString("utf8");
}

function findCache(name: string): Buffer | undefined {
  try {
    return Buffer.from(getRawAsset(`${name}.cache`) as ArrayBuffer);
  } catch {
    // Made only for the kind of processor that the executable was built on.
    return undefined;
  }
}

const assets = {
  readAsset,
  readText,
  threadSource: (entry: string) => `${readText(loaderName)}\nloader.load("${entry}.js");`,
};

/** What stands for `require` in a part: other parts, the assets, and Node's own modules. */
function requirePart(specifier: string): unknown {
  if (specifier === "todo:assets") return assets;
  return specifier.startsWith("./") ? load(specifier.slice(2)) : require(specifier);
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
  const script = new Script(`(function(require,module,exports){${asciiText(name)}\n})`, {
    filename: name,
    cachedData: findCache(name),
  });
  const run = script.runInThisContext({ displayErrors: false }) as (
    require: typeof requirePart,
    module: Part,
    exports: unknown,
  ) => void;
  run(requirePart, part, part.exports);
  return part.exports;
}

/** Half the work of decoding UTF-8: the bundler writes ASCII only. */
function asciiText(name: string): string {
  return Buffer.from(readAsset(name) as Uint8Array<ArrayBuffer>).toString("latin1");
}
