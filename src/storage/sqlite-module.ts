import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";

import { StorageError } from "./errors.ts";

/**
 * SQLite 3.54.1 as sql.js 1.16.0 compiles it. The debug build, because only there do the imports
 * keep their names; it is checked, because a module with other imports could lose data.
 */
const SPECIFIER = "sql.js/dist/sql-wasm-debug.wasm";
const SHA256 = "d60edf60bd7134326204069ece82255dbe7c017f16664fbe6ed90ba89f277417";

let compiled: WebAssembly.Module | undefined;

/**
 * SQLite's WebAssembly module, compiled once.
 *
 * @throws {StorageError} `failed` when it is missing or is not the very build this code is for.
 */
export function loadSqliteModule(): WebAssembly.Module {
  compiled ??= compileSqlite(readSqlite());
  return compiled;
}

/**
 * Compiles SQLite after checking that these are the bytes of the pinned build.
 *
 * @throws {StorageError} `failed` when they are not.
 */
export function compileSqlite(bytes: Uint8Array<ArrayBuffer>): WebAssembly.Module {
  if (createHash("sha256").update(bytes).digest("hex") === SHA256) {
    return new WebAssembly.Module(bytes);
  }
  throw new StorageError(
    "failed",
    "The installed SQLite (sql.js) is not the one this version was built for, so the database was not opened. Install the program again.",
  );
}

function readSqlite(): Uint8Array<ArrayBuffer> {
  try {
    return readFileSync(createRequire(import.meta.url).resolve(SPECIFIER));
  } catch (error) {
    throw new StorageError(
      "failed",
      "The installed program is not complete: SQLite (sql.js) is missing. Install it again.",
      { cause: error },
    );
  }
}
