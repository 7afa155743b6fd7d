import assert from "node:assert/strict";
import { type StdioOptions, spawnSync } from "node:child_process";
import { closeSync, openSync } from "node:fs";
import { describe, test } from "node:test";
import { type Finished, type Home, createHome } from "./_cli.ts";
import { answering, startFakeServer } from "./_fake-server.ts";
import { start, startInTerminal } from "./_running.ts";
import { startServer } from "./_server.ts";

const key = "todo_0123456789abcdefghijklmnopqrstuvwxyzAB";

/** Lists the keys of a server which is not ours. */
function ask(home: Home, url: string, ...args: string[]): Promise<Finished> {
  return home.run(["keys", ...args], { env: { TODO_SERVER: url, TODO_API_KEY: key } });
}

describe("the exit code", { concurrency: 2 }, () => {
  test("is 0 for success, an empty list too", async () => {
    await using server = await startServer();
    using home = createHome();
    const env = { TODO_SERVER: server.url, TODO_API_KEY: (await server.register()).key };
    const { code, stdout } = await home.run(["log"], { env });
    assert.deepEqual([code, stdout], [0, ""]);
  });

  test("is 1 for a failure, 2 for wrong usage, 3 for what is missing, 4 for no permission", async () => {
    await using server = await startServer();
    using home = createHome();
    const { client, key: own } = await server.register();
    const { data } = await client.keys.create({ body: { scopes: ["read"] } });
    const env = { TODO_SERVER: server.url, TODO_API_KEY: own };
    await client.categories.create({ body: { name: "bills", color: "#000000" } });
    const post = ["api", "POST", "/categories", "-f"];
    const cases: [code: number, args: string[], key?: string][] = [
      [1, [...post, "name=bills", "-f", "color=#000000"]],
      [2, [...post, "name="]],
      [2, ["keys", "--no-such-flag"]],
      [3, ["keys", "revoke", "00000000"]],
      [4, [...post, "name=x", "-f", "color=#000000"], data.key],
      [4, ["whoami"], "todo_unknown"],
    ];
    for (const [code, args, used = own] of cases) {
      const finished = await home.run(args, { env: { ...env, TODO_API_KEY: used } });
      assert.equal(finished.code, code, `${args.join(" ")}: ${finished.stderr}`);
      assert.match(finished.stderr, /^todo: .+\n$/);
    }
  });

  test("is 5 for a server that is down, with its URL and what to do", async () => {
    using home = createHome();
    const server = await startFakeServer(() => {});
    await server[Symbol.asyncDispose]();
    const { code, stderr } = await ask(home, server.url);
    assert.equal(code, 5);
    assert.equal(
      stderr,
      `todo: ${server.url} could not be reached: nothing listens there (ECONNREFUSED). Is it running? Start it with \`todo serve\`, or choose another with --server or --profile.\n`,
    );
  });

  test("is 130 for Ctrl-C at a prompt, which says nothing more", async () => {
    await using server = await startServer();
    using home = createHome();
    const running = startInTerminal(home, ["login", server.url]);
    await running.shows("E-mail:");
    running.child.stdin.write("\u0003");
    const { code, stdout } = await running.finished;
    assert.equal(code, 130, stdout);
    assert.ok(!/todo:|Error|force/.test(stdout), stdout);
  });

  test("is 130 for SIGINT during a request", async () => {
    await using server = await startFakeServer(() => {});
    using home = createHome();
    const env = { TODO_SERVER: server.url, TODO_API_KEY: key };
    const running = start(home, ["keys"], env);
    await server.asked();
    running.child.kill("SIGINT");
    const { code, signal, stderr } = await running.finished;
    assert.deepEqual([code, signal, stderr], [130, null, ""]);
  });
});

