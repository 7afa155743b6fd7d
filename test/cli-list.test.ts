import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { columnsOf } from "../src/cli/output/text.ts";
import { addDays, localDay } from "../src/cli/dates.ts";
import { type RemoteHome, createRemoteHome } from "./_remote-home.ts";

// As the commands that are tested.
process.env["TZ"] = "UTC";

/** Titles of tab-separated output. */
function titles(stdout: string): string[] {
  return stdout.split("\n").flatMap((line) => line.split("\t").slice(1, 2));
}

describe("todo list", { concurrency: 2 }, () => {
  let home: RemoteHome;
  before(async () => {
    home = await createRemoteHome();
    const { todos, projects, categories } = home.user.client;
    const project_id = (await projects.create({ body: { name: "Home" } })).data.id;
    const category = await categories.create({ body: { name: "bills", color: "#112233" } });
    const category_id = category.data.id;
    const today = localDay(new Date());
    const records = [
      { title: "undated", description: "with Needle" },
      { title: "far", due_date: "2999-11-30", due_time: "18:00:00", project_id, category_id },
      { title: "late", due_date: "2001-01-01", category_id },
      { title: "now", due_date: today, status: "in_progress" as const },
      { title: "soon", due_date: addDays(today, 3), project_id },
      { title: "finished", due_date: "2001-01-01", status: "completed" as const },
      { title: "put away", status: "archived" as const },
    ];
    for (const body of records) await todos.create({ body });
  });
  after(() => home[Symbol.asyncDispose]());

  const listed: [string[], string[]][] = [
    [[], ["late", "now", "soon", "far", "undated"]],
    [
      ["--status", "completed,archived"],
      ["finished", "put away"],
    ],
    [
      ["--status", "open", "--status", "done"],
      ["finished", "late", "soon", "far", "undated"],
    ],
    [
      ["--status", "all", "--due", "..yesterday"],
      ["finished", "late"],
    ],
    [["--all"], ["finished", "late", "now", "soon", "far", "put away", "undated"]],
    [
      ["--project", "home"],
      ["soon", "far"],
    ],
    [["-c", "bills", "-p", "Home"], ["far"]],
    [["--due", "today"], ["now"]],
    [["--due", "overdue"], ["late"]],
    [["--due", "overdue", "--all"], ["late"]],
    [
      ["--due", "week"],
      ["now", "soon"],
    ],
    [["--due", "none"], ["undated"]],
    [
      ["--due", "none", "--all", "--sort", "title"],
      ["put away", "undated"],
    ],
    [
      ["--due", "tomorrow..2999-11-30"],
      ["soon", "far"],
    ],
    [["--search", "nEEdle"], ["undated"]],
    [
      ["--sort", "-title"],
      ["undated", "soon", "now", "late", "far"],
    ],
  ];
  for (const [args, expected] of listed) {
    test(`${args.join(" ")} lists ${expected.join(", ")}`, async () => {
      assert.deepEqual(titles(await home.ok(["list", ...args])), expected);
    });
  }

  test("gives programs plain lines, bare ids or the API's data", async () => {
    const { data } = await home.user.client.todos.list({ query: { q: "far" } });
    const { id } = data[0]!;
    const line = `${id.slice(0, 7)}\tfar\t2999-11-30 18:00:00\topen\t+Home\t@bills\n`;
    assert.equal(await home.ok(["ls", "--search", "far"]), line);
    assert.equal(await home.ok(["ls", "--search", "far", "--ids"]), `${id}\n`);
    assert.deepEqual(JSON.parse(await home.ok(["ls", "--search", "far", "--json"])), data);
  });

  test("says how many more there are, and that there are none", async () => {
    const some = await home.run(["list", "--limit", "2"]);
    assert.deepEqual(titles(some.stdout), ["late", "now"]);
    assert.match(some.stderr, /^3 more of 5\./);
    const none = await home.run(["list", "--search", "nothing like it"]);
    assert.deepEqual(none, { code: 0, stdout: "", stderr: "No todos match.\n" });
    const quiet = await home.run(["list", "-q", "--limit", "1"]);
    assert.deepEqual([titles(quiet.stdout), quiet.stderr], [["late"], ""]);
  });

  test("refuses what it does not know, before it asks", async () => {
    const refused: [string[], number, RegExp][] = [
      [["--project", "hme"], 3, /no project "hme".*Did you mean "Home"/],
      [["--category", "none like it"], 3, /no category/],
      [["--due", "rubbish"], 2, /not understood/],
      [["--status", "opne"], 2, /Give one of/],
      [["--sort", "tilte"], 2, /Did you mean title/],
      [["--limit", "0"], 2, /above 0/],
      [["--limit", "5", "--all"], 2, /--all/],
    ];
    for (const [args, code, message] of refused) {
      const finished = await home.run(["list", ...args]);
      assert.equal(finished.code, code, finished.stderr);
      assert.equal(finished.stdout, "");
      assert.match(finished.stderr, message);
    }
  });

  test("lets what is overdue stand out, with and without colour", async () => {
    const colored = await home.runInTerminal(["list"]);
    assert.match(colored.stdout, /\x1b\[31m! Mon 1 Jan 2001/); // oxlint-disable-line no-control-regex -- red
    assert.equal(colored.stdout.match(/!/g)?.length, 1);
    const plain = await home.runInTerminal(["list"], { env: { NO_COLOR: "1" }, columns: 80 });
    assert.match(plain.stdout, /late +! Mon 1 Jan 2001 +○ open/u);
    assert.ok(!plain.stdout.includes("\x1b"));
    assert.match(plain.stdout, /now +today +◐ in progress/u);
  });

  for (const columns of [40, 80]) {
    test(`fits a terminal of ${columns} columns`, async () => {
      const { stdout } = await home.runInTerminal(["list"], { columns, env: { NO_COLOR: "1" } });
      const lines = stdout.split(/\r?\n/);
      assert.ok(
        lines.every((line) => columnsOf(line) <= columns),
        stdout,
      );
      assert.match(stdout, /late[^]*undated/);
    });
  }
});

describe("todo list of many", () => {
  test("needs few requests for a page, and reads all in the end", async () => {
    await using home = await createRemoteHome();
    const { todos, projects } = home.user.client;
    const project_id = (await projects.create({ body: { name: "Home" } })).data.id;
    for (let index = 0; index < 450; index += 1) {
      const due_date = index < 360 ? "2999-01-01" : null;
      await todos.create({ body: { title: `todo ${index}`, due_date, project_id } });
    }
    const requests = async (...args: string[]) => {
      const { stdout, stderr } = await home.run(["list", "--debug", ...args]);
      return { titles: titles(stdout), requests: stderr.match(/^GET .+ 200 /gm)?.length };
    };
    const page = await requests();
    assert.deepEqual([page.titles.length, page.requests], [50, 2]);
    const undated = await requests("--due", "none");
    assert.deepEqual([undated.titles.length, undated.requests], [50, 3]);
    assert.deepEqual([undated.titles[0], undated.titles[49]], ["todo 449", "todo 400"]);
    const all = await requests("--all", "--sort", "created");
    assert.deepEqual(
      all.titles,
      Array.from({ length: 450 }, (_, index) => `todo ${index}`),
    );
    assert.equal(all.requests, 4);
    const allUndated = await requests("--due", "none", "--all", "--sort", "created");
    assert.deepEqual(allUndated.titles.length, 90);
  });
});
