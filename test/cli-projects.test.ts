import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { stripVTControlCharacters } from "node:util";
import { closest } from "../src/cli/suggest.ts";
import { signIn } from "./_signed-in.ts";

describe("todo projects", { concurrency: 2 }, () => {
  test("adds, shows, edits and removes a project with all its fields", async () => {
    await using user = await signIn();
    const added = await user.json(["projects", "add", "Home", "-d", "House", "--color", "teal"]);
    assert.match(added.id, /^[\da-f-]{36}$/);
    assert.deepEqual([added.name, added.description, added.color], ["Home", "House", "#14A8A0"]);
    assert.deepEqual(await user.json(["projects", "show", "home"]), added);

    const edit = ["projects", "edit", added.id.slice(0, 7), "-d", "NONE", "--color", "abc"];
    const edited = await user.json([...edit, "--name", "House"]);
    const changes = { name: "House", description: null, color: "#AABBCC" };
    assert.deepEqual(edited, { ...added, ...changes });

    assert.equal(await user.json(["projects", "remove", "House"]), null);
    assert.deepEqual((await user.client.projects.list()).data, []);
  });

  test("lists without a subcommand, sorted, as lines for programs", async () => {
    await using user = await signIn();
    for (const name of ["Beta", "alpha", "Gamma"]) {
      await user.client.projects.create({ body: { name, description: `about\t${name}` } });
    }
    const names = async (args: string[]) =>
      (await user.json(args)).map(({ name }: { name: string }) => name);
    assert.deepEqual(await names(["projects"]), ["Gamma", "alpha", "Beta"]);
    assert.deepEqual(await names(["projects", "--sort", "-name"]), ["Gamma", "Beta", "alpha"]);
    const { stdout } = await user.run(["projects", "list", "--sort", "name"]);
    const [first] = stdout.split("\n");
    assert.match(first!, /^[\da-f]{7}\talpha\tabout alpha\t#8B5CF6$/);
    assert.match(await user.fail(2, ["projects", "--sort", "color"]), /Sort by name, created;/);
    for (const field of ["created", "created_at"]) {
      assert.deepEqual(await names(["projects", "--sort", field]), ["Beta", "alpha", "Gamma"]);
    }
  });

  test("shows as many as are asked for, and says how many there are", async () => {
    await using user = await signIn();
    await Promise.all(
      Array.from({ length: 230 }, (_, index) =>
        user.client.projects.create({ body: { name: `p${index}` } }),
      ),
    );
    const lines = (stdout: string) => stdout.trimEnd().split("\n").length;
    const some = await user.run(["projects"]);
    assert.equal(lines(some.stdout), 50);
    assert.match(some.stderr, /50 of 230/);
    assert.equal(lines((await user.run(["projects", "--limit", "201"])).stdout), 201);
    const all = await user.run(["projects", "list", "--all"]);
    assert.equal(lines(all.stdout), 230);
    assert.equal(all.stderr, "");
    await user.fail(2, ["projects", "--limit", "0"]);
  });

  test("finds by name or id, and asks back where several could be meant", async () => {
    await using user = await signIn();
    const create = async (name: string) =>
      (await user.client.projects.create({ body: { name } })).data;
    const upper = await create("Home");
    await create("home");
    const twin = await create("Twin");
    await create("Twin");
    assert.equal((await user.json(["projects", "show", "Home"])).id, upper.id);
    assert.equal((await user.json(["projects", "show", twin.id])).id, twin.id);
    const several = await user.fail(3, ["projects", "show", "twin"]);
    assert.match(several, new RegExp(`could be several projects[^]*${twin.id}  Twin`));
    assert.match(await user.fail(3, ["projects", "show", "Twn"]), /Did you mean "Twin"\?/);
    assert.match(await user.fail(3, ["projects", "edit", "x", "--name", "y"]), /`todo projects`/);
  });

  test("removes several only after a yes, and leaves their todos", async () => {
    await using user = await signIn();
    const { data } = await user.client.projects.create({ body: { name: "One" } });
    await user.client.projects.create({ body: { name: "Two" } });
    const todo = await user.client.todos.create({ body: { title: "t", project_id: data.id } });
    const both = ["projects", "remove", "One", "Two"];
    assert.match(await user.fail(2, both), /Remove 2 projects: "One", "Two.*--yes/);
    assert.equal((await user.client.projects.list()).data.length, 2);
    const { stdout: lines } = await user.run(["projects"]);
    const removed = await user.run(["projects", "remove", "-", "-y"], { input: lines });
    assert.equal(removed.stdout.split("\n").length, 3);
    assert.deepEqual((await user.client.projects.list()).data, []);
    const { data: left } = await user.client.todos.get({ params: { id: todo.data.id } });
    assert.equal(left.project_id, null);
  });

  test("refuses what changes nothing, and colours that are none", async () => {
    await using user = await signIn();
    assert.match(await user.fail(2, ["projects", "edit", "x"]), /Nothing to change/);
    assert.match(await user.fail(2, ["projects", "add", "x", "--color", "mauve"]), /#8B5CF6/);
    assert.match(await user.fail(2, ["projects", "add", " "]), /name must be/);
    const typo = await user.fail(2, ["projects", "lst", "--sort", "name"]);
    assert.match(typo, /unknown command 'lst' \(Did you mean list\?\)/);
  });

  test("keeps within a narrow terminal, with the colour to see, and nothing obeyed", async () => {
    await using user = await signIn();
    const name = "Evil \u001B]0;owned\u0007 project with a very long name of many words";
    await user.client.projects.create({
      body: { name, description: "\u001B[2Jgone", color: "#FF0000" },
    });
    const shown = await user.show(["projects"], { columns: 40 });
    assert.ok(shown.includes("\u001B[38;5;196m■\u001B[39m"), shown);
    for (const obeyed of ["\u001B]", "\u001B[2J", "\u0007"]) assert.ok(!shown.includes(obeyed));
    for (const line of stripVTControlCharacters(shown).split("\n")) {
      assert.ok(line.length <= 40, line);
    }
    const plain = await user.show(["projects", "--no-color"]);
    assert.ok(!plain.includes("\u001B") && !plain.includes("■"), plain);
  });
});

describe("a suggestion", () => {
  test("is the word with the fewest slips, swapped letters being one", () => {
    assert.equal(closest("lsit", ["edit", "list", "show"]), "list");
    assert.equal(closest("NROD", ["nord", "dracula"]), "nord");
    assert.equal(closest("projetcs", ["projects", "profile"]), "projects");
  });

  test("is not made for something else", () => {
    assert.equal(closest("frobnicate", ["list", "show"]), undefined);
    assert.equal(closest("x", ["ls"]), undefined);
  });
});
