import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type Home, createHome } from "./_cli.ts";
import { answering, startFakeServer } from "./_fake-server.ts";
import { startInTerminal } from "./_running.ts";
import { type TestServer, startServer } from "./_server.ts";

async function setUp(server: TestServer, home: Home) {
  const user = await server.register();
  const env = { TODO_SERVER: server.url, TODO_API_KEY: user.key };
  const run = (args: string[], input?: string) =>
    home.run(["api", ...args], { env, ...(input !== undefined && { input }) });
  return { ...user, run, env };
}

describe("todo api", { concurrency: 2 }, () => {
  test("prints the envelope as it came, with or without the API's prefix", async () => {
    await using server = await startServer();
    using home = createHome();
    const { key, run } = await setUp(server, home);
    const { text } = await server.request("GET", "/api/v1/user/profile", { key });
    for (const path of ["/user/profile", "user/profile", "/api/v1/user/profile"]) {
      const { code, stdout, stderr } = await run(["get", path]);
      assert.deepEqual([code, stdout, stderr], [0, `${text}\n`, ""]);
    }
  });

  test("sends fields as a body, as text or as JSON", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, run } = await setUp(server, home);
    const fields = ["-f", "title=a=b:=c", "-f", "reminder_enabled:=true"];
    const { code, stderr } = await run(["POST", "/todos", ...fields, "-f", "description:=null"]);
    assert.equal(code, 0, stderr);
    const [todo] = (await client.todos.list()).data;
    assert.deepEqual(
      [todo!.title, todo!.reminder_enabled, todo!.description],
      ["a=b:=c", true, null],
    );
  });

  test("sends fields of a GET as its query", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, run } = await setUp(server, home);
    await client.todos.create({ body: { title: "a & b" } });
    await client.todos.create({ body: { title: "c" } });
    const { stdout } = await run(["GET", "/todos?status=open", "-f", "q=a & b", "-f", "page:=1"]);
    const { data } = JSON.parse(stdout) as { data: { title: string }[] };
    assert.deepEqual(
      data.map(({ title }) => title),
      ["a & b"],
    );
  });

  test("sends a file or stdin as it is", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, run } = await setUp(server, home);
    const file = join(home.path, "todo.json");
    writeFileSync(file, '{"title": "from a file"}');
    assert.equal((await run(["POST", "/todos", "--input", file])).code, 0);
    assert.equal((await run(["POST", "/todos", "--input", "-"], '{"title": "stdin"}')).code, 0);
    const titles = (await client.todos.list()).data.map(({ title }) => title);
    assert.deepEqual(titles, ["stdin", "from a file"]);
  });

  test("exits by the status, and still prints the envelope", async () => {
    await using server = await startServer();
    using home = createHome();
    const { run } = await setUp(server, home);
    const missing = await run(["GET", "/todos/x"]);
    assert.equal(missing.code, 3);
    assert.deepEqual(JSON.parse(missing.stdout), { success: false, message: "Todo not found" });
    assert.equal(missing.stderr, "todo: Todo not found.\n");
    assert.equal((await run(["POST", "/todos"])).code, 2);
    assert.equal((await run(["PATCH", "/todos"])).code, 1);
    const refused = await home.run(["api", "GET", "/todos", "--server", server.url]);
    assert.equal(refused.code, 4);
    assert.match(refused.stdout, /^\{"error":"Unauthorized"/);
  });

  test("refuses what it cannot send", async () => {
    await using server = await startServer();
    using home = createHome();
    const { run } = await setUp(server, home);
    const cases: [args: string[], message: RegExp][] = [
      [["POST", "/todos", "-f", "title"], /-f title: give name=text or name:=json/],
      [["POST", "/todos", "-f", "title:=x"], /-f title:= wants JSON/],
      [["POST", "/todos", "-f", "a=b", "--input", "-"], /-f makes a body of its own/],
      [["GET", "/todos", "--input", "-"], /GET has no body/],
      [["POST", "/todos", "--input", "/no/file"], /--input: .*\/no\/file/],
      [["G:T", "/todos"], /method of HTTP/],
    ];
    for (const [args, message] of cases) {
      const { code, stderr } = await run(args);
      assert.equal(code, 2, stderr);
      assert.match(stderr, message);
    }
  });

  test("sends the key to the instance's server alone, whatever the path is", async () => {
    await using other = await startFakeServer(answering(200, "{}"));
    await using server = await startFakeServer(answering(302, "", { location: other.url }));
    using home = createHome();
    const env = { TODO_SERVER: server.url, TODO_API_KEY: "todo_key" };
    const host = other.url.replace("http:", "");
    for (const path of [other.url, host, `@${host.slice(2)}/`]) {
      const { code } = await home.run(["api", "GET", path], { env });
      assert.equal(code, 5);
    }
    assert.equal(server.requests.length, 3);
    assert.deepEqual(other.requests, []);
  });

  test("shows a terminal nothing that it would obey", async () => {
    const body = '{"success":true,"message":"\u009b2J\u202e"}';
    await using server = await startFakeServer(answering(200, body));
    using home = createHome();
    const env = { TODO_SERVER: server.url, TODO_API_KEY: "todo_key" };
    const piped = await home.run(["api", "GET", "/"], { env });
    assert.equal(piped.stdout, `${body}\n`);
    Object.assign(home.env, env);
    const { stdout } = await startInTerminal(home, ["api", "GET", "/"]).finished;
    assert.match(stdout, /"message":"\ufffd2J\ufffd"/);
  });
});
