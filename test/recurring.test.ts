import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { failure, invalid, refused } from "./_expect.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

describe("recurring tasks", () => {
  let server: TestServer;
  let ada: TestUser;
  before(async () => {
    server = await startServer();
    ada = await server.register();
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (body: object = {}) =>
    (await ada.client.recurring.create({ body: { title: "Water plants", ...body } })).data;
  const get = async (id: string) => (await ada.client.recurring.get({ params: { id } })).data;
  const update = (id: string, body: object) =>
    ada.client.recurring.update({ params: { id }, body });
  const category = async (user: TestUser, name: string = randomUUID()) =>
    (await user.client.categories.create({ body: { name, color: "#112233" } })).data;

  describe("create", () => {
    test("answers 201 with the task, its defaults, and its place", async () => {
      const response = await server.request("POST", "/api/v1/recurring-tasks", {
        key: ada.key,
        body: { title: "Water plants" },
      });
      assert.equal(response.status, 201);
      assert.deepEqual(Object.keys(response.body), ["success", "message", "data"]);
      assert.equal(response.body.message, "Recurring task created successfully");
      const task = response.body.data;
      assert.equal(response.headers.get("location"), `/api/v1/recurring-tasks/${task.id}`);
      assert.match(
        task.id,
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.deepEqual(Object.entries(task), [
        ["id", task.id],
        ["user_id", ada.user.id],
        ["title", "Water plants"],
        ["description", null],
        ["schedule", "weekly"],
        ["custom_days", []],
        ["favorite", false],
        ["created_at", "2026-11-20 12:00:00"],
        ["updated_at", "2026-11-20 12:00:00"],
        ["categories", []],
      ]);
    });

    test("stores every field as it was given", async () => {
      const fields = {
        title: "  Blumen gießen 👣 ",
        description: "two\nlines",
        schedule: "custom",
        custom_days: ["fri", "mon"],
        favorite: true,
      };
      const task = await create(fields);
      assert.deepEqual({ ...task, ...fields }, task);
      assert.deepEqual(await get(task.id), task);
    });

    test("takes every schedule", async () => {
      for (const schedule of ["daily", "weekly", "monthly", "custom"]) {
        assert.equal((await create({ schedule })).schedule, schedule);
      }
    });

    test("keeps custom days in their order, once each, whatever the schedule", async () => {
      const custom_days = ["sun", "mon", "sun", "wed", "mon"];
      for (const schedule of ["daily", "custom"]) {
        const task = await create({ schedule, custom_days });
        assert.deepEqual(task.custom_days, ["sun", "mon", "wed"]);
      }
      const week = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"];
      assert.deepEqual((await create({ custom_days: week })).custom_days, week);
    });

    test("refuses custom days that are no list of weekdays", async () => {
      for (const custom_days of [["monday"], ["MON"], ["mon", 1], [null], "mon", null, {}]) {
        await invalid(create({ custom_days }), "custom_days");
      }
    });

    test("needs a title of 1 to 255 characters that is more than white space", async () => {
      for (const title of [undefined, null, 5, "", " \t", "a".repeat(256), "a\0"]) {
        await invalid(create({ title }), "title");
      }
      assert.equal((await create({ title: "👣".repeat(255) })).title, "👣".repeat(255));
    });

    test("names every field that is wrong", async () => {
      const response = await server.request("POST", "/api/v1/recurring-tasks", {
        key: ada.key,
        body: { description: 5, schedule: "yearly", custom_days: 7 },
      });
      failure(response, 422, "Validation failed");
      const { errors } = response.body;
      assert.deepEqual(Object.keys(errors).toSorted(), [
        "custom_days",
        "description",
        "schedule",
        "title",
      ]);
      assert.match(errors.schedule, /daily, weekly, monthly, custom/);
    });

    test("reads favorite by truthiness", async () => {
      for (const [favorite, expected] of [
        ["false", true],
        [[], true],
        [0, false],
        ["", false],
        [null, false],
      ] as const) {
        assert.equal((await create({ favorite })).favorite, expected, JSON.stringify(favorite));
      }
    });

    test("links the category only when it is the caller's, and never fails for it", async () => {
      const mine = await category(ada);
      const foreign = await category(await server.register());
      const linked = await create({ category_id: mine.id.toUpperCase() });
      assert.deepEqual(linked.categories, [{ id: mine.id, name: mine.name, color: mine.color }]);
      for (const category_id of [foreign.id, randomUUID(), "nonsense", null, "", 5, {}]) {
        assert.deepEqual((await create({ category_id })).categories, []);
      }
    });
  });

  describe("update", () => {
    test("changes the given fields and the time of the update only", async () => {
      const task = await create({ description: "stays", custom_days: ["mon"] });
      server.advance(1000);
      const changes = { title: "after", schedule: "monthly", favorite: 1 };
      const { data, message } = await update(task.id, changes);
      assert.equal(message, "Recurring task updated successfully");
      assert.ok(data.updated_at > task.updated_at);
      const { updated_at } = data;
      assert.deepEqual(data, { ...task, ...changes, favorite: true, updated_at });
      const cleared = await update(task.id, { description: null, custom_days: [] });
      assert.deepEqual(cleared.data, { ...data, description: null, custom_days: [] });
      assert.deepEqual(await get(task.id), cleared.data);
    });

    test("without any of its fields leaves the record unchanged", async () => {
      const task = await create();
      server.advance(1000);
      assert.deepEqual((await update(task.id, {})).data, task);
      assert.deepEqual((await update(task.id, { id: randomUUID(), status: "open" })).data, task);
    });

    test("obeys the rules of create", async () => {
      const { id } = await create();
      await invalid(update(id, { title: " " }), "title");
      await invalid(update(id, { title: null, schedule: null }), "title", "schedule");
      await invalid(
        update(id, { schedule: "yearly", custom_days: ["x"] }),
        "schedule",
        "custom_days",
      );
      await invalid(update(id, { description: 5 }), "description");
    });

    test("with the key category_id replaces all links", async () => {
      const [first, second] = [await category(ada), await category(ada)];
      const foreign = await category(await server.register());
      const { id } = await create({ category_id: first.id });
      await ada.client.recurring.link({ params: { id }, body: { category_id: second.id } });
      const left = async (body: object) =>
        (await update(id, body)).data.categories.map((linked) => linked.id);
      assert.equal((await left({ title: "y" })).length, 2);
      assert.deepEqual(await left({ category_id: second.id }), [second.id]);
      assert.deepEqual(await left({ category_id: "" }), []);
      await update(id, { category_id: first.id });
      assert.deepEqual(await left({ category_id: null }), []);
      await update(id, { category_id: first.id });
      assert.deepEqual(await left({ category_id: foreign.id }), []);
    });

    test("of a missing task is 404 before its body is validated", async () => {
      const call = update(randomUUID(), { title: 5 });
      assert.equal((await refused(call, "not_found")).message, "Recurring task not found");
    });
  });

  describe("remove", () => {
    test("answers null, and the task is gone", async () => {
      const { id } = await create();
      const answer = await ada.client.recurring.remove({ params: { id } });
      assert.deepEqual(answer, {
        success: true,
        message: "Recurring task deleted successfully",
        data: null,
      });
      await refused(get(id), "not_found");
      await refused(ada.client.recurring.remove({ params: { id } }), "not_found");
    });
  });

  describe("links", () => {
    test("are added once, and removed without complaint", async () => {
      const { id } = await create();
      const [zebra, ant] = [await category(ada, "zebra"), await category(ada, "Ant")];
      const link = (category_id: string) =>
        ada.client.recurring.link({ params: { id }, body: { category_id } });
      assert.deepEqual(await link(zebra.id), {
        success: true,
        message: "Category linked successfully",
        data: null,
      });
      await link(ant.id);
      const conflict = await refused(link(ant.id.toUpperCase()), "conflict");
      assert.equal(conflict.message, "Category already linked to this task");
      assert.deepEqual(
        (await get(id)).categories.map(({ name }) => name),
        ["Ant", "zebra"],
      );

      for (const categoryId of [ant.id, ant.id, randomUUID(), "nonsense"]) {
        assert.deepEqual(await ada.client.recurring.unlink({ params: { id, categoryId } }), {
          success: true,
          message: "Category unlinked successfully",
          data: null,
        });
      }
      assert.deepEqual(
        (await get(id)).categories.map(({ name }) => name),
        ["zebra"],
      );
    });

    test("are shown by name without regard to case, not by age", async () => {
      const { id } = await create();
      for (const name of ["zoo", "bees", "Mole"]) {
        const { id: category_id } = await category(ada, name);
        await ada.client.recurring.link({ params: { id }, body: { category_id } });
      }
      assert.deepEqual(
        (await get(id)).categories.map(({ name }) => name),
        ["bees", "Mole", "zoo"],
      );
    });

    test("do not change when the task was updated", async () => {
      const task = await create();
      const { id: category_id } = await category(ada);
      server.advance(1000);
      await ada.client.recurring.link({ params: { id: task.id }, body: { category_id } });
      assert.equal((await get(task.id)).updated_at, task.updated_at);
    });

    test("answer 201 on success, 422 without a category, 404 without a task", async () => {
      const { id } = await create();
      const { id: category_id } = await category(ada);
      const path = `/api/v1/recurring-tasks/${id}/categories`;
      const response = await server.request("POST", path, { key: ada.key, body: { category_id } });
      assert.equal(response.status, 201);
      assert.equal(response.body.data, null);
      const link = (body: object, task = id) =>
        ada.client.recurring.link({ params: { id: task }, body: body as { category_id: string } });
      for (const body of [{}, { category_id: null }, { category_id: "nonsense" }]) {
        await invalid(link(body), "category_id");
      }
      for (const body of [{ category_id }, {}]) {
        const missing = await refused(link(body, randomUUID()), "not_found");
        assert.equal(missing.message, "Recurring task not found");
      }
      const params = { id: randomUUID(), categoryId: category_id };
      const missing = await refused(ada.client.recurring.unlink({ params }), "not_found");
      assert.equal(missing.message, "Recurring task not found");
    });

    test("to a category that is missing or another user's are accepted and never shown", async () => {
      const grace = await server.register();
      const { id } = await create();
      for (const category_id of [randomUUID(), (await category(grace)).id]) {
        const link = () => ada.client.recurring.link({ params: { id }, body: { category_id } });
        await link();
        await refused(link(), "conflict");
      }
      assert.deepEqual((await get(id)).categories, []);
    });

    test("of tasks and of todos are kept apart", async () => {
      const { id: category_id } = await category(ada);
      const task = await create();
      const { data: todo } = await ada.client.todos.create({ body: { title: "x", category_id } });
      await refused(
        ada.client.recurring.link({ params: { id: todo.id }, body: { category_id } }),
        "not_found",
      );
      assert.deepEqual((await get(task.id)).categories, []);
    });
  });

  test("are retrieved with their message", async () => {
    const { id } = await create();
    const one = await ada.client.recurring.get({ params: { id } });
    assert.equal(one.message, "Recurring task retrieved successfully");
    const list = await ada.client.recurring.list();
    assert.equal(list.message, "Recurring tasks retrieved successfully");
    assert.deepEqual(list.data[0], one.data);
  });
});
