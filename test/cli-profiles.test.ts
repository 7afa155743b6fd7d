import assert from "node:assert/strict";
import { readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type Home, createHome } from "./_cli.ts";
import { config, configPath, writeConfig } from "./_config.ts";
import { startServer } from "./_server.ts";

describe("todo profiles", () => {
  test("lists them without their keys, chooses and forgets", async () => {
    using home = createHome();
    const profile = { server: "https://todo.example.org", key: "todo_secret", email: "a@b.org" };
    writeConfig(home, JSON.stringify({ current: "one", profiles: { one: profile, two: profile } }));
    const list = await home.run(["profiles", "list", "--json"]);
    assert.ok(!list.stdout.includes("secret"));
    const listed = JSON.parse(list.stdout) as { name: string; current: boolean }[];
    assert.deepEqual(
      listed.map(({ name, current }) => [name, current]),
      [
        ["local", false],
        ["one", true],
        ["two", false],
      ],
    );
    assert.equal((await home.run(["profiles", "use", "two"])).code, 0);
    assert.equal(config(home).current, "two");
    const unknown = await home.run(["profiles", "use", "three"]);
    assert.equal(unknown.code, 3);
    assert.match(unknown.stderr, /There are: one, two/);
    assert.equal((await home.run(["profiles", "remove", "two"])).code, 0);
    assert.deepEqual(Object.keys(config(home).profiles), ["one"]);
    assert.equal(config(home).current, undefined);
    assert.equal((await home.run(["profiles", "use", "one"])).code, 0);
    assert.equal((await home.run(["profiles", "use", "local"])).code, 0);
    assert.equal(config(home).current, undefined);
  });
});

describe("the configuration", () => {
  test("survives 10 commands at once", async () => {
    await using server = await startServer();
    using home = createHome();
    const { key } = await server.register();
    const names = Array.from({ length: 10 }, (_, index) => `p${index}`);
    const runs = names.map((name) =>
      home.run(["login", server.url, "--with-key", "--profile", name], { input: key }),
    );
    for (const { code, stderr } of await Promise.all(runs)) assert.equal(code, 0, stderr);
    assert.deepEqual(Object.keys(config(home).profiles).toSorted(), names);
  });

  for (const [what, text] of [
    ["not JSON", '{"profiles": {"a": {"key": "todo_secret'],
    ["no configuration", "[]"],
    ["without a server", '{"profiles": {"a": {"key": "todo_secret"}}}'],
  ] as const) {
    test(`that is ${what} is a clear error`, async () => {
      using home = createHome();
      writeConfig(home, text);
      const { code, stderr } = await home.run(["whoami", "--debug"]);
      assert.equal(code, 1);
      assert.ok(
        stderr.startsWith(`todo: The configuration ${configPath(home)} is broken.`),
        stderr,
      );
      assert.ok(!stderr.includes("secret"), stderr);
      assert.equal(readFileSync(configPath(home), "utf8"), text);
    });
  }

  for (const [where, spoil] of [
    ["below a file", (home: Home) => writeFileSync(join(home.path, "config"), "no folder")],
    [
      "where no folder can be made",
      (home: Home) => symlinkSync("/proc", join(home.path, "config")),
    ],
  ] as const) {
    test(`that is to be ${where} is a clear error, and no key is left behind`, async () => {
      await using server = await startServer();
      using home = createHome();
      const { client, user, password } = await server.register();
      spoil(home);
      const args = ["login", server.url, "--email", user.email, "--password-stdin"];
      const { code, stderr } = await home.run(args, { input: password });
      assert.equal(code, 1);
      assert.ok(stderr.startsWith(`todo: ${configPath(home)} cannot be written: `), stderr);
      const { data: keys } = await client.keys.list();
      assert.deepEqual(
        keys.map(({ is_active }) => is_active),
        [false, true],
      );
    });
  }
});

describe("todo profile", () => {
  test("shows and changes the account", async () => {
    await using server = await startServer();
    using home = createHome();
    const { key, client } = await server.register();
    const env = { TODO_SERVER: server.url, TODO_API_KEY: key };
    const run = (...args: string[]) => home.run(["profile", ...args], { env });
    const settings = ["--set", "language=de", "--set", "size:=12", "--set", "theme:=null"];
    const picture = "https://example.org/g.png";
    const edited = await run("edit", "--name", "Grace", "--avatar", picture, ...settings);
    assert.equal(edited.code, 0, edited.stderr);
    const { data: user } = await client.profile.get();
    assert.equal(user.name, "Grace");
    assert.equal(user.avatar_url, picture);
    assert.deepEqual(user.settings, { language: "de", size: 12 });
    assert.match((await run("show")).stdout, /^Name\tGrace$/m);

    const replaced = await run("edit", "--settings", '{"a":1}', "--avatar", "none", "--json");
    const after = JSON.parse(replaced.stdout) as typeof user;
    assert.deepEqual([after.avatar_url, after.settings], [null, { a: 1 }]);
  });

  test("refuses what cannot be a change", async () => {
    await using server = await startServer();
    using home = createHome();
    const { key } = await server.register();
    const env = { TODO_SERVER: server.url, TODO_API_KEY: key };
    const cases: [args: string[], message: RegExp][] = [
      [[], /Nothing to change: give --name/],
      [["--settings", "[]"], /JSON object/],
      [["--settings", "{"], /--settings wants JSON/],
      [["--set", "language"], /--set language: give name=text/],
      [["--avatar", "ftp://x"], /avatar_url/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await home.run(["profile", "edit", ...args], { env });
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });
});
