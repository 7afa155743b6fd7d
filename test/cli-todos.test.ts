import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { addDays, localDay } from "../src/cli/dates.ts";
import { type RemoteHome, createRemoteHome } from "./_remote-home.ts";

// As the commands that are tested.
process.env["TZ"] = "UTC";

describe("todo", { concurrency: 2 }, () => {
  let home: RemoteHome;
  before(async () => {
    home = await createRemoteHome();
  });
  after(() => home[Symbol.asyncDispose]());

  async function make(...titles: string[]): Promise<string[]> {
    const ids: string[] = [];
    for (const title of titles) {
      ids.push((await home.user.client.todos.create({ body: { title } })).data.id);
    }
    return ids;
  }
  const get = async (id: string) => (await home.user.client.todos.get({ params: { id } })).data;
  const missing = "00000000-0000-4000-8000-000000000000";

  test("show has every field, in three requests at most", async () => {
    const { todos, projects, categories } = home.user.client;
    const project = (await projects.create({ body: { name: "Home" } })).data;
    const category = await categories.create({ body: { name: "bills", color: "#112233" } });
    const body = {
      title: "Shown \x1b]0;owned\x07",
      description: "one\ntwo",
      due_date: "2001-11-30",
      due_time: "18:00:00",
      project_id: project.id,
      category_id: category.data.id,
    };
    const { data } = await todos.create({ body });
    const short = data.id.slice(0, 7);
    const plain = await home.run(["show", short, "--debug"]);
    const expected = [
      ["Title", "Shown ␛]0;owned␇"],
      ["Status", "open"],
      ["Due", "2001-11-30 18:00:00"],
      ["Project", "+Home"],
      ["Categories", "@bills"],
      ["Reminder", "false"],
      ["Sync", "true"],
      ["Recurring", "false"],
      ["Created", data.created_at],
      ["Updated", data.updated_at],
      ["Owner", data.user_id],
      ["ID", data.id],
      ["Description", "one two"],
    ];
    assert.equal(plain.stdout, expected.map((field) => `${field.join("\t")}\n`).join(""));
    assert.ok(plain.stderr.match(/^GET /gm)!.length <= 3, plain.stderr);
    const env = { NO_COLOR: "1" };
    const person = await home.runInTerminal(["show", short.slice(0, 5)], { env });
    assert.match(person.stdout, /^Shown ␛\]0;owned␇\r\n/u);
    assert.match(person.stdout, /Due +Fri 30 Nov 2001 18:00 \(overdue\)\r\n/);
    assert.match(person.stdout, /Description +one\r\n +two\r\n/);
    assert.deepEqual(JSON.parse(await home.ok(["show", data.id, "--json"])), data);
  });

  test("ids are told from positions, and none from several", async () => {
    const refused: [string, number, RegExp][] = [
      ["1", 2, /"1" is not an id/],
      ["zzzzzzz", 2, /not an id/],
      [missing, 3, /No record has the id/],
      [missing.slice(0, 7), 3, /No record has the id/],
    ];
    for (const command of ["show", "done", "remove"]) {
      for (const [id, code, message] of refused) {
        const finished = await home.run([command, id]);
        assert.deepEqual([finished.code, finished.stdout], [code, ""], finished.stderr);
        if (command === "show") assert.match(finished.stderr, message);
      }
    }
  });

  test("edit changes every field, and none clears them", async () => {
    const [id] = await make("Before");
    const short = id!.slice(0, 7);
    const flags = ["--title", "After +Garden due:2999-12-24", "-d", "text", "-c", "x", "-c", "y"];
    const more = ["--remind", "--no-sync", "--recurring", "--status", "in_progress"];
    const changed = await home.ok(["edit", short, ...flags, ...more]);
    assert.equal(
      changed,
      `Changed ${short}  After  due Tue 24 Dec 2999  +Garden  @x  @y  ◐ in progress  reminder  recurring  no sync  with description\n`,
    );
    const full = await get(id!);
    assert.equal(full.description, "text");
    assert.equal((await home.ok(["edit", short, "-c", "z"])).includes("@z  "), true);
    const cleared = ["-d", "none", "--due", "none", "-p", "none", "-c", "none"];
    const off = ["--no-remind", "--sync", "--no-recurring", "--status", "open"];
    const bare = JSON.parse(await home.ok(["edit", short, ...cleared, ...off, "--json"]));
    assert.deepEqual(bare, {
      ...full,
      description: null,
      status: "open",
      due_date: null,
      due_time: null,
      sync_enabled: true,
      reminder_enabled: false,
      recurring_enabled: false,
      project_id: null,
      categories: [],
      updated_at: bare.updated_at,
    });
  });

  test("edit saves nothing when there is nothing, or nothing that it understands", async () => {
    const [id] = await make("Stays");
    for (const flags of [
      [],
      ["--due", "rubbish", "--remind"],
      ["--title", " "],
      ["--title", "@x"],
    ]) {
      const { code, stdout } = await home.run(["edit", id!, ...flags]);
      assert.deepEqual([code, stdout], [2, ""]);
    }
    const { title, reminder_enabled } = await get(id!);
    assert.deepEqual([title, reminder_enabled], ["Stays", false]);
  });

  test("start, done, reopen and archive set the status", async () => {
    const [id] = await make("Moves");
    const short = id!.slice(0, 7);
    const steps: [string, string, string][] = [
      ["start", "Started", "in_progress"],
      ["done", "Done", "completed"],
      ["reopen", "Reopened", "open"],
      ["do", "Done", "completed"],
      ["archive", "Archived", "archived"],
    ];
    for (const [command, verb, status] of steps) {
      assert.equal(await home.ok([command, short]), `${verb} ${short}  Moves\n`);
      assert.equal((await get(id!)).status, status);
    }
    assert.equal(await home.ok(["reopen", short, "--quiet"]), "");
  });

  test("of several, those that can be changed are, in their order", async () => {
    const [a, b, c] = (await make("A", "B", "C")) as [string, string, string];
    const mixed = await home.run(["done", c, missing, a, "nonsense"]);
    assert.equal(mixed.code, 1);
    assert.equal(mixed.stdout, `Done ${c.slice(0, 7)}  C\nDone ${a.slice(0, 7)}  A\n`);
    assert.match(mixed.stderr, /^todo: 2 of 4 failed:\n {2}0{8}-.+\n {2}nonsense: .+\n$/);
    const gone = await home.run(["archive", "-", "--json"], { input: `${b}\tB\n${missing}\n` });
    assert.equal(gone.code, 3);
    assert.deepEqual(JSON.parse(gone.stdout), [await get(b)]);
    assert.equal(JSON.parse(gone.stderr).code, "not_found");
    const nothing = await home.run(["done", "-"], { input: "" });
    assert.deepEqual([nothing.code, nothing.stdout], [0, ""]);
    assert.match(nothing.stderr, /nothing to do/);
  });

  test("what is overdue is moved through a pipe", async () => {
    const { client } = home.user;
    for (const title of ["Late 1", "Late 2"]) {
      await client.todos.create({ body: { title, due_date: "2001-01-01", due_time: "09:00:00" } });
    }
    const input = await home.ok(["list", "--ids", "--due", "overdue", "--search", "Late"]);
    const echo = await home.ok(["edit", "-", "--due", "tomorrow", "-y"], input);
    assert.equal(echo.trimEnd().split("\n").length, 2);
    const { data } = await client.todos.list({ query: { q: "Late" } });
    const tomorrow = addDays(localDay(new Date()), 1);
    assert.deepEqual(
      data.map(({ due_date, due_time }) => [due_date, due_time]),
      [
        [tomorrow, null],
        [tomorrow, null],
      ],
    );
  });

  test("remove takes one without a question, and several not without an answer", async () => {
    const ids = await make("R1", "R2", "R3", "R4", "R5");
    const [one, two, three, four, five] = ids as [string, string, string, string, string];
    assert.equal(await home.ok(["rm", one.slice(0, 8)]), `Removed ${one.slice(0, 7)}  R1\n`);
    for (const args of [[two, three], [two, three, "--no-input"], ["-"]]) {
      const refused = await home.run(["remove", ...args], { input: `${two}\n${three}\n` });
      assert.deepEqual([refused.code, refused.stdout], [2, ""]);
      assert.match(refused.stderr, /"R2", "R3".*--yes/);
    }
    assert.equal((await get(two)).title, "R2");
    assert.equal(await home.ok(["remove", "-"], `${five}\n`), `Removed ${five.slice(0, 7)}  R5\n`);
    const yes = await home.run(["remove", two, two.slice(0, 8), missing, three, "-y"]);
    assert.equal(yes.code, 3);
    assert.deepEqual(yes.stdout.match(/R\d/g), ["R2", "R3"]);
    assert.match(yes.stderr, /1 of 3 failed/);
    assert.equal(await home.ok(["remove", four, "--json"]), "null\n");
    const { pagination } = await home.user.client.todos.list({ query: { q: "R1" } });
    assert.equal(pagination.total, 0);
  });

  test("a title's escape sequences never get out", async () => {
    const [id] = await make("\x1b]0;owned\x07 C1:\x9b31m");
    const commands = [
      ["list", "--all", "--search", "owned"],
      ["show"],
      ["start"],
      ["edit", "--remind"],
    ];
    for (const [command, ...args] of [...commands, ["remove"]]) {
      const line = command === "list" ? [command, ...args] : [command!, id!, ...args];
      const runs = command === "remove" ? [home.runInTerminal] : [home.run, home.runInTerminal];
      for (const run of runs) {
        const { stdout, stderr, code } = await run(line);
        assert.equal(code, 0, stderr);
        assert.match(stdout, /␛\]0;owned␇/u);
        // oxlint-disable-next-line no-control-regex -- they are what must not be there
        assert.doesNotMatch(stdout, /\x1b\]|\x07|\x9b/);
      }
    }
  });
});

describe("todo edit of many", () => {
  test("a server that goes away ends the batch with one message", async () => {
    await using home = await createRemoteHome();
    const { code, stdout, stderr } = await home.run(
      ["done", "-", "--server", "http://127.0.0.1:9"],
      { input: Array.from({ length: 50 }, (_, i) => `0000000${i % 10}`).join("\n") },
    );
    assert.deepEqual([code, stdout], [5, ""]);
    assert.match(stderr, /^Stopped after 0 of 10\.\ntodo: .+could not be reached.+\n$/);
  });
});
