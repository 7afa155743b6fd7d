import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { parseExpiry } from "../src/cli/expiry.ts";
import { type Home, createHome } from "./_cli.ts";
import { converse, startInTerminal } from "./_running.ts";
import { type TestServer, startServer } from "./_server.ts";

async function setUp(server: TestServer, home: Home) {
  const user = await server.register();
  const env = { TODO_SERVER: server.url, TODO_API_KEY: user.key };
  return { ...user, run: (...args: string[]) => home.run(["keys", ...args], { env }), env };
}

describe("todo keys", { concurrency: 2 }, () => {
  test("add prints the key alone on stdout, with the name, scopes and expiry asked for", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, run } = await setUp(server, home);
    const options = ["--name", "ci", "--scope", "read", "--expires", "2999-01-31"];
    const { code, stdout, stderr } = await run("add", ...options);
    assert.equal(code, 0, stderr);
    assert.match(stdout, /^todo_[0-9A-Za-z]{38}\n$/);
    assert.match(stderr, /Made the key "ci" \(read\) until Thu 31 Jan 2999 23:59:59\. .*this once/);
    const made = (await client.keys.list()).data[0]!;
    assert.equal(made.name, "ci");
    assert.deepEqual(made.scopes, ["read"]);
    const reader = server.client({ key: stdout.trim() });
    assert.equal((await reader.todos.list()).data.length, 0);

    const both = await run("add", "--scope", "read", "--scope", "write", "--json", "-q");
    assert.equal(both.stderr, "");
    const { scopes } = JSON.parse(both.stdout) as { scopes: string[] };
    assert.deepEqual(scopes, ["read", "write"]);
  });

  test("list shows the keys that work, and all of them with --all", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, run } = await setUp(server, home);
    const { data } = await client.keys.create({ body: { name: "old\u001b[2J" } });
    await client.keys.remove({ params: { id: data.id } });
    const working = await run();
    assert.match(working.stdout, /^[0-9a-f]{7}\tRegistration\ttodo_\w{7}… \*\tread, write\t/);
    assert.equal(working.stdout.split("\n").length, 2);
    const all = await run("list", "--all");
    assert.match(all.stdout, /^[0-9a-f]{7}\told␛\[2J\ttodo_\w{7}…\trevoked\tnever$/m);
  });

  test("revoke takes the start of an id", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, run } = await setUp(server, home);
    const { data } = await client.keys.create({ body: { name: "ci" } });
    for (const [text, code] of [
      [data.id.slice(0, 3), 2],
      ["ffffffff", 3],
      [data.id.slice(0, 8).toUpperCase(), 0],
    ] as const) {
      assert.equal((await run("revoke", text)).code, code, text);
    }
    const { data: keys } = await client.keys.list();
    assert.deepEqual(
      keys.map(({ is_active }) => is_active),
      [false, true],
    );
  });

  test("revoke takes the start of a key, and never repeats a whole one", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, run } = await setUp(server, home);
    const { data } = await client.keys.create({ body: { name: "ci" } });
    const whole = await run("revoke", data.key);
    assert.equal(whole.code, 2);
    assert.match(whole.stderr, /Give only the first 12 characters/);
    assert.ok(!whole.stderr.includes(data.key), whole.stderr);
    assert.equal((await run("revoke", "todo_")).code, 2);
    assert.equal((await run("revoke", data.prefix)).code, 0);
    const { data: keys } = await client.keys.list();
    assert.equal(keys.find(({ id }) => id === data.id)!.is_active, false);
  });

  test("revoke asks before it ends the key in use", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, env, run } = await setUp(server, home);
    const [{ id = "" } = {}] = (await client.keys.list()).data as { id?: string }[];
    const unasked = await run("revoke", id);
    assert.equal(unasked.code, 2);
    assert.match(unasked.stderr, /--yes/);
    Object.assign(home.env, env);
    const asked = startInTerminal(home, ["keys", "revoke", id]);
    const { code } = await converse(asked, [["Revoke it?", "\r"]]);
    assert.equal(code, 1);
    assert.equal((await client.keys.list()).data[0]!.is_active, true);
    assert.equal((await run("revoke", id, "-y")).code, 0);
    const after = await run();
    assert.equal(after.code, 4);
    assert.match(after.stderr, /TODO_API_KEY/);
  });

  test("a key cannot give away more than it may do", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, env } = await setUp(server, home);
    const { data } = await client.keys.create({ body: { scopes: ["write"] } });
    const own = { ...env, TODO_API_KEY: data.key };
    const { code, stderr } = await home.run(["keys", "add"], { env: own });
    assert.equal(code, 4);
    assert.match(stderr, /lacks the scope read/);
  });
});

describe("--expires", () => {
  const now = new Date("2026-11-20T12:00:00Z");
  /** In the time zone of this machine, which the process was started with. */
  const utc = (local: string) => new Date(local).toISOString().slice(0, 19).replace("T", " ");

  test("takes a whole day, a local time, and a timestamp", () => {
    const cases: [given: string, expected: string | null][] = [
      ["2026-12-24", utc("2026-12-24T23:59:59")],
      ["2026-12-24 18:00", utc("2026-12-24T18:00:00")],
      ["2026-12-24T18:00:30", utc("2026-12-24T18:00:30")],
      ["2026-12-24T18:00:00+02:00", "2026-12-24 16:00:00"],
      ["2026-12-24T18:00:00Z", "2026-12-24 18:00:00"],
      ["none", null],
    ];
    for (const [given, expected] of cases) assert.equal(parseExpiry(given, now), expected, given);
  });

  test("refuses the past, and what does not exist", () => {
    for (const given of ["2026-02-30", "2026-12-24 25:00", "soon", "", "2026-11-18"]) {
      assert.throws(() => parseExpiry(given, now), { failure: "usage" }, given);
    }
  });
});
