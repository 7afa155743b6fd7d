import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { type Home, createHome } from "./_cli.ts";
import { config, configPath } from "./_config.ts";
import { answering, startFakeServer } from "./_fake-server.ts";
import { converse, startInTerminal } from "./_running.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

function nameOf(server: TestServer): string {
  return server.url.replace("http://", "");
}

function login(home: Home, server: TestServer, { user, password }: TestUser, ...more: string[]) {
  const args = ["login", server.url, "--email", user.email, "--password-stdin", ...more];
  return home.run(args, { input: `${password}\n` });
}

describe("todo login", { concurrency: 2 }, () => {
  test("keeps a named key in a private file, and becomes the current profile", async () => {
    await using server = await startServer();
    using home = createHome();
    const ada = await server.register();
    const done = await login(home, server, ada);
    assert.equal(done.code, 0, done.stderr);
    assert.equal(done.stdout, "");
    assert.match(done.stderr, new RegExp(`Logged in at ${server.url} as ${ada.user.email}`));

    const { current, profiles } = config(home);
    assert.equal(current, nameOf(server));
    const profile = profiles[nameOf(server)]!;
    const { data: keys } = await ada.client.keys.list();
    const made = keys.find(({ id }) => id === profile.keyId)!;
    assert.equal(made.name, `todo@${hostname()}`);
    assert.ok(profile.key.startsWith(made.key_prefix));
    assert.equal(profile.email, ada.user.email);
    assert.equal(statSync(configPath(home)).mode & 0o777, 0o600);
    assert.equal(statSync(dirname(configPath(home))).mode & 0o777, 0o700);

    const whoami = await home.run(["whoami", "--json"]);
    const shown = JSON.parse(whoami.stdout) as Record<string, { id: string }>;
    assert.equal(shown["user"]!.id, ada.user.id);
    assert.equal(shown["key"]!.id, profile.keyId);
    assert.equal(shown["server"], server.url);
    assert.ok(!whoami.stdout.includes(profile.key));
  });

  test("again replaces the profile's key, and revokes the older one", async () => {
    await using server = await startServer();
    using home = createHome();
    const ada = await server.register();
    await login(home, server, ada);
    const before = config(home).profiles[nameOf(server)]!;
    // The server of the current profile need not be named.
    const again = await home.run(["login", "--email", ada.user.email, "--password-stdin"], {
      input: ada.password,
    });
    assert.equal(again.code, 0, again.stderr);
    const after = config(home).profiles[nameOf(server)]!;
    assert.notEqual(after.key, before.key);
    const { data: keys } = await ada.client.keys.list();
    assert.equal(keys.find(({ id }) => id === before.keyId)!.is_active, false);
    assert.equal(keys.find(({ id }) => id === after.keyId)!.is_active, true);
  });

  test("to the local instance leaves the current profile alone", async () => {
    await using server = await startServer();
    using home = createHome();
    const ada = await server.register();
    await login(home, server, ada);
    const before = config(home);
    for (const local of [
      ["--profile", "local"],
      ["--data", home.path],
    ]) {
      const args = ["login", ...local, "--email", ada.user.email, "--password-stdin"];
      const { code, stderr } = await home.run(args, { input: ada.password });
      assert.equal(code, 2, stderr);
      assert.match(stderr, /URL of the server|give the URL/i);
      assert.deepEqual(config(home), before);
    }
  });

  test("takes a key from stdin, which logout then leaves valid", async () => {
    await using server = await startServer();
    using home = createHome();
    const ada = await server.register();
    const done = await home.run(["login", server.url, "--with-key", "--profile", "work"], {
      input: `${ada.key}\n`,
    });
    assert.equal(done.code, 0, done.stderr);
    const { server: url, key, email } = config(home).profiles["work"]!;
    assert.deepEqual([url, key, email], [server.url, ada.key, ada.user.email]);
    const out = await home.run(["logout"]);
    assert.equal(out.code, 0, out.stderr);
    assert.match(out.stderr, /stays valid/);
    assert.equal((await ada.client.profile.get()).data.id, ada.user.id);
  });

  test("with a wrong password or key keeps nothing", async () => {
    await using server = await startServer();
    using home = createHome();
    const ada = await server.register();
    // The last two are no password that an account could have.
    for (const password of ["wrong horse", "wrong", "wrong horse".repeat(9)]) {
      const wrong = await login(home, server, { ...ada, password });
      assert.equal(wrong.code, 4, password);
      assert.equal(wrong.stderr, "todo: Invalid e-mail or password.\n");
    }
    const withKey = await home.run(["login", server.url, "--with-key"], { input: "todo_no" });
    assert.equal(withKey.code, 4);
    assert.throws(() => config(home), { code: "ENOENT" });
  });

  test("never asks where nobody is, and names the flag", async () => {
    await using server = await startServer();
    using home = createHome();
    const cases: [args: string[], named: RegExp][] = [
      [["login"], /URL/],
      [["login", server.url], /--email/],
      [["login", server.url, "--email", "a@b.org"], /--password-stdin/],
      [["login", server.url, "--with-key"], /--with-key/],
      [["register", server.url, "--email", "a@b.org"], /--name/],
    ];
    for (const [args, named] of cases) {
      const { code, stderr } = await home.run(args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, named);
    }
    const inTerminal = startInTerminal(home, ["login", server.url, "--no-input"]);
    const { code, stdout } = await inTerminal.finished;
    assert.equal(code, 2);
    assert.match(stdout, /--email/);
  });

  test("sends nothing over plain http to another machine", async () => {
    using home = createHome();
    for (const command of ["login", "register"]) {
      const { code, stderr } = await home.run([command, "http://192.0.2.1:1"]);
      assert.equal(code, 4);
      assert.match(stderr, /plain http.*--insecure/);
    }
  });

  test("follows no redirect", async () => {
    await using other = await startFakeServer(answering(200, "{}"));
    await using server = await startFakeServer(
      answering(308, "", { location: `${other.url}/api/v1/auth/api-key` }),
    );
    using home = createHome();
    const args = ["login", server.url, "--email", "a@b.org", "--password-stdin"];
    const { code, stderr } = await home.run(args, { input: "correct horse" });
    assert.equal(code, 5);
    assert.ok(stderr.includes(other.url), stderr);
    assert.deepEqual(other.requests, []);
  });
});

