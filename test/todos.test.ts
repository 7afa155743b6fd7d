import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { invalid, refused } from "./_expect.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

describe("todos", () => {
  let server: TestServer;
  let ada: TestUser;
  before(async () => {
    server = await startServer();
    ada = await server.register();
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (body: Parameters<typeof ada.client.todos.create>[0]["body"]) =>
    (await ada.client.todos.create({ body })).data;
  const category = async (user: TestUser, name: string = randomUUID()) =>
    (await user.client.categories.create({ body: { name, color: "#112233" } })).data;

  describe("create", () => {
    test("answers 201 with the todo, its defaults, and its place", async () => {
      const response = await server.request("POST", "/api/v1/todos", {
        key: ada.key,
        body: { title: "Buy milk" },
      });
      assert.equal(response.status, 201);
      assert.equal(response.body.message, "Todo created successfully");
      const todo = response.body.data;
      assert.equal(response.headers.get("location"), `/api/v1/todos/${todo.id}`);
      assert.match(
        todo.id,
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.deepEqual(Object.entries(todo), [
        ["id", todo.id],
        ["user_id", ada.user.id],
        ["title", "Buy milk"],
        ["description", null],
        ["status", "open"],
        ["due_date", null],
        ["due_time", null],
        ["sync_enabled", true],
        ["reminder_enabled", false],
        ["recurring_enabled", false],
        ["project_id", null],
        ["created_at", "2026-11-20 12:00:00"],
        ["updated_at", "2026-11-20 12:00:00"],
        ["categories", []],
      ]);
    });

    test("stores every field as it was given", async () => {
      const { data: project } = await ada.client.projects.create({ body: { name: "Home" } });
      const fields = {
        title: "  Füße 👣  ",
        description: "two\nlines",
        status: "in_progress",
        due_date: "2028-02-29",
        due_time: "23:59:59",
        sync_enabled: false,
        reminder_enabled: true,
        recurring_enabled: true,
        project_id: project.id,
      } as const;
      const todo = await create(fields);
      assert.deepEqual({ ...todo, ...fields }, todo);
      assert.deepEqual((await ada.client.todos.get({ params: { id: todo.id } })).data, todo);
    });

    test("needs a title that is more than white space", async () => {
      await invalid(ada.client.todos.create({ body: {} as { title: string } }), "title");
      await invalid(create({ title: " \t\n" }), "title");
      await invalid(create({ title: null as unknown as string }), "title");
    });

    test("takes a title of 255 characters and no more, counted in code points", async () => {
      assert.equal((await create({ title: "👣".repeat(255) })).title, "👣".repeat(255));
      await invalid(create({ title: "👣".repeat(256) }), "title");
      await invalid(create({ title: "a".repeat(256) }), "title");
    });

    test("refuses text that is no well-formed Unicode, or holds NUL", async () => {
      await invalid(create({ title: "a\ud800" }), "title");
      await invalid(create({ title: "a", description: "b\0" }), "description");
    });

    test("names every field that is wrong", async () => {
      const wrong = {
        title: 5,
        description: [],
        status: "done",
        due_date: "2026-02-30",
        due_time: "24:00:00",
        project_id: "1",
      };
      const call = ada.client.todos.create({ body: wrong as unknown as { title: string } });
      const error = await invalid(call, ...Object.keys(wrong));
      assert.match(error.errors!["status"]!, /open, in_progress, completed, archived/);
    });

    test("reads booleans by truthiness", async () => {
      for (const [value, expected] of [
        [0, false],
        ["", false],
        [null, false],
        ["false", true],
        [[], true],
        [1, true],
      ] as const) {
        const todo = await create({ title: "x", sync_enabled: value, reminder_enabled: value });
        assert.equal(todo.sync_enabled, expected, JSON.stringify(value));
        assert.equal(todo.reminder_enabled, expected, JSON.stringify(value));
      }
    });

    test("ignores unknown fields and those that the service sets", async () => {
      const given = { id: randomUUID(), user_id: randomUUID(), created_at: "1999-01-01 00:00:00" };
      const todo = await create({ title: "x", ...given, nonsense: 1 } as { title: string });
      assert.notEqual(todo.id, given.id);
      assert.equal(todo.user_id, ada.user.id);
      assert.equal(todo.created_at, "2026-11-20 12:00:00");
    });

    test("links the category only when it is the caller's, and never fails for it", async () => {
      const mine = await category(ada);
      const foreign = await category(await server.register());
      const linked = await create({ title: "x", category_id: mine.id });
      assert.deepEqual(linked.categories, [{ id: mine.id, name: mine.name, color: mine.color }]);
      for (const category_id of [foreign.id, randomUUID(), "nonsense", null, "", 5, {}]) {
        assert.deepEqual((await create({ title: "x", category_id })).categories, []);
      }
    });

    test("refuses a project that is not the caller's", async () => {
      const grace = await server.register();
      const { data: foreign } = await grace.client.projects.create({ body: { name: "Hers" } });
      await invalid(create({ title: "x", project_id: foreign.id }), "project_id");
      await invalid(create({ title: "x", project_id: randomUUID() }), "project_id");
    });
  });

  describe("update", () => {
    test("changes the given fields and the time of the update only", async () => {
      const todo = await create({ title: "before", description: "stays", due_date: "2026-12-01" });
      server.advance(1000);
      const { data, message } = await ada.client.todos.update({
        params: { id: todo.id },
        body: { title: "after", status: "completed", due_date: null },
      });
      assert.equal(message, "Todo updated successfully");
      assert.deepEqual(data, {
        ...todo,
        title: "after",
        status: "completed",
        due_date: null,
        updated_at: data.updated_at,
      });
      assert.ok(data.updated_at > todo.updated_at);
    });

    test("without any field leaves the record unchanged", async () => {
      const todo = await create({ title: "x" });
      server.advance(1000);
      const { data } = await ada.client.todos.update({ params: { id: todo.id }, body: {} });
      assert.deepEqual(data, todo);
    });

    test("obeys the rules of create", async () => {
      const { id } = await create({ title: "x" });
      const update = (body: object) => ada.client.todos.update({ params: { id }, body });
      await invalid(update({ title: "" }), "title");
      await invalid(update({ title: 5 }), "title");
      await invalid(update({ status: null }), "status");
      await invalid(update({ project_id: randomUUID() }), "project_id");
    });

    test("with the key category_id replaces all links", async () => {
      const [first, second] = [await category(ada), await category(ada)];
      const { id } = await create({ title: "x", category_id: first.id });
      await ada.client.todos.link({ params: { id }, body: { category_id: second.id } });
      const update = async (body: object) =>
        (await ada.client.todos.update({ params: { id }, body })).data.categories.map((c) => c.id);
      assert.equal((await update({ title: "y" })).length, 2);
      assert.deepEqual(await update({ category_id: second.id }), [second.id]);
      assert.deepEqual(await update({ category_id: "" }), []);
      await update({ category_id: first.id });
      assert.deepEqual(await update({ category_id: null }), []);
    });

    test("of a missing todo is 404 before its body is validated", async () => {
      const call = ada.client.todos.update({
        params: { id: randomUUID() },
        body: { title: 5 as unknown as string },
      });
      assert.equal((await refused(call, "not_found")).message, "Todo not found");
    });
  });

  describe("remove", () => {
    test("answers null, and the todo is gone", async () => {
      const { id } = await create({ title: "x" });
      const answer = await ada.client.todos.remove({ params: { id } });
      assert.deepEqual(answer, { success: true, message: "Todo deleted successfully", data: null });
      await refused(ada.client.todos.get({ params: { id } }), "not_found");
      await refused(ada.client.todos.remove({ params: { id } }), "not_found");
    });
  });

  describe("links", () => {
    test("are added once, shown by name, and removed without complaint", async () => {
      const { id } = await create({ title: "x" });
      const [zebra, ant] = [await category(ada, "zebra"), await category(ada, "Ant")];
      const link = (category_id: string) =>
        ada.client.todos.link({ params: { id }, body: { category_id } });
      assert.equal((await link(zebra.id)).data, null);
      await link(ant.id);
      const conflict = await refused(link(ant.id), "conflict");
      assert.equal(conflict.message, "Category already linked to this todo");
      const { data } = await ada.client.todos.get({ params: { id } });
      assert.deepEqual(
        data.categories.map((c) => c.name),
        ["Ant", "zebra"],
      );

      for (let i = 0; i < 2; i += 1) {
        const answer = await ada.client.todos.unlink({ params: { id, categoryId: ant.id } });
        assert.equal(answer.data, null);
      }
      await ada.client.todos.unlink({ params: { id, categoryId: "nonsense" } });
      const { data: left } = await ada.client.todos.get({ params: { id } });
      assert.deepEqual(
        left.categories.map((c) => c.name),
        ["zebra"],
      );
    });

    test("answer 201 on success, 422 without a category, 404 without a todo", async () => {
      const { id } = await create({ title: "x" });
      const { id: category_id } = await category(ada);
      const path = `/api/v1/todos/${id}/categories`;
      const response = await server.request("POST", path, { key: ada.key, body: { category_id } });
      assert.equal(response.status, 201);
      assert.equal(response.body.data, null);
      const link = (body: object, todo = id) =>
        ada.client.todos.link({ params: { id: todo }, body: body as { category_id: string } });
      await invalid(link({}), "category_id");
      await invalid(link({ category_id: "nonsense" }), "category_id");
      await refused(link({ category_id }, randomUUID()), "not_found");
    });

    test("to a category that is missing or another user's are accepted and never shown", async () => {
      const grace = await server.register();
      const { id } = await create({ title: "x" });
      for (const category_id of [randomUUID(), (await category(grace)).id]) {
        const link = () => ada.client.todos.link({ params: { id }, body: { category_id } });
        await link();
        await refused(link(), "conflict");
      }
      assert.deepEqual((await ada.client.todos.get({ params: { id } })).data.categories, []);
    });

    test("go with their category", async () => {
      const { id: category_id } = await category(ada);
      const { id } = await create({ title: "x", category_id });
      await ada.client.categories.remove({ params: { id: category_id } });
      assert.deepEqual((await ada.client.todos.get({ params: { id } })).data.categories, []);
      assert.deepEqual((await create({ title: "y", category_id })).categories, []);
    });
  });
});
