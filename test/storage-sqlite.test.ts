import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { describe, test } from "node:test";

import { openConnection } from "../src/storage/connection.ts";
import type { StorageError } from "../src/storage/errors.ts";
import { createHostFiles } from "../src/storage/host-files.ts";
import { nodeFs } from "../src/storage/host-fs.ts";
import { createHostImports, type HostImports } from "../src/storage/host-imports.ts";
import { compileSqlite, loadSqliteModule } from "../src/storage/sqlite-module.ts";
import { checkImports, startSqlite, type Sqlite } from "../src/storage/sqlite.ts";
import { createWasmMemory } from "../src/storage/wasm-memory.ts";
import { fsWith, makeFolder } from "./_storage.ts";

const wasm = createRequire(import.meta.url).resolve("sql.js/dist/sql-wasm-debug.wasm");

describe("the build of SQLite", () => {
  test("is refused when a byte of it is another", () => {
    const bytes = readFileSync(wasm);
    bytes[bytes.length - 1]! ^= 1;
    assert.throws(() => compileSqlite(bytes), { code: "failed", message: /not the one/ });
  });

  test("is refused when an import is missing, renamed or new", (t) => {
    const wanted = WebAssembly.Module.imports(loadSqliteModule());
    const given = importsOver(t);
    checkImports(wanted, given);
    const { fd_sync: sync, ...others } = given.wasi_snapshot_preview1;
    const renamed = { ...given, wasi_snapshot_preview1: { ...others, fd_sink: sync! } };
    assert.throws(() => checkImports(wanted, renamed), { message: /fd_sync.*fd_sink/ });
    assert.throws(() => checkImports(wanted.slice(1), given), { code: "failed" });
  });
});

describe("a function that SQLite imports", () => {
  test("never throws, whatever happens in it", (t) => {
    const broken = (): never => {
      // oxlint-disable-next-line typescript/only-throw-error -- nothing that may be thrown is safe
      throw "no error at all";
    };
    const names = Object.keys(nodeFs) as (keyof typeof nodeFs)[];
    const fs = fsWith(Object.fromEntries(names.map((name) => [name, broken])));
    const { env, wasi_snapshot_preview1: wasi } = importsOver(t, fs);
    const aborts = new Set(["__assert_fail", "_abort_js", "__handle_stack_overflow"]);
    for (const [name, call] of Object.entries({ ...env, ...wasi })) {
      if (aborts.has(name)) continue;
      // Pointers and lengths of every kind, most of them wrong.
      for (const args of [[], [0, 0, 0, 0], [99, 8n, 1, 64], [4, -1, 2 ** 31, 2 ** 32]]) {
        assert.doesNotThrow(() => (call as (...all: unknown[]) => unknown)(...args), name);
      }
    }
  });
});

describe("an error inside WebAssembly", () => {
  test("ends the use of the database", (t) => {
    const files = createHostFiles({ fs: nodeFs, folder: makeFolder(t), onSyncFailure() {} });
    t.after(() => files.abandon());
    const sqlite: Sqlite = startSqlite(loadSqliteModule(), files);
    const crashes: StorageError[] = [];
    const connection = openConnection(sqlite, "/test.db", {
      onCrash: (error) => crashes.push(error),
    });
    connection.script("CREATE TABLE t (a)");
    const whole = { ...sqlite };
    sqlite.sqlite3_step = () => {
      throw new WebAssembly.RuntimeError("unreachable");
    };
    assert.throws(() => connection.transaction(() => connection.run("DELETE FROM t")), {
      code: "failed",
    });
    Object.assign(sqlite, whole);
    assert.throws(() => connection.all("SELECT * FROM t"), { code: "failed" });
    assert.equal(crashes.length, 1);
  });
});

function importsOver(t: Parameters<typeof makeFolder>[0], fs = nodeFs): HostImports {
  const files = createHostFiles({ fs, folder: makeFolder(t), onSyncFailure() {} });
  const Memory = Reflect.get(WebAssembly, "Memory") as new (size: object) => WebAssembly.Memory;
  const memory = createWasmMemory(new Memory({ initial: 1 }));
  return createHostImports(files, () => memory);
}
