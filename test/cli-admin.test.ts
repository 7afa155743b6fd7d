import assert from "node:assert/strict";
import { chownSync, mkdirSync, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { adminOf } from "./_admin.ts";
import { type Home, createHome } from "./_cli.ts";
import { skipUnlessRoot } from "./_nobody.ts";
import { runCommand } from "./_process.ts";
import { converse, startInTerminal } from "./_running.ts";
import { type TestServer, startServer, temporaryFolder } from "./_server.ts";

/** A command line on the machine of a server, whose data folder it administers. */
async function setUp(): Promise<AsyncDisposable & { server: TestServer; home: Home; run: Run }> {
  const server = await startServer();
  const home = createHome();
  const env = { TODO_DATA: server.folder };
  return {
    server,
    home: { ...home, env: { ...home.env, ...env } },
    run: (args, input = "") => home.run(["admin", ...args], { env, input }),
    async [Symbol.asyncDispose]() {
      home[Symbol.dispose]();
      await server[Symbol.asyncDispose]();
    },
  };
}

type Run = (args: string[], input?: string) => ReturnType<Home["run"]>;

const password = "battery staple";

describe("todo admin", { concurrency: 2 }, () => {
  test("without a database says where it has looked, and makes nothing", async () => {
    using home = createHome();
    const data = join(home.path, "data", "todo");
    for (const words of [["users"], ["keys"], ["themes"], ["users", "remove", "a@b.org", "-y"]]) {
      const { code, stderr } = await home.run(["admin", ...words]);
      assert.equal(code, 3, stderr);
      assert.ok(stderr.includes(`There is no database in the data folder ${data}.`), stderr);
      assert.match(stderr, /--data or TODO_DATA/);
    }
    mkdirSync(data, { recursive: true });
    assert.equal((await home.run(["admin", "users"])).code, 3);
    assert.deepEqual(readdirSync(data), []);
  });

  test("users add makes the database, and no local account", async () => {
    using home = createHome();
    const args = ["admin", "users", "add", "ada@example.org", "--password-stdin"];
    const { code, stdout, stderr } = await home.run(args, { input: `${password}\n` });
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^Added [0-9a-f]{7} {2}ada@example\.org {2}\(ada\)\n$/);
    assert.deepEqual(readdirSync(join(home.path, "data", "todo")), ["todo.db"]);
  });

  test("is for a data folder: not for --server or --profile, whatever the environment names", async () => {
    await using machine = await setUp();
    for (const flags of [
      ["--server", machine.server.url],
      ["--profile", "work"],
    ]) {
      const { code, stderr } = await machine.run(["users", ...flags]);
      assert.equal(code, 2);
      assert.match(stderr, new RegExp(`^todo: ${flags[0]}: .* on its own machine.* --data`));
    }
    const env = { TODO_SERVER: "http://127.0.0.1:1", TODO_DATA: machine.server.folder };
    const { code, stderr } = await machine.home.run(["admin", "users"], { env });
    assert.equal(code, 0, stderr);
  });

  test("of another user's folder is not allowed", { skip: skipUnlessRoot }, async () => {
    using folder = temporaryFolder();
    chownSync(folder.path, 65_534, 65_534);
    const args = ["admin", "users", "--data", folder.path];
    const { code, stderr } = await runCommand(args, { unprivileged: true });
    assert.equal(code, 4, stderr);
    assert.match(stderr, /Only the owner of a data folder, and root, may administer it/);
  });

  test(
    "by root makes a database that the owner of the folder can use",
    { skip: skipUnlessRoot },
    async () => {
      using home = createHome();
      using folder = temporaryFolder();
      chownSync(folder.path, 65_534, 65_534);
      const args = ["admin", "users", "add", "ada@example.org", "--name", "Ada"];
      const { code, stderr } = await home.run(
        [...args, "--password-stdin", "--data", folder.path],
        { input: "correct horse" },
      );
      assert.equal(code, 0, stderr);
      assert.equal(statSync(join(folder.path, "todo.db")).uid, 65_534);
    },
  );
});