describe("a server that does not answer as it should", { concurrency: 2 }, () => {
  test("is given up after --timeout", async () => {
    await using server = await startFakeServer(() => {});
    using home = createHome();
    const { code, stderr } = await ask(home, server.url, "--timeout", "0.5");
    assert.equal(code, 5);
    assert.ok(stderr.startsWith(`todo: ${server.url} did not answer in time.`), stderr);
    assert.match(stderr, /--timeout/);
  });

  const answers: [what: string, answer: Parameters<typeof startFakeServer>[0], said: RegExp][] = [
    ["HTML", answering(200, "<html>"), /not answer like this API \(status 200\)\. Check the URL/],
    ["JSON without an envelope", answering(200, "{}"), /\(status 200\)\. Check the URL/],
    ["a proxy's error", answering(502, "<h1>Bad gateway</h1>"), /\(status 502\)\. Check the URL/],
    ["nothing", (response) => response.destroy(), /closed the connection .* Is it running\?/],
  ];
  for (const [what, answer, said] of answers) {
    test(`is named when it answers with ${what}`, async () => {
      await using server = await startFakeServer(answer);
      using home = createHome();
      const { code, stdout, stderr } = await ask(home, server.url);
      assert.deepEqual([code, stdout], [5, ""]);
      assert.ok(stderr.startsWith(`todo: ${server.url} `), stderr);
      assert.match(stderr, said);
      assert.equal(stderr.split("\n").length, 2, stderr);
    });
  }

  test("does not keep a command for ever with empty pages", async () => {
    const pagination = { page: 1, per_page: 1, total: 9, last_page: 9, has_more: true };
    const body = JSON.stringify({ success: true, message: "OK", data: [], pagination });
    await using server = await startFakeServer(answering(200, body));
    using home = createHome();
    const env = { TODO_SERVER: server.url, TODO_API_KEY: key };
    const running = start(home, ["projects"], env);
    // Ends what would never end.
    const late = setTimeout(() => running.child.kill(), 20_000);
    const { code } = await running.finished;
    clearTimeout(late);
    assert.equal(code, 0);
    assert.equal(server.requests.length, 1);
  });

  test("cannot write to the terminal", async () => {
    const message = "\u001b]0;title\u0007 boo";
    const body = JSON.stringify({ success: false, message });
    await using server = await startFakeServer(answering(409, body));
    using home = createHome();
    const { code, stderr } = await ask(home, server.url);
    assert.deepEqual([code, stderr], [1, "todo: ␛]0;title␇ boo.\n"]);
  });
});

describe("an error with --json", { concurrency: 2 }, () => {
  test("is one object on stderr, wherever it comes from", async () => {
    await using server = await startServer();
    using home = createHome();
    const env = { TODO_SERVER: server.url, TODO_API_KEY: (await server.register()).key };
    const cases: [args: string[], error: object][] = [
      [["api", "POST", "/projects", "-f", "name="], { code: "invalid", errors: ["name"] }],
      [["keys", "revoke", "00000000"], { code: "not_found" }],
      [["whoami", "--server", "http://192.0.2.1"], { code: "not_allowed" }],
      [["keys", "--no-such-flag"], { code: "usage" }],
      [["keys", "add", "--scope", "admin"], { code: "usage" }],
    ];
    for (const [args, expected] of cases) {
      const { code, stderr } = await home.run(["--json", ...args], { env });
      assert.notEqual(code, 0);
      const error = JSON.parse(stderr) as { code: string; message: string; errors?: object };
      assert.deepEqual(
        { code: error.code, ...(error.errors && { errors: Object.keys(error.errors) }) },
        expected,
        stderr,
      );
      assert.ok(error.message.length > 10);
      assert.equal(stderr.split("\n").length, 2);
    }
  });

  test("is not one when the flag is only a word of a title", async () => {
    using home = createHome();
    for (const title of [["a --json b"], ["--", "--json"]]) {
      const { code, stderr } = await home.run(["add", "--due", "blah", ...title]);
      assert.equal(code, 2);
      assert.match(stderr, /^todo: "blah" is not understood/);
    }
  });

  test("names the reason when no answer comes", async () => {
    await using server = await startFakeServer(answering(200, "<html>"));
    using home = createHome();
    const { code, stderr } = await ask(home, server.url, "--json");
    assert.equal(code, 5);
    assert.equal((JSON.parse(stderr) as { code: string }).code, "not_the_api");
  });
});

describe("--debug", () => {
  test("shows requests and details, and never a key or a password", async () => {
    await using server = await startServer();
    using home = createHome();
    const { key: own, user, password } = await server.register();
    const env = { TODO_SERVER: server.url, TODO_API_KEY: own };
    const fine = await home.run(["keys", "add", "--debug"], { env });
    assert.match(fine.stderr, /^POST http:\S+\/user\/api-keys 200 \d+ms$/m);
    assert.ok(!fine.stderr.includes(own));
    assert.ok(!fine.stderr.includes(fine.stdout.trim()));

    const args = ["login", server.url, "--email", user.email, "--password-stdin", "--debug"];
    const failed = await home.run(args, { input: `${password}x` });
    assert.equal(failed.code, 4);
    assert.match(failed.stderr, /^\s+at \S+ \(.*todo\.mjs:\d+/m);
    assert.ok(!failed.stderr.includes(password));
  });
});

describe("output that cannot be written", () => {
  test("is said in a sentence, not as a crash", () => {
    using home = createHome();
    const full = openSync("/dev/full", "w");
    try {
      const words = ["--import", "tsx", "bin/todo.ts", "version"];
      const stdio: StdioOptions = ["ignore", full, "pipe"];
      const { status, stderr } = spawnSync(process.execPath, words, { env: home.env, stdio });
      assert.equal(status, 1);
      assert.match(String(stderr), /^todo: The output cannot be written: .*\n$/);
    } finally {
      closeSync(full);
    }
  });
});
