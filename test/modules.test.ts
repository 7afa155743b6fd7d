import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const project = fileURLToPath(new URL("..", import.meta.url));
const recorder = new URL("_record-modules.mjs", import.meta.url).href;

/** The modules that a program loads: ours by their path in the project, packages by their name. */
function loadedBy(...program: string[]): Set<string> {
  const { status, stderr } = spawnSync(
    process.execPath,
    ["--import", "tsx", "--import", recorder, ...program],
    { cwd: project, encoding: "utf8" },
  );
  assert.equal(status, 0, stderr);
  const urls = stderr.split("\n").flatMap((line) => /^module (file:.+)$/.exec(line)?.[1] ?? []);
  const loaded = urls.map((url) => {
    const path = fileURLToPath(url.replace(/[?#].*$/, ""));
    const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path)?.[1];
    return inPackage ?? path.slice(project.length);
  });
  // They run the program from its source, and are no part of it.
  return new Set(loaded.filter((name) => name !== "tsx" && name !== "esbuild"));
}

describe("a plain command", () => {
  for (const args of [["--version"], ["--help"], ["serve", "--help"]]) {
    test(`todo ${args.join(" ")} loads no package of the server`, () => {
      const loaded = loadedBy("bin/todo.ts", ...args);
      assert.ok(loaded.has("src/cli/program.ts") && loaded.has("commander"));
      for (const name of ["arktype", "sql.js", "h3", "listhen", "jose", "bcryptjs", "undici"]) {
        assert.ok(!loaded.has(name), `${name} is loaded`);
      }
    });

    test(`todo ${args.join(" ")} loads nothing of the server's layers`, () => {
      const loaded = [...loadedBy("bin/todo.ts", ...args)];
      const layers = /^(migrations|src\/(server|services|storage))\//;
      assert.deepEqual(
        loaded.filter((name) => layers.test(name)),
        [],
      );
    });
  }
});

describe("the route table", () => {
  test("loads nothing but the error codes", () => {
    const loaded = loadedBy("src/contract/routes.ts");
    loaded.delete("src/contract/errors.ts");
    assert.deepEqual([...loaded], ["src/contract/routes.ts"]);
  });
});
