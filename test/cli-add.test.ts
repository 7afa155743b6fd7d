import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createHome } from "./_cli.ts";
import { type RemoteHome, createRemoteHome } from "./_remote-home.ts";
import { signIn } from "./_signed-in.ts";
import { countLiteral, readTitle } from "../src/cli/todos/words.ts";

describe("words of a title", () => {
  test("+, @ and due: at the start of a word are marks", () => {
    assert.deepEqual(readTitle(["Pay", "rent", "+Home", "@bills", "@a", "due:eom"]), {
      title: "Pay rent",
      project: "Home",
      categories: ["bills", "a"],
      due: "eom",
    });
    assert.deepEqual(readTitle(["Pay +Home rent @bills"]), {
      title: "Pay rent",
      project: "Home",
      categories: ["bills"],
    });
  });

  test("elsewhere they are not, nor where no name follows", () => {
    const title = "ada@example.org 1+1  C++ + @ +49 170 overdue:x @42";
    assert.deepEqual(readTitle([title]), { title, categories: [] });
  });

  test("an argument of its own is one word with its spaces", () => {
    assert.deepEqual(readTitle(["Paint", "+Home Work", "due:next monday"]), {
      title: "Paint",
      project: "Home Work",
      categories: [],
      due: "next monday",
    });
  });

  test("the literal ones stay", () => {
    assert.deepEqual(readTitle(["+Home", "read", "+1", "@bob"], 2), {
      title: "read +1 @bob",
      project: "Home",
      categories: [],
    });
    assert.equal(countLiteral(["add", "a", "--", "+b", "c"]), 2);
    assert.equal(countLiteral(["add", "a"]), 0);
  });

  test("two projects or dates are one too many", () => {
    assert.throws(() => readTitle(["x +A +B"]), /one project.*A, B/);
    assert.throws(() => readTitle(["x due:mon due:tue"]), /one due date/);
    assert.equal(readTitle(["x +A +A"]).project, "A");
  });
});

describe("todo add", { concurrency: 2 }, () => {
  let home: RemoteHome;
  before(async () => {
    home = await createRemoteHome();
  });
  after(() => home[Symbol.asyncDispose]());

  async function find(q: string) {
    const { data } = await home.user.client.todos.list({ query: { q } });
    assert.equal(data.length, 1, `one todo with "${q}"`);
    return data[0]!;
  }

  test("understands words, makes what is unknown, and says so", async () => {
    const words = ["Pay", "rent", "+Home", "@bills", "@flat", "due:2999-11-30"];
    const { code, stdout, stderr } = await home.run(["add", ...words]);
    assert.equal(code, 0, stderr);
    const todo = await find("Pay rent");
    const id = todo.id.slice(0, 7);
    assert.equal(stdout, `Added ${id}  Pay rent  due Sat 30 Nov 2999  +Home  @bills  @flat\n`);
    assert.match(stderr, /Made project \+Home\.\n/);
    assert.match(stderr, /Made category @bills\.\n/);
    const again = await home.run(["a", "Pay rates", "-p", "home", "-c", "BILLS"]);
    assert.equal(again.stderr, "");
    assert.match(again.stdout, /Pay rates {2}\+Home {2}@bills\n$/);
  });

  test("sets every field by flags, and prints the API's data with --json", async () => {
    const flags = ["-d", "by hand", "--due", "2999-12-24 18:00", "--status", "in-progress"].concat([
      "-p",
      "Work",
      "-c",
      "one",
      "-c",
      "two",
      "--remind",
      "--no-sync",
      "--recurring",
    ]);
    const todo = JSON.parse(await home.ok(["add", "Everything", ...flags, "--json"]));
    const project = (await home.user.client.projects.get({ params: { id: todo.project_id } })).data;
    assert.deepEqual(todo, await find("Everything"));
    assert.equal(project.name, "Work");
    assert.deepEqual(
      todo.categories.map(({ name }: { name: string }) => name),
      ["one", "two"],
    );
    const { description, status, due_date, due_time } = todo;
    assert.deepEqual(
      { description, status, due_date, due_time },
      {
        description: "by hand",
        status: "in_progress",
        due_date: "2999-12-24",
        due_time: "18:00:00",
      },
    );
    const { sync_enabled, reminder_enabled, recurring_enabled } = todo;
    assert.deepEqual([sync_enabled, reminder_enabled, recurring_enabled], [false, true, true]);
  });

  test("takes the marks of names in flags, too, unless a name begins with one", async () => {
    await using user = await signIn();
    await user.client.projects.create({ body: { name: "+1" } });
    const { stdout } = await user.run(["add", "a", "-p", "+Home", "-c", "@bills"]);
    assert.match(stdout, / {2}\+Home {2}@bills$/m);
    assert.match((await user.run(["add", "b", "-p", "+1"])).stdout, / {2}\+\+1$/m);
    const titles = async (...filters: string[]) =>
      (await user.json(["list", ...filters])).map(({ title }: { title: string }) => title);
    assert.deepEqual(await titles("-p", "+home", "-c", "@bills"), ["a"]);
    assert.deepEqual(await titles("-p", "+1"), ["b"]);
    assert.equal((await user.json(["projects", "show", "+Home"])).name, "Home");
  });

  test("takes a title after -- and with --literal as it is", async () => {
    assert.match(await home.ok(["add", "--", "Learn", "+One", "-x"]), /Learn \+One -x\n$/);
    assert.match(await home.ok(["add", "--literal", "Mail @bob"]), /Mail @bob\n$/);
    assert.deepEqual((await find("Mail @bob")).categories, []);
  });

  test("saves nothing of what it does not understand", async () => {
    const refused = [
      ["add", "Refused", "--due", "tomorrow rubbish", "-p", "Never"],
      ["add", "Refused due:rubbish +Never"],
      ["add", "Refused", "--status", "opne"],
      ["add", "+Never", "@never"],
      ["add", "Refused ".repeat(40), "-p", "Never"],
      ["add"],
    ];
    for (const args of refused) {
      const { code, stdout, stderr } = await home.run(args);
      assert.equal(code, 2, stderr);
      assert.equal(stdout, "");
      assert.match(stderr, /^todo: .+\n$/);
    }
    const { data } = await home.user.client.todos.list({ query: { q: "Refused" } });
    assert.deepEqual(data, []);
    const projects = (await home.user.client.projects.list()).data;
    assert.ok(!projects.some(({ name }) => name === "Never"));
  });

  test("never lets a title's escape sequences out", async () => {
    for (const run of [home.run, home.runInTerminal]) {
      const { stdout, code } = await run(["add", "\x1b]0;owned\x07", "-p", "\x1b[31mred"]);
      assert.equal(code, 0);
      assert.match(stdout, /␛\]0;owned␇/u);
      assert.ok(!stdout.includes("\x1b]") && !stdout.includes("\x07"), JSON.stringify(stdout));
    }
  });

  test("adds nothing of nothing", async () => {
    const { code, stdout, stderr } = await home.run(["add", "-"], { input: "\n \n" });
    assert.deepEqual([code, stdout], [0, ""]);
    assert.match(stderr, /nothing to add/);
  });
});

