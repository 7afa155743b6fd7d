import { StorageError } from "./errors.ts";
import type { HostFiles } from "./host-files.ts";
import { createHostImports, type HostImports } from "./host-imports.ts";
import { createWasmMemory, type WasmMemory } from "./wasm-memory.ts";

/** The functions of SQLite's C interface in use: https://sqlite.org/c3ref/funclist.html */
interface SqliteFunctions {
  malloc(size: number): number;
  free(pointer: number): void;
  sqlite3_open(path: number, result: number): number;
  sqlite3_close_v2(db: number): number;
  sqlite3_exec(db: number, sql: number, callback: 0, context: 0, message: 0): number;
  sqlite3_errmsg(db: number): number;
  sqlite3_changes(db: number): number;
  sqlite3_prepare_v2(db: number, sql: number, size: number, result: number, tail: 0): number;
  sqlite3_finalize(statement: number): number;
  sqlite3_step(statement: number): number;
  sqlite3_reset(statement: number): number;
  sqlite3_clear_bindings(statement: number): number;
  sqlite3_bind_int(statement: number, index: number, value: number): number;
  sqlite3_bind_double(statement: number, index: number, value: number): number;
  sqlite3_bind_text(
    statement: number,
    index: number,
    pointer: number,
    size: number,
    destructor: number,
  ): number;
  sqlite3_bind_blob(
    statement: number,
    index: number,
    pointer: number,
    size: number,
    destructor: number,
  ): number;
  sqlite3_column_count(statement: number): number;
  sqlite3_column_name(statement: number, column: number): number;
  sqlite3_column_type(statement: number, column: number): number;
  sqlite3_column_double(statement: number, column: number): number;
  sqlite3_column_text(statement: number, column: number): number;
  sqlite3_column_blob(statement: number, column: number): number;
  sqlite3_column_bytes(statement: number, column: number): number;
}

interface SqliteModule extends SqliteFunctions {
  memory: WebAssembly.Memory;
  emscripten_stack_init(): void;
  emscripten_stack_get_base(): number;
  emscripten_stack_get_end(): number;
  __set_stack_limits(base: number, end: number): void;
  __wasm_call_ctors(): void;
}

/** A running SQLite, which reads and writes the files it was given and nothing else. */
export interface Sqlite extends SqliteFunctions {
  readonly heap: WasmMemory;
  /** Memory for the arguments of one call, {@link SCRATCH_BYTES} large. */
  readonly scratch: number;
  /** Memory for a pointer that a call answers through one of its arguments. */
  readonly cell: number;
}

export const SCRATCH_BYTES = 64 * 1024;

/**
 * Starts SQLite over a folder's files.
 *
 * @throws {StorageError} `failed` when the module does not import exactly what is given to it.
 */
export function startSqlite(module: WebAssembly.Module, files: HostFiles): Sqlite {
  const imports = createHostImports(files, () => heap);
  checkImports(WebAssembly.Module.imports(module), imports);
  const instance = new WebAssembly.Instance(module, { ...imports });
  const sqlite = instance.exports as unknown as SqliteModule;
  const heap = createWasmMemory(sqlite.memory);
  // What Emscripten's own start-up does, in its order.
  /* oxlint-disable no-underscore-dangle -- its names */
  sqlite.emscripten_stack_init();
  sqlite.__set_stack_limits(sqlite.emscripten_stack_get_base(), sqlite.emscripten_stack_get_end());
  sqlite.__wasm_call_ctors();
  /* oxlint-enable no-underscore-dangle */
  return { ...sqlite, heap, scratch: sqlite.malloc(SCRATCH_BYTES), cell: sqlite.malloc(8) };
}

/**
 * Checks that a module imports each of our functions and nothing else: one that is missing or has
 * another name could write elsewhere, or not at all.
 *
 * @throws {StorageError} `failed` when it does not; the message names the imports.
 */
export function checkImports(
  wanted: readonly WebAssembly.ModuleImportDescriptor[],
  given: HostImports,
): void {
  const wantedNames = wanted.map(({ module, name, kind }) => `${module}.${name} (${kind})`);
  const givenNames = Object.entries(given).flatMap(([module, functions]) =>
    Object.keys(functions).map((name) => `${module}.${name} (function)`),
  );
  const different = [
    ...wantedNames.filter((name) => !givenNames.includes(name)),
    ...givenNames.filter((name) => !wantedNames.includes(name)),
  ];
  if (different.length === 0) return;
  throw new StorageError(
    "failed",
    `The installed SQLite (sql.js) does not fit this version, so the database was not opened: ${different.join(", ")}. Install the program again.`,
  );
}