describe("todo admin users", { concurrency: 2 }, () => {
  test("lists them harmless, one in a line", async () => {
    await using machine = await setUp();
    const ada = await machine.server.register({ email: "ada@example.org", name: "Ada\u001b[2J\n" });
    await ada.client.todos.create({ body: { title: "x" } });
    const { stdout } = await machine.run(["users"]);
    assert.match(
      stdout,
      /^[0-9a-f]{7}\tada@example\.org\tAda␛\[2J \t1\t1\t\w{3} \d+ \w+ \d{4} .*\n$/,
    );
  });

  test("passwd and remove take an e-mail or the start of an id", async () => {
    await using machine = await setUp();
    const ada = await machine.server.register({ email: "ada@example.org" });
    const passwd = ["users", "passwd", ada.user.id.slice(0, 7), "--password-stdin"];
    const changed = await machine.run([...passwd, "--revoke-keys"], password);
    assert.equal(changed.code, 0, changed.stderr);
    assert.match(changed.stderr, /Tokens .* have ended\. Revoked: 1 key\./);
    await machine.server.client().auth.login({ body: { email: ada.user.email, password } });
    for (const [user, code] of [
      ["abc", 2],
      ["eve@example.org", 3],
    ] as const) {
      assert.equal((await machine.run(["users", "remove", user, "-y"])).code, code);
    }
    const removed = await machine.run(["users", "rm", "ADA@example.org", "-y"]);
    assert.equal(removed.code, 0, removed.stderr);
    assert.match(removed.stdout, /^Removed .* with 0 todos, 1 key and everything else/);
  });

  test("passwd says which keys go on", async () => {
    await using machine = await setUp();
    await machine.server.register({ email: "ada@example.org" });
    const args = ["users", "passwd", "ada@example.org", "--password-stdin"];
    const { stderr } = await machine.run(args, password);
    assert.match(stderr, /Still valid: 1 key; --revoke-keys/);
  });

  test("remove asks, and says how much goes", async () => {
    await using machine = await setUp();
    const ada = await machine.server.register({ email: "ada@example.org" });
    await ada.client.todos.create({ body: { title: "x" } });
    const unasked = await machine.run(["users", "remove", "ada@example.org"]);
    assert.equal(unasked.code, 2);
    assert.match(unasked.stderr, /ada@example\.org.* with 1 todo, 1 key and .*--yes/);
    const asked = startInTerminal(
      machine.home,
      ["admin", "users", "remove", "ada@example.org"],
      120,
    );
    const { code } = await converse(asked, [["for good?", "\r"]]);
    assert.equal(code, 1);
    await ada.client.todos.list();
  });

  test("passwd asks twice, and holds nobody up meanwhile", async () => {
    using home = createHome();
    const data = join(home.path, "data", "todo");
    await home.run(["admin", "users", "add", "ada@example.org", "--password-stdin"], {
      input: "the first one",
    });
    const asked = startInTerminal(home, ["admin", "users", "passwd", "ada@example.org"], 120);
    await asked.shows("Password:");
    {
      // In process, and yet at once.
      await using admin = await adminOf(data);
      assert.equal(admin.isServed, false);
    }
    asked.child.stdin.write(`${password}\r`);
    const { code, stdout } = await converse(asked, [["The same again:", `${password}\r`]]);
    assert.equal(code, 0, stdout);
    assert.ok(!stdout.includes(password));
    await using server = await startServer({ folder: data });
    await server.client().auth.login({ body: { email: "ada@example.org", password } });
  });
});

describe("todo admin keys", { concurrency: 2 }, () => {
  test("lists those of one user, revoked ones with --all", async () => {
    await using machine = await setUp();
    const ada = await machine.server.register({ email: "ada@example.org" });
    await machine.server.register();
    const { data } = await ada.client.keys.create({ body: { name: "old" } });
    await ada.client.keys.remove({ params: { id: data.id } });
    const user = ["--user", "ada@example.org"];
    const names = async (...flags: string[]) => {
      const { stdout } = await machine.run(["keys", ...user, ...flags, "--json"]);
      return (JSON.parse(stdout) as { name: string }[]).map(({ name }) => name);
    };
    assert.deepEqual(await names(), ["Registration"]);
    assert.deepEqual(await names("--all"), ["old", "Registration"]);
  });

  test("revokes by the start of the key, and never takes a whole one", async () => {
    await using machine = await setUp();
    const { key, client } = await machine.server.register();
    const whole = await machine.run(["keys", "revoke", key]);
    assert.equal(whole.code, 2);
    assert.ok(!whole.stderr.includes(key.slice(12)), whole.stderr);
    assert.equal((await machine.run(["keys", "revoke", "todo_"])).code, 2);
    await client.todos.list();
    const start = await machine.run(["keys", "revoke", key.slice(0, 12)]);
    assert.equal(start.code, 0, start.stderr);
    await assert.rejects(client.todos.list(), { code: "unauthorized" });
    assert.equal((await machine.run(["keys", "revoke", "todo_0000000"])).code, 3);
  });
});

describe("todo admin themes", { concurrency: 2 }, () => {
  test("adds one from stdin, and says what is wrong with another", async () => {
    await using machine = await setUp();
    const theme = JSON.stringify({ name: "dawn", display_name: "Dawn", is_published: false });
    const added = await machine.run(["themes", "add", "-"], theme);
    assert.equal(added.stdout, "Added dawn  Dawn, not published\n");
    const again = await machine.run(["themes", "add", "-"], theme);
    assert.match(again.stderr, /There is a theme "dawn" in the catalogue already/);
    const listed = await machine.run(["themes"]);
    assert.match(listed.stdout, /^dawn\tDawn\t1\.0\.0\tfree\thidden\t0$/m);
    for (const [text, message] of [
      ['{"name": "x"}', /display_name is required/],
      ["[]", /one JSON object/],
      ["{", /is not JSON/],
    ] as const) {
      const { code, stderr } = await machine.run(["themes", "add", "-"], text);
      assert.equal(code, 2);
      assert.match(stderr, message);
    }
  });

  test("asks before it removes one that somebody has installed", async () => {
    await using machine = await setUp();
    const { client } = await machine.server.register();
    const nord = (await client.catalogue.list()).data.find(({ name }) => name === "nord")!;
    await client.userThemes.create({ body: { theme_id: nord.id } });
    const unasked = await machine.run(["themes", "remove", "nord"]);
    assert.equal(unasked.code, 2);
    assert.match(unasked.stderr, /One user has installed nord/);
    assert.equal((await machine.run(["themes", "remove", "nord", "-y"])).code, 0);
    assert.equal((await machine.run(["themes", "remove", "dracula"])).code, 0);
    const typo = await machine.run(["themes", "remove", "drakula"]);
    assert.equal(typo.code, 3);
  });
});
