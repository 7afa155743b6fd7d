import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type Home, createHome } from "./_cli.ts";
import { sourceProgram } from "./_program.ts";
import { startServer } from "./_server.ts";

/** Writes down every module that Node loads: packages as they are resolved, its own at the end. */
function recorder(home: Home): { env: Record<string, string>; modules: () => string[] } {
  const list = join(home.path, "modules.txt");
  const loader = join(home.path, "loader.mjs");
  const hook = join(home.path, "hook.mjs");
  writeFileSync(list, "");
  writeFileSync(
    loader,
    `import { appendFileSync } from "node:fs";
    export async function resolve(specifier, context, next) {
      const resolved = await next(specifier, context);
      appendFileSync(${JSON.stringify(list)}, resolved.url + "\\n");
      return resolved;
    }`,
  );
  writeFileSync(
    hook,
    `import { appendFileSync } from "node:fs";
    import { createRequire, register } from "node:module";
    register(${JSON.stringify(`file://${loader}`)});
    process.on("exit", () => {
      const required = Object.keys(createRequire(import.meta.url).cache);
      appendFileSync(${JSON.stringify(list)}, [...process.moduleLoadList, ...required].join("\\n"));
    });`,
  );
  return {
    env: { NODE_OPTIONS: `--import ${hook}` },
    modules: () => readFileSync(list, "utf8").split("\n"),
  };
}

const heavy =
  /node_modules\/(arktype|@ark|sql\.js|h3|srvx|listhen|jose|bcryptjs|@inquirer|chrono-node)\/|undici\/undici/;

describe("a plain command", () => {
  test("loads neither the server's packages nor Node's fetch", async () => {
    await using server = await startServer();
    using home = createHome(sourceProgram);
    const { key } = await server.register();
    const { env, modules } = recorder(home);
    for (const command of ["list", "whoami"]) {
      const { code, stderr } = await home.run([command], {
        env: { ...env, TODO_SERVER: server.url, TODO_API_KEY: key },
      });
      assert.equal(code, 0, stderr);
    }
    const loaded = modules();
    assert.deepEqual(
      loaded.filter((module) => heavy.test(module)),
      [],
    );
    // The record is one: it has what the command does need.
    assert.ok(loaded.some((module) => module.includes("node_modules/commander/")));
    assert.ok(loaded.some((module) => module.endsWith("src/cli/program.ts")));
    assert.ok(loaded.some((module) => module === "NativeModule http"));
  });
});
