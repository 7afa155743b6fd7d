import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { CliError } from "../src/cli/errors.ts";
import { checkTransport, normalizeServer } from "../src/cli/instance/instance.ts";
import { createHome } from "./_cli.ts";
import { startServer, temporaryFolder } from "./_server.ts";
import { whoami } from "./_whoami.ts";

describe("the instance", { concurrency: 2 }, () => {
  test("is that of flags, else of the environment, else the current profile", async () => {
    await using one = await startServer();
    await using two = await startServer();
    await using other = await startServer();
    using home = createHome();
    using folder = temporaryFolder();
    const keys = await Promise.all([one, two, other].map(async (s) => (await s.register()).key));
    const profiles = {
      one: { server: one.url, key: keys[0]! },
      two: { server: two.url, key: keys[1]! },
    };
    mkdirSync(join(home.path, "config", "todo"), { recursive: true });
    const path = join(home.path, "config", "todo", "config.json");
    writeFileSync(path, JSON.stringify({ current: "one", profiles }));
    const env = { TODO_SERVER: other.url, TODO_API_KEY: keys[2]!, TODO_PROFILE: "two" };
    const cases: [args: string[], env: Record<string, string>, server: string][] = [
      [[], {}, one.url],
      [[], { TODO_PROFILE: "two" }, two.url],
      [[], env, other.url],
      [[], { ...env, TODO_SERVER: "" }, two.url],
      [["--profile", "one"], env, one.url],
      [["--server", other.url], { ...env, TODO_SERVER: "http://x" }, other.url],
      [["--data", folder.path], env, folder.path],
      // Where the local instance is does not say that it is meant.
      [[], { TODO_DATA: folder.path }, one.url],
      [["--profile", "local"], { TODO_DATA: folder.path }, folder.path],
    ];
    for (const [args, variables, server] of cases) {
      const label = JSON.stringify([args, Object.keys(variables)]);
      assert.equal((await whoami(home, args, variables)).server, server, label);
    }
    const both = await home.run(["whoami", "--profile", "one", "--server", one.url]);
    assert.equal(both.code, 2);
    assert.match(both.stderr, /--server and --profile name different instances/);
  });

  test("gets its key from a file, too", async () => {
    await using server = await startServer();
    using home = createHome();
    const ada = await server.register();
    const file = join(home.path, "key");
    writeFileSync(file, `${ada.key}\n`);
    const env = { TODO_SERVER: server.url, TODO_API_KEY_FILE: file };
    assert.equal((await whoami(home, [], env)).id, ada.user.id);
    const missing = await home.run(["whoami"], { env: { ...env, TODO_API_KEY_FILE: "/no/file" } });
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /TODO_API_KEY_FILE.*\/no\/file/);
    writeFileSync(file, "two words");
    const words = await home.run(["whoami", "--debug"], { env });
    assert.equal(words.code, 2);
    assert.ok(!words.stderr.includes("two words"));
  });

  test("without a key says where to get one", async () => {
    await using server = await startServer();
    using home = createHome();
    const { code, stderr } = await home.run(["whoami", "--server", server.url]);
    assert.equal(code, 4);
    assert.ok(stderr.includes(`TODO_API_KEY`) && stderr.includes(`todo login ${server.url}`));
    // The server is asked all the same: its catalogue is public.
    const themes = await home.run(["api", "GET", "/marketplace/themes", "--server", server.url]);
    assert.equal(themes.code, 0, themes.stderr);
  });
});

describe("a server's URL", () => {
  test("is taken in the forms that users have", () => {
    const cases: [given: string, expected: string][] = [
      ["https://todo.example.org/", "https://todo.example.org"],
      ["todo.example.org", "https://todo.example.org"],
      ["localhost:8636", "http://localhost:8636"],
      ["127.0.0.1", "http://127.0.0.1"],
      ["[::1]:8636", "http://[::1]:8636"],
      ["http://h/todo/api/v1/", "http://h/todo"],
    ];
    for (const [given, expected] of cases) assert.equal(normalizeServer(given), expected);
  });

  test("is refused when it is none, and never shows a password", () => {
    for (const given of ["ftp://x", "http://", "a b", ""]) {
      assert.throws(() => normalizeServer(given), { failure: "usage" }, given);
    }
    for (const given of ["https://ada:secret@x", "https://:secret@x", "ada:secret@x"]) {
      assert.throws(
        () => normalizeServer(given),
        (error) => error instanceof CliError && !error.message.includes("secret"),
      );
    }
  });

  test("gets a key over plain http on this machine only", () => {
    for (const server of ["http://localhost:1", "http://127.9.9.9", "http://[::1]", "https://x"]) {
      checkTransport({ insecure: false }, server);
    }
    for (const server of ["http://x", "http://localhost.x", "http://127.0.0.1.x", "http://[::2]"]) {
      assert.throws(() => checkTransport({ insecure: false }, server), { failure: "not_allowed" });
      checkTransport({ insecure: true }, server);
    }
  });
});
