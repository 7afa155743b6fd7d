import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { InvalidArgumentError } from "commander";
import { colorFor, parseColor } from "../src/cli/output/color-names.ts";
import { signIn } from "./_signed-in.ts";

describe("todo categories", { concurrency: 2 }, () => {
  test("adds, shows, edits and removes a category with all its fields", async () => {
    await using user = await signIn();
    const added = await user.json(["cats", "add", "bills", "--color", "#f59e0b", "--favorite"]);
    assert.deepEqual([added.name, added.color, added.favorite], ["bills", "#F59E0B", true]);
    assert.deepEqual(await user.json(["categories", "show", "BILLS"]), added);

    const edit = ["cats", "edit", "bills", "--name", "money", "--no-favorite", "--color", "red"];
    const changes = { name: "money", favorite: false, color: "#EF4444" };
    assert.deepEqual(await user.json(edit), { ...added, ...changes });

    const { stdout } = await user.run(["cats", "rm", added.id.slice(0, 6)]);
    assert.equal(stdout, `Removed ${added.id.slice(0, 7)}  money\n`);
    assert.deepEqual((await user.client.categories.list()).data, []);
  });

  test("gives a category without a colour one that goes with its name", async () => {
    await using user = await signIn();
    const { stdout } = await user.run(["categories", "add", "errands"]);
    assert.match(stdout, /^Added [\da-f]{7} {2}errands\n$/);
    const [category] = (await user.client.categories.list()).data;
    assert.equal(category!.color, colorFor("Errands"));
    assert.equal(category!.favorite, false);
  });

  test("lists favorites, others, or all of them in an order", async () => {
    await using user = await signIn();
    const create = (name: string, favorite: boolean) =>
      user.client.categories.create({ body: { name, favorite, color: "#112233" } });
    await create("a", false);
    await create("b", true);
    await create("c", false);
    const names = async (...args: string[]) =>
      (await user.json(["cats", ...args])).map(({ name }: { name: string }) => name).join("");
    assert.equal(await names(), "cba");
    assert.equal(await names("--favorite"), "b");
    assert.equal(await names("list", "--no-favorite"), "ca");
    assert.equal(await names("--sort", "-favorite,name"), "bac");
  });

  test("says what is wrong: a name that is taken, nothing to change, no such category", async () => {
    await using user = await signIn();
    await user.run(["cats", "add", "bills", "-q"]);
    assert.match(await user.fail(1, ["cats", "add", "Bills"]), /already exists/);
    assert.match(await user.fail(2, ["cats", "edit", "bills"]), /Nothing to change/);
    assert.match(await user.fail(3, ["cats", "rm", "bils"]), /Did you mean "bills"\?/);
    assert.equal((await user.client.categories.list()).data.length, 1);
  });

  test("asks back when a name looks like the start of another one's id", async () => {
    await using user = await signIn();
    let prefix = "";
    // With a letter, so that the name in capitals is not the prefix itself.
    for (let number = 0; !/[a-f]/.test(prefix); number += 1) {
      const { data: one } = await user.client.categories.create({
        body: { name: `one ${number}`, color: "#112233" },
      });
      prefix = one.id.slice(0, 4);
    }
    const { data: other } = await user.client.categories.create({
      body: { name: prefix.toUpperCase(), color: "#112233" },
    });
    assert.match(await user.fail(3, ["cats", "show", prefix]), /could be several categories/);
    assert.equal((await user.json(["cats", "show", other.id])).id, other.id);
  });
});

describe("a colour that is given", () => {
  test("is a name or hex digits, in any case", () => {
    assert.equal(parseColor("#8b5cf6"), "#8B5CF6");
    assert.equal(parseColor("8B5CF6"), "#8B5CF6");
    assert.equal(parseColor("#1af"), "#11AAFF");
    assert.equal(parseColor("Violet"), "#8B5CF6");
  });

  test("is refused if it is neither", () => {
    for (const text of ["", "#12345", "#GGGGGG", "purplish", "constructor", "#1234567"]) {
      assert.throws(() => parseColor(text), InvalidArgumentError, text);
    }
  });
});

describe("the colour for a name", () => {
  test("is the same in any case, and differs between names", () => {
    assert.equal(colorFor("Home"), colorFor("home"));
    const names = ["home", "work", "bills", "errands", "garden", "health", "travel", "music"];
    assert.ok(new Set(names.map(colorFor)).size >= 4, names.map(colorFor).join());
    for (const name of [...names, "", "日本語", "🚆"])
      assert.match(colorFor(name), /^#[\dA-F]{6}$/);
  });
});
