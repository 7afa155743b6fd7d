import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { createServer } from "node:net";
import { after, before, describe, test } from "node:test";
import { splitBashLine } from "../src/cli/completion/bash.ts";
import { type Shell, shells } from "../src/cli/completion/scripts.ts";
import { formatAnswer, readRequest } from "../src/cli/completion/shells.ts";
import { liveValues } from "../src/cli/completion/values.ts";
import { completeWords } from "../src/cli/completion/words.ts";
import type { Flags } from "../src/cli/flags.ts";
import { createProgram } from "../src/cli/program.ts";
import { type Home, createHome } from "./_cli.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";
import { hasShell, startShell } from "./_shells.ts";

/** The words that are known without a server. */
function complete(...words: string[]): string[] {
  return completeWords(createProgram(), words).candidates.map(({ value }) => value);
}

function kindOf(...words: string[]): string | undefined {
  return completeWords(createProgram(), words).kind;
}

/** The candidates that the hidden command prints for zsh and fish, without descriptions. */
async function ask(home: Home, words: readonly string[], env: Record<string, string> = {}) {
  const { code, stdout, stderr } = await home.run(["__complete", "zsh", "--", ...words], { env });
  assert.deepEqual([code, stderr], [0, ""]);
  const [kind, ...lines] = stdout.trimEnd().split("\n");
  assert.equal(kind, "words");
  return lines.map((line) => line.split("\t"));
}

describe("completion of words", () => {
  test("knows commands, nested ones and flags, but none that is hidden", () => {
    const first = complete("");
    assert.ok(["add", "list", "keys", "help"].every((name) => first.includes(name)));
    assert.ok(!first.includes("__complete"));
    assert.deepEqual(complete("keys", "").toSorted(), ["add", "list", "revoke"]);
    const flags = complete("keys", "add", "-");
    assert.ok(["--scope", "--json", "--help"].every((flag) => flags.includes(flag)));
  });

  test("knows that filters take other values than fields", () => {
    assert.deepEqual(complete("list", "--due", ""), ["today", "overdue", "week", "none"]);
    assert.ok(complete("ls", "--status=").includes("all"));
    assert.ok(!complete("edit", "--status", "").includes("all"));
    assert.ok(complete("edit", "--due", "").includes("tomorrow"));
  });

  test("knows the values of a flag, after a space and after =", () => {
    assert.deepEqual(complete("serve", "--log-format", ""), ["text", "json"]);
    assert.deepEqual(complete("serve", "--log-format="), ["text", "json"]);
    assert.equal(
      completeWords(createProgram(), ["serve", "--log-format="]).prefix,
      "--log-format=",
    );
  });

  test("knows which records stand where", () => {
    assert.equal(kindOf("done", ""), "active-todos");
    assert.equal(kindOf("do", "9e0b1c2", ""), "active-todos");
    assert.equal(kindOf("reopen", ""), "finished-todos");
    assert.equal(kindOf("edit", "9e0b1c2", "-p", ""), "projects");
    assert.equal(kindOf("-q", "projects", "show", ""), "projects");
    assert.equal(kindOf("projects", "add", ""), undefined);
    assert.equal(kindOf("list", "--profile", ""), "profiles");
    assert.equal(kindOf("themes", "use", ""), "themes");
    assert.equal(kindOf("rec", "edit", ""), "recurring");
    assert.equal(kindOf("api", "POST", "/todos", "--input", ""), "files");
    assert.equal(kindOf("add", "Pay", "@"), "categories");
    assert.equal(kindOf("add", "Pay"), undefined);
  });

  test("takes nothing after -- for a flag, and nothing in a value for a command", () => {
    assert.deepEqual(complete("add", "--", "--"), []);
    assert.deepEqual(complete("--profile", "keys", "whoa").includes("whoami"), true);
  });

  test("knows what can be explained", () => {
    const explained = complete("help", "");
    assert.ok(["exit-codes", "add"].every((word) => explained.includes(word)));
    assert.deepEqual(complete("help", "add", ""), []);
  });
});