describe("todo register", { concurrency: 2 }, () => {
  for (const columns of [80, 40]) {
    test(`asks in a terminal of ${columns} columns, and never shows the password`, async () => {
      await using server = await startServer();
      using home = createHome();
      const running = startInTerminal(home, ["register", server.url], columns);
      const { code, stdout } = await converse(running, [
        ["E-mail:", "ada@example.org\r"],
        ["Name:", "Ada Lovelace\r"],
        ["Password:", "short\r"],
        ["at least 8 characters", "er horse\r"],
        ["The same again:", "other\r"],
        ["two are different", `${"\u007f".repeat(5)}shorter horse\r`],
      ]);
      assert.equal(code, 0, stdout);
      assert.ok(!stdout.includes("horse"), stdout);
      const { email, keyId } = config(home).profiles[nameOf(server)]!;
      assert.equal(email, "ada@example.org");
      assert.match(keyId!, /^[0-9a-f-]{36}$/);
      const body = { email, password: "shorter horse" };
      const { data } = await server.client().auth.login({ body });
      assert.equal(data.user.name, "Ada Lovelace");
    });
  }

  test("works from a script, and says that an address is taken", async () => {
    await using server = await startServer();
    using home = createHome();
    const args = ["register", server.url, "--email", "ada@example.org"];
    args.push("--name", "Ada", "--password-stdin", "--json");
    const first = await home.run(args, { input: "correct horse" });
    assert.equal(first.code, 0, first.stderr);
    const { user } = JSON.parse(first.stdout) as { user: { name: string } };
    assert.equal(user.name, "Ada");
    const second = await home.run(args, { input: "correct horse" });
    assert.equal(second.code, 1);
    assert.deepEqual(JSON.parse(second.stderr), {
      code: "conflict",
      message: "email has already been taken.",
      errors: { email: "email has already been taken." },
    });
  });

  test("is refused by a server without registration", async () => {
    await using server = await startServer({ registrationOpen: false });
    using home = createHome();
    const args = ["register", server.url, "--email", "a@b.org", "--name", "A", "--password-stdin"];
    const { code, stderr } = await home.run(args, { input: "correct horse" });
    assert.equal(code, 4);
    assert.match(stderr, /Registration is closed/);
  });
});

describe("todo logout", { concurrency: 2 }, () => {
  test("revokes the key and removes the profile", async () => {
    await using server = await startServer();
    using home = createHome();
    const ada = await server.register();
    await login(home, server, ada);
    const { keyId } = config(home).profiles[nameOf(server)]!;
    const { code, stderr } = await home.run(["logout"]);
    assert.equal(code, 0, stderr);
    assert.deepEqual(config(home), { profiles: {} });
    const { data: keys } = await ada.client.keys.list();
    assert.equal(keys.find(({ id }) => id === keyId)!.is_active, false);
    const again = await home.run(["logout"]);
    assert.equal(again.code, 4);
    assert.match(again.stderr, /not logged in/);
  });

  test("keeps the profile of a server that cannot be reached, unless told otherwise", async () => {
    using home = createHome();
    await using gone = await startServer();
    await login(home, gone, await gone.register());
    await gone[Symbol.asyncDispose]();
    const kept = await home.run(["logout"]);
    assert.equal(kept.code, 5);
    assert.match(kept.stderr, /could not be reached.*still logged in.*logout -y/);
    assert.ok(config(home).current);
    const forgotten = await home.run(["logout", "-y"]);
    assert.equal(forgotten.code, 0, forgotten.stderr);
    assert.match(forgotten.stderr, /stays valid/);
    assert.deepEqual(config(home), { profiles: {} });
  });
});