describe("todo add -", () => {
  test("adds 1,000 lines in their order, and tells of those that are refused", async () => {
    await using home = await createRemoteHome();
    const lines = Array.from({ length: 1000 }, (_, index) => `Line ${index} +P${index % 3} @all`);
    lines[10] = "Bad due:rubbish";
    lines[500] = "x".repeat(256);
    const input = lines.join("\r\n");
    const { code, stdout, stderr } = await home.run(["add", "-", "--remind"], { input });
    assert.equal(code, 1);
    const added = stdout.trimEnd().split("\n");
    assert.deepEqual(
      added.map((line) => Number(/Line (\d+) {2}\+P\d {2}@all {2}reminder$/.exec(line)?.[1])),
      lines.map((_, index) => index).filter((index) => index !== 10 && index !== 500),
    );
    assert.match(stderr, /2 of 1000 failed:\n {2}"Bad due:rubbish": .+\n {2}"x+…": .+\n$/);
    const { projects, categories, todos } = home.user.client;
    assert.equal((await todos.list()).pagination.total, 998);
    assert.equal((await projects.list()).pagination.total, 3);
    assert.equal((await categories.list()).pagination.total, 1);
  });
});

describe("todo on a machine of its own", () => {
  test("add, list and done work without a server, through pipes, too", async () => {
    using home = createHome();
    const added = await home.run(["add", "-"], { input: "One +Home\nTwo +Home\nThree\n" });
    assert.equal(added.code, 0, added.stderr);
    const ids = await home.run(["list", "--ids", "-p", "Home"]);
    assert.match(ids.stdout, /^([\da-f-]{36}\n){2}$/);
    const done = await home.run(["done", "-"], { input: ids.stdout });
    assert.match(done.stdout, /^Done .{7} {2}(One|Two)\nDone .{7} {2}(One|Two)\n$/);
    const left = await home.run(["list"]);
    assert.match(left.stdout, /^.{7}\tThree\t\topen\t\t\n$/);
  });
});