describe("completion for bash", () => {
  const answer = (line: string, replaced: string, values: string[], type = "9") => {
    const request = readRequest("bash", [line, replaced, type]);
    const candidates = values.map((value) => ({ value, description: `about $(${value})` }));
    return formatAnswer(request, false, candidates).trimEnd().split("\n").slice(1);
  };

  test("reads a line as bash does", () => {
    const { words, last } = splitBashLine(`todo  add 'a b'"c \\" d" e\\ f --p="My p`);
    assert.deepEqual(words, ["todo", "add", 'a bc " d', "e f", "--p=My p"]);
    assert.equal(last.quote, '"');
  });

  test("inserts only what fits and can be quoted", () => {
    assert.deepEqual(answer("todo show a", "a", ["a b$", "b"]), [String.raw`a\ b\$`]);
    assert.deepEqual(answer('todo show "a', "a", ["a b$", "a c"]), ["a c"]);
    assert.deepEqual(answer("todo list --due=to", "to", ["--due=today"]), ["today"]);
  });

  test("shows descriptions of several, which it never inserts", () => {
    assert.deepEqual(answer("todo show ", "", ["a", "b"]), ["a  (about $(a))", "b  (about $(b))"]);
    assert.deepEqual(answer("todo show ", "", ["a"]), ["a"]);
    // Menu completion inserts a candidate as a whole; so may readline when it ignores case.
    assert.deepEqual(answer("todo show ", "", ["a", "b"], "37"), ["a", "b"]);
    assert.deepEqual(answer("todo show ", "", ["a", "A"]), ["a", "A"]);
  });
});

describe("completion with a server", { concurrency: 2 }, () => {
  let server: TestServer;
  let user: TestUser;
  let env: Record<string, string>;
  before(async () => {
    server = await startServer();
    user = await server.register();
    env = { TODO_SERVER: server.url, TODO_API_KEY: user.key };
  });
  after(() => server[Symbol.asyncDispose]());

  /** Again while a busy machine keeps the server from answering in time. */
  async function eventually<T>(action: () => Promise<T>, isGood: (result: T) => boolean) {
    let result = await action();
    for (let i = 0; i < 10 && !isGood(result); i += 1) result = await action();
    return result;
  }

  test("offers ids with titles that are harmless", async () => {
    using home = createHome();
    const title = "Pay\trent\n\u001b[31m now";
    const { data } = await user.client.todos.create({ body: { title } });
    const done = await user.client.todos.create({ body: { title: "Old", status: "completed" } });
    const isThere = ({ length }: unknown[]) => length > 0;
    const offered = await eventually(() => ask(home, ["done", ""], env), isThere);
    const own = offered.find(([id]) => data.id.startsWith(id!));
    assert.deepEqual(own, [data.id.slice(0, 7), "Pay rent ␛[31m now"]);
    assert.ok(!offered.some(([id]) => done.data.id.startsWith(id!)));
    const reopened = await eventually(() => ask(home, ["reopen", ""], env), isThere);
    assert.deepEqual(reopened, [[done.data.id.slice(0, 7), "Old"]]);
  });

  test("offers no name that a terminal would obey", async () => {
    using home = createHome();
    await user.client.categories.create({ body: { name: "a\u001b[2Jb", color: "#000000" } });
    await user.client.categories.create({ body: { name: "bills", color: "#000000" } });
    const offered = await eventually(
      () => ask(home, ["list", "--category", ""], env),
      ({ length }) => length > 0,
    );
    assert.deepEqual(offered, [["bills"]]);
  });

  test("offers the themes of the catalogue", async () => {
    using home = createHome();
    const offered = await eventually(
      () => ask(home, ["themes", "use", ""], env),
      ({ length }) => length > 0,
    );
    assert.ok(offered.length >= 12);
  });

  test("finds the server that runs on the local data folder", async () => {
    using home = createHome();
    const folder = `${home.path}/data/todo`;
    assert.equal((await home.run(["add", "Water the plants"])).code, 0);
    await using local = await startServer({ folder });
    assert.ok(local.url);
    const offered = await eventually(
      () => ask(home, ["show", ""]),
      ({ length }) => length > 0,
    );
    assert.deepEqual(
      offered.map(([, title]) => title),
      ["Water the plants"],
    );
  });

  test("takes no time to speak of", async (t) => {
    const flags = { server: server.url, data: "", timeout: 30 } as Flags;
    process.env["TODO_API_KEY"] = user.key;
    const started = performance.now();
    const words = completeWords(createProgram(), ["show", ""]);
    const built = performance.now();
    const values = await liveValues(words.kind, flags, {});
    const ended = performance.now();
    delete process.env["TODO_API_KEY"];
    const ms = (from: number, to: number) => `${(to - from).toFixed(1)} ms`;
    t.diagnostic(`words: ${ms(started, built)}; ${values.length} values: ${ms(built, ended)}`);
  });

  // All that shells give a meaning to, at the start and within.
  const names = [
    "A $(touch pwned)`touch pwned`'\"; touch pwned # !! * ~ = \\ <x>&| {a,b} ü [z]",
    "-dash x",
    "B@y=z:w v",
    "%s%n\\n",
  ];

  for (const shell of shells) {
    const there = hasShell(shell);
    const note = there ? "" : " (not checked: it is not installed here)";
    test(`${shell} inserts names as they are, and runs nothing${note}`, async (t) => {
      if (!there) {
        t.diagnostic(`${shell} is missing on this machine`);
        return;
      }
      await checkShell(shell);
    });
  }

  async function checkShell(shell: Shell): Promise<void> {
    const owner = await server.register();
    for (const name of [...names, "Home Work"])
      await owner.client.projects.create({ body: { name } });
    const title = "$(touch pwned) `touch pwned` \u001b]0;pwned\u0007";
    const { data } = await owner.client.todos.create({ body: { title } });
    using home = createHome();
    Object.assign(home.env, { TODO_SERVER: server.url, TODO_API_KEY: owner.key });
    using session = await startShell(shell, home);
    const expectShown = async (line: string, words: string[]) => {
      const isRight = (shown: string[]) => shown.join("\0") === words.join("\0");
      assert.deepEqual(await eventually(() => session.show(line), isRight), words, line);
    };
    for (const name of names) {
      await expectShown(`show list --project ${name[0]}\t`, ["list", "--project", name]);
    }
    await expectShown("show list --project=B\t", ["list", `--project=${names[2]!}`]);
    await expectShown('show list --project "Home W\t', ["list", "--project", "Home Work"]);
    await expectShown("show list --project 'Home W\t", ["list", "--project", "Home Work"]);
    await expectShown("show serve --log-form\t json", ["serve", "--log-format", "json"]);
    await expectShown("show show \t", ["show", data.id.slice(0, 7)]);
    await owner.client.todos.create({ body: { title } });
    const seen = await session.see("show show \t\t", /touch pwned/);
    assert.ok(!seen.includes("\u001b]0;pwned"));
    assert.ok(!existsSync(`${home.path}/pwned`));
  }
});

