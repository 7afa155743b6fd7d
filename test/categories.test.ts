import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { failure, invalid, refused } from "./_expect.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

const color = "#112233";
const taken = "A category with this name already exists.";

describe("categories", () => {
  let server: TestServer;
  let ada: TestUser;
  before(async () => {
    server = await startServer();
    ada = await server.register();
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (body: { name?: string; color?: string; favorite?: unknown } = {}) =>
    (await ada.client.categories.create({ body: { name: randomUUID(), color, ...body } })).data;
  const get = async (id: string) => (await ada.client.categories.get({ params: { id } })).data;
  const update = (id: string, body: object) =>
    ada.client.categories.update({ params: { id }, body });

  describe("create", () => {
    test("answers 201 with the category, its default, and its place", async () => {
      const response = await server.request("POST", "/api/v1/categories", {
        key: ada.key,
        body: { name: "Errands", color: "#aBcDeF" },
      });
      assert.equal(response.status, 201);
      assert.deepEqual(Object.keys(response.body), ["success", "message", "data"]);
      assert.equal(response.body.success, true);
      assert.equal(response.body.message, "Category created successfully");
      const category = response.body.data;
      assert.equal(response.headers.get("location"), `/api/v1/categories/${category.id}`);
      assert.match(
        category.id,
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.deepEqual(Object.entries(category), [
        ["id", category.id],
        ["user_id", ada.user.id],
        ["name", "Errands"],
        ["color", "#aBcDeF"],
        ["favorite", false],
        ["created_at", "2026-11-20 12:00:00"],
      ]);
      assert.deepEqual(await get(category.id), category);
    });

    test("needs a name of 1 to 255 characters that is more than white space", async () => {
      for (const name of [undefined, null, 5, "", " \n", "a".repeat(256), "a\0", "\ud800"]) {
        const body = { name, color } as { name: string; color: string };
        await invalid(ada.client.categories.create({ body }), "name");
      }
      assert.equal((await create({ name: "👣".repeat(255) })).name, "👣".repeat(255));
      assert.equal((await create({ name: "  kept as given " })).name, "  kept as given ");
    });

    test("needs a color of # and six hex digits", async () => {
      for (const wrong of [
        undefined,
        null,
        5,
        "",
        "red",
        "#12345",
        "#1234567",
        "#12345g",
        "112233",
        "#112233\n",
      ]) {
        const body = { name: randomUUID(), color: wrong } as { name: string; color: string };
        await invalid(ada.client.categories.create({ body }), "color");
      }
    });

    test("names every field that is wrong, in the shape of the contract", async () => {
      const response = await server.request("POST", "/api/v1/categories", { key: ada.key });
      failure(response, 422, "Validation failed");
      assert.deepEqual(Object.keys(response.body), ["success", "message", "errors"]);
      assert.deepEqual(Object.keys(response.body.errors).toSorted(), ["color", "name"]);
    });

    test("reads favorite by truthiness", async () => {
      for (const [favorite, expected] of [
        [true, true],
        ["false", true],
        [{}, true],
        [1, true],
        [0, false],
        ["", false],
        [null, false],
      ] as const) {
        assert.equal((await create({ favorite })).favorite, expected, JSON.stringify(favorite));
      }
    });

    test("refuses a name that the caller has, in whatever case", async () => {
      await create({ name: "Äpfel" });
      for (const name of ["Äpfel", "äPFEL"]) {
        const response = await server.request("POST", "/api/v1/categories", {
          key: ada.key,
          body: { name, color },
        });
        failure(response, 409, taken);
        assert.deepEqual(Object.keys(response.body), ["success", "message"]);
      }
    });

    test("takes a name that another user has", async () => {
      await create({ name: "Shared" });
      const grace = await server.register();
      const { data } = await grace.client.categories.create({ body: { name: "Shared", color } });
      assert.equal(data.user_id, grace.user.id);
    });

    test("finds what is wrong with the fields before it finds a conflict", async () => {
      await create({ name: "Wrong and taken" });
      await invalid(create({ name: "Wrong and taken", color: "red" }), "color");
    });
  });

  describe("update", () => {
    test("changes the given fields only", async () => {
      const category = await create({ favorite: true });
      const name = randomUUID();
      const { data, message } = await update(category.id, { name });
      assert.equal(message, "Category updated successfully");
      assert.deepEqual(data, { ...category, name });
      const recolored = { ...category, name, color: "#000000", favorite: false };
      const body = { color: "#000000", favorite: 0 };
      assert.deepEqual((await update(category.id, body)).data, recolored);
      assert.deepEqual(await get(category.id), recolored);
    });

    test("with none of its fields is 400", async () => {
      const category = await create();
      for (const body of [{}, { id: randomUUID(), user_id: randomUUID(), title: "x" }]) {
        const path = `/api/v1/categories/${category.id}`;
        const response = await server.request("PUT", path, { key: ada.key, body });
        failure(response, 400, "No valid fields to update");
        assert.deepEqual(Object.keys(response.body), ["success", "message"]);
      }
      assert.deepEqual(await get(category.id), category);
    });

    test("obeys the rules of create", async () => {
      const { id } = await create();
      await invalid(update(id, { name: " " }), "name");
      await invalid(update(id, { name: null }), "name");
      await invalid(update(id, { color: "red", name: 5 }), "color", "name");
      await invalid(update(id, { color: null }), "color");
    });

    test("refuses a name that another category of the caller has, in whatever case", async () => {
      const { id } = await create({ name: "one" });
      await create({ name: "two" });
      assert.equal((await refused(update(id, { name: "TWO" }), "conflict")).message, taken);
      assert.equal((await get(id)).name, "one");
    });

    test("may keep the category's own name, and change its case", async () => {
      const { id, name } = await create({ name: "straße" });
      assert.equal((await update(id, { name })).data.name, "straße");
      assert.equal((await update(id, { name: "Straße" })).data.name, "Straße");
      await refused(create({ name: "STRASSE" }), "conflict");
    });

    test("frees the name that it changes", async () => {
      const { id } = await create({ name: "given up" });
      await update(id, { name: "chosen instead" });
      await create({ name: "given up" });
      await refused(create({ name: "Chosen Instead" }), "conflict");
    });

    test("of a missing category is 404 before anything else", async () => {
      const params = { id: randomUUID() };
      for (const body of [{}, { name: 5 as unknown as string }]) {
        const error = await refused(ada.client.categories.update({ params, body }), "not_found");
        assert.equal(error.message, "Category not found");
      }
    });

    test("shows in the records that are linked to it", async () => {
      const { id } = await create();
      const { data: todo } = await ada.client.todos.create({
        body: { title: "x", category_id: id },
      });
      await update(id, { name: "renamed", color: "#abcdef" });
      const { data } = await ada.client.todos.get({ params: { id: todo.id } });
      assert.deepEqual(
        data.categories.map((category) => Object.entries(category)),
        [
          [
            ["id", id],
            ["name", "renamed"],
            ["color", "#abcdef"],
          ],
        ],
      );
    });
  });

  describe("remove", () => {
    test("answers null, and the category is gone", async () => {
      const { id } = await create();
      const answer = await ada.client.categories.remove({ params: { id } });
      assert.deepEqual(answer, {
        success: true,
        message: "Category deleted successfully",
        data: null,
      });
      await refused(get(id), "not_found");
      await refused(ada.client.categories.remove({ params: { id } }), "not_found");
    });

    test("takes the links with it, and leaves the records", async () => {
      const { id } = await create();
      const other = await create({ name: "stays" });
      const { client } = ada;
      const todo = (await client.todos.create({ body: { title: "x", category_id: id } })).data;
      const task = (await client.recurring.create({ body: { title: "x", category_id: id } })).data;
      await client.todos.link({ params: { id: todo.id }, body: { category_id: other.id } });
      await client.categories.remove({ params: { id } });
      const left = (await client.todos.get({ params: { id: todo.id } })).data.categories;
      assert.deepEqual(
        left.map((category) => category.name),
        ["stays"],
      );
      assert.deepEqual(
        (await client.recurring.get({ params: { id: task.id } })).data.categories,
        [],
      );
      // The links are gone, not hidden: they can be made again.
      await client.todos.link({ params: { id: todo.id }, body: { category_id: id } });
    });

    test("frees the name", async () => {
      const { id } = await create({ name: "used twice" });
      await ada.client.categories.remove({ params: { id } });
      await create({ name: "Used twice" });
    });
  });

  test("are retrieved with their message", async () => {
    const { id } = await create();
    const one = await ada.client.categories.get({ params: { id } });
    assert.equal(one.message, "Category retrieved successfully");
    const list = await ada.client.categories.list();
    assert.equal(list.message, "Categories retrieved successfully");
    assert.deepEqual(list.data[0], one.data);
  });
});
