import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Entry, World } from "../build/prove/load/world.ts";
import { createWriter, settle } from "../build/prove/load/writer.ts";

const todo: Entry = {
  kind: "todo",
  title: "3.1 first",
  choice: "open",
  description: null,
  links: ["3.2"],
};
const category: Entry = {
  kind: "category",
  title: "3.2 home",
  choice: "#aa0000",
  description: null,
  links: [],
};
const before: World = new Map([
  ["3.1", todo],
  ["3.2", category],
]);
/** The category is removed, and with it the link. */
const after: World = new Map([["3.1", { ...todo, links: [] }]]);

/** What is made of what was found after a kill. */
function settled(found: World, pending?: World) {
  const writer = { ...createWriter(3), world: before, pending };
  const ids = new Map([...found.keys()].map((key) => [key, `id of ${key}`]));
  const settlement = settle(writer, { worlds: new Map([[3, found]]), ids });
  assert.deepEqual(writer.world, found);
  return settlement;
}

describe("what a killed server leaves to a writer", () => {
  test("is right when it is what was acknowledged", () => {
    assert.deepEqual(settled(before), { lost: [], torn: [], happened: undefined });
  });

  test("may have the change under way, or not", () => {
    assert.deepEqual(settled(before, after), { lost: [], torn: [], happened: false });
    assert.deepEqual(settled(after, after), { lost: [], torn: [], happened: true });
  });

  test("is torn when it has a part of the change", () => {
    const half = new Map([["3.1", todo]]);
    assert.deepEqual(settled(half, after).torn, ["3.1", "3.2"]);
    const other = new Map(before).set("3.1", { ...todo, title: "3.1 other" });
    assert.deepEqual(settled(other, after).torn, ["3.1", "3.2"]);
  });

  test("has lost what is missing, old or new without a change", () => {
    assert.deepEqual(settled(new Map([["3.2", category]])).lost, ["3.1"]);
    const old = new Map(before).set("3.1", { ...todo, title: "3.1 older" });
    assert.deepEqual(settled(old).lost, ["3.1"]);
    const more = new Map(before).set("3.3", { ...todo, title: "3.3 deleted before" });
    assert.deepEqual(settled(more).lost, ["3.3"]);
  });
});