describe("completion without a server", { concurrency: 2 }, () => {
  test("is silent, and makes neither account nor data folder", async () => {
    using home = createHome();
    assert.deepEqual(await ask(home, ["show", ""]), []);
    assert.ok((await ask(home, [""])).some(([word]) => word === "add"));
    assert.deepEqual(readdirSync(home.path), []);
  });

  test("does not open a data folder that is there", async () => {
    using home = createHome();
    await home.run(["add", "Water the plants"]);
    assert.deepEqual(await ask(home, ["show", ""]), []);
  });

  test("is silent when the instance makes no sense", async () => {
    using home = createHome();
    assert.deepEqual(await ask(home, ["show", ""], { TODO_SERVER: "no such:server" }), []);
    assert.deepEqual(await ask(home, ["--profile", "nobody", "show", ""]), []);
    assert.deepEqual(await ask(home, ["--server", "http://127.0.0.1:1", "show", ""]), []);
  });

  test("does not wait for a server that does not answer", { timeout: 30_000 }, async () => {
    using home = createHome();
    const silent = createServer().listen(0, "127.0.0.1");
    await new Promise((resolve) => silent.once("listening", resolve));
    const { port } = silent.address() as { port: number };
    // It ends although the server holds the connection for as long as the test lives.
    assert.deepEqual(await ask(home, ["--server", `http://127.0.0.1:${port}`, "show", ""]), []);
    silent.close();
  });

  test("prints a script for each shell, and for no other", async () => {
    using home = createHome();
    for (const shell of shells) {
      const { code, stdout } = await home.run(["completion", shell]);
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`todo __complete ${shell} --`));
    }
    assert.equal((await home.run(["completion", "tcsh"])).code, 2);
  });
});
