import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { before, describe, test } from "node:test";
import { type Bundle, bundle } from "../build/package/bundle.ts";
import { collectLicenses, formatLicenses } from "../build/package/licenses.ts";

describe("the bundle", () => {
  let built: Bundle;
  before(async () => {
    built = await bundle();
  });

  function part(name: string): string {
    const text = built.parts.get(name)?.toString();
    assert.ok(text, `there is no ${name}`);
    return text;
  }

  test("has the command line apart from what only a server needs", () => {
    assert.match(part("main.js"), /A self-hosted todo service/);
    assert.ok(part("main.js").length < 400_000);
    const others = [...built.parts].filter(([name]) => name !== "main.js");
    for (const word of [
      "ArkErrors",
      "JWTExpired",
      "get-port",
      "sqlite3_open",
      "AbortPromptError",
    ]) {
      assert.ok(!part("main.js").includes(word), word);
      assert.ok(
        others.some(([, bytes]) => bytes.includes(word)),
        `${word} is nowhere`,
      );
    }
  });

  test("loads no module of Node before a command needs it", () => {
    assert.doesNotMatch(part("main.js"), /[=,]require(Node)?\("(node:)?[a-z/_]+"\)[,;]/);
    assert.match(part("main.js"), /lazyNode\("crypto"\)/);
  });

  test("has every worker thread, under the name by which it is asked for", () => {
    assert.match(part("src.services.password-worker.js"), /parentPort/);
  });

  test("has the help texts and SQLite", () => {
    assert.match(built.files.get("src/cli/help/dates.md")!.toString(), /tomorrow/);
    assert.equal(
      built.files.get("sql.js/dist/sql-wasm-debug.wasm")!.toString("latin1", 1, 4),
      "asm",
    );
  });

  test("leaves out what listhen imports for features that are not in use", () => {
    for (const name of ["jiti", "untun", "crossws", "@parcel/watcher"]) {
      assert.ok(!built.inputs.some((file) => file.includes(`node_modules/${name}/`)), name);
    }
  });

  test("has no path of this machine", () => {
    for (const [name, bytes] of built.parts) {
      assert.ok(!bytes.includes(process.cwd()), name);
    }
  });

  test("comes with the licence of every package that is in it", () => {
    const licenses = collectLicenses(built.inputs);
    const names = new Set(licenses.map(({ name }) => name));
    for (const name of ["commander", "arktype", "bcryptjs", "sql.js", "@inquirer/prompts"]) {
      assert.ok(names.has(name), name);
    }
    assert.ok(!names.has("esbuild"));
    const text = formatLicenses(licenses, "The licence of Node.js");
    assert.match(text, /commander 14[\d.]+ \(MIT\)\n=+\n\n\(The MIT License\)/);
    assert.match(text, /The licence of Node\.js\n$/);
  });
});

describe("a package without the text of its licence", () => {
  test("fails the build", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "todo-licenses-"));
    try {
      const unlicensed = path.join(folder, "node_modules", "free");
      mkdirSync(unlicensed, { recursive: true });
      writeFileSync(path.join(unlicensed, "package.json"), `{"name":"free","license":"MIT"}`);
      const file = path.relative(process.cwd(), path.join(unlicensed, "index.js"));
      assert.throws(() => collectLicenses([file]), /free has no file with its licence/);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
