import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import { after, before, describe, test } from "node:test";
import { trustedProxies } from "../src/server/client-address.ts";
import { failure, refused } from "./_expect.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

const color = "#112233";

describe("the activity log", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer({ proxies: trustedProxies(["127.0.0.1"]) });
  });
  after(() => server[Symbol.asyncDispose]());

  const entries = async ({ client }: TestUser, query: { limit?: number | string } = {}) =>
    (await client.activity.list({ query })).data;
  const newest = async (user: TestUser) => (await entries(user))[0]!;

  /** Every kind of record that is logged, with the field that names it. */
  const kinds = [
    { type: "todo", path: "/api/v1/todos", name: "title" },
    { type: "recurring_task", path: "/api/v1/recurring-tasks", name: "title" },
    { type: "project", path: "/api/v1/projects", name: "name" },
    { type: "category", path: "/api/v1/categories", name: "name" },
  ] as const;

  for (const { type, path, name } of kinds) {
    describe(`of a ${type}`, () => {
      test("tells what was created, updated and deleted, by the name before it", async () => {
        const ada = await server.register();
        const send = (method: string, at: string, body?: object) =>
          server.request(method, at, { key: ada.key, body, headers: { "user-agent": "test/1" } });
        const { id } = (await send("POST", path, { [name]: "before", color })).body.data;
        await send("PUT", `${path}/${id}`, { [name]: "after" });
        await send("DELETE", `${path}/${id}`);

        const log = await entries(ada);
        const expected = [
          ["deleted", "after"],
          ["updated", "before"],
          ["created", "before"],
        ] as const;
        assert.deepEqual(
          log.map((entry) => Object.entries(entry)),
          expected.map(([verb, text], index) => [
            ["id", log[index]!.id],
            ["user_id", ada.user.id],
            ["action", `${type}_${verb}`],
            ["entity_type", type],
            ["entity_id", id],
            ["details", { [name]: text }],
            ["ip_address", "127.0.0.1"],
            ["user_agent", "test/1"],
            ["created_at", "2026-11-20 12:00:00"],
          ]),
        );
        assert.equal(new Set(log.map((entry) => entry.id)).size, 3);
      });

      test("has no entry of what was refused", async () => {
        const ada = await server.register();
        const send = (method: string, at: string, body?: object | string) =>
          server.request(method, at, { key: ada.key, body });
        const { id } = (await send("POST", path, { [name]: "x", color })).body.data;
        const { data: readOnly } = await ada.client.keys.create({ body: { scopes: ["read"] } });
        failure(await send("POST", path, {}), 422);
        failure(await send("PUT", `${path}/${id}`, { [name]: 5 }), 422);
        failure(await send("PUT", `${path}/${id}`, "nonsense"), 400);
        failure(await send("PUT", `${path}/${randomUUID()}`, { [name]: "y" }), 404);
        failure(await send("DELETE", `${path}/${randomUUID()}`), 404);
        const grace = await server.register();
        const foreign = { key: grace.key, body: { [name]: "y" } };
        failure(await server.request("PUT", `${path}/${id}`, foreign), 404);
        failure(await server.request("DELETE", `${path}/${id}`, foreign), 404);
        const forbidden = { key: readOnly.key, body: { [name]: "y" } };
        assert.equal((await server.request("PUT", `${path}/${id}`, forbidden)).status, 403);
        assert.deepEqual(
          (await entries(ada)).map((entry) => entry.action),
          [`${type}_created`],
        );
        assert.deepEqual(await entries(grace), []);
      });
    });
  }

  test("names its entries by UUIDs of version 4 that follow each other", async () => {
    const ada = await server.register();
    for (const title of ["first", "second", "third"]) {
      await ada.client.todos.create({ body: { title } });
      server.advance(1);
    }
    const ids = (await entries(ada)).map(({ id }) => id);
    for (const id of ids) {
      assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }
    assert.deepEqual(ids, ids.toSorted().toReversed());
  });

  test("has no entry of a conflict, nor of a todo in a project of nobody's", async () => {
    const ada = await server.register();
    const { client } = ada;
    await client.categories.create({ body: { name: "taken", color } });
    const { data: other } = await client.categories.create({ body: { name: "other", color } });
    const earlier = await entries(ada);
    await refused(client.categories.create({ body: { name: "taken", color } }), "conflict");
    const params = { id: other.id };
    await refused(client.categories.update({ params, body: { name: "Taken" } }), "conflict");
    await refused(client.categories.update({ params, body: {} }), "bad_request");
    const body = { title: "x", project_id: randomUUID() };
    await refused(client.todos.create({ body }), "invalid");
    assert.deepEqual(await entries(ada), earlier);
  });

  test("has no entry of reads, links, themes, keys and the profile", async () => {
    const ada = await server.register();
    const { client } = ada;
    const { data: category } = await client.categories.create({ body: { name: "x", color } });
    const { data: todo } = await client.todos.create({ body: { title: "x" } });
    const { data: task } = await client.recurring.create({ body: { title: "x" } });
    const earlier = await entries(ada);

    for (const [resource, { id }] of [
      ["todos", todo],
      ["recurring", task],
    ] as const) {
      await client[resource].link({ params: { id }, body: { category_id: category.id } });
      await client[resource].unlink({ params: { id, categoryId: category.id } });
      await client[resource].get({ params: { id } });
      await client[resource].list();
    }
    const [theme] = (await client.catalogue.list()).data;
    const installed = await client.userThemes.create({ body: { theme_id: theme!.id } });
    await client.userThemes.remove({ params: { id: installed.data.id } });
    await client.profile.update({ body: { name: "Grace" } });
    await client.keys.create({ body: {} });
    assert.deepEqual(await entries(ada), earlier);
  });

  test("tells of an update without any field of a todo or a task, not of a project", async () => {
    const ada = await server.register();
    const { todos, recurring, projects } = ada.client;
    const { data: todo } = await todos.create({ body: { title: "x" } });
    await todos.update({ params: { id: todo.id }, body: {} });
    assert.equal((await newest(ada)).action, "todo_updated");
    const { data: task } = await recurring.create({ body: { title: "x" } });
    await recurring.update({ params: { id: task.id }, body: {} });
    assert.equal((await newest(ada)).action, "recurring_task_updated");
    const { data: project } = await projects.create({ body: { name: "x" } });
    await projects.update({ params: { id: project.id }, body: {} });
    assert.equal((await newest(ada)).action, "project_created");
  });

  test("tells of a deleted project once, whatever it does to its todos", async () => {
    const ada = await server.register();
    const { data: project } = await ada.client.projects.create({ body: { name: "x" } });
    await ada.client.todos.create({ body: { title: "x", project_id: project.id } });
    await ada.client.projects.remove({ params: { id: project.id } });
    const actions = (await entries(ada)).map((entry) => entry.action);
    assert.deepEqual(actions, ["project_deleted", "todo_created", "project_created"]);
  });

  test("keeps a title of any script and length as it was", async () => {
    const ada = await server.register();
    const title = `"${"👣".repeat(250)}\n\\`;
    await ada.client.todos.create({ body: { title } });
    assert.deepEqual((await newest(ada)).details, { title });
  });

  describe("names the client", () => {
    test("with no user agent as the empty text", async () => {
      const ada = await server.register();
      // Unlike fetch, this sends no such header by itself.
      const call = request(`${server.url}/api/v1/todos`, {
        method: "POST",
        headers: { "x-api-key": ada.key },
      });
      call.end(JSON.stringify({ title: "x" }));
      const [response] = await once(call, "response");
      response.resume();
      assert.equal(response.statusCode, 201);
      assert.equal((await newest(ada)).user_agent, "");
    });

    test("by the address that a trusted proxy tells", async () => {
      const ada = await server.register();
      await server.request("POST", "/api/v1/todos", {
        key: ada.key,
        headers: { "x-forwarded-for": "198.51.100.1, 203.0.113.7" },
        body: { title: "x" },
      });
      assert.equal((await newest(ada)).ip_address, "203.0.113.7");
    });

    test("by the socket's address when the proxy is not trusted", async () => {
      await using plain = await startServer();
      const ada = await plain.register();
      await plain.request("POST", "/api/v1/todos", {
        key: ada.key,
        headers: { "x-forwarded-for": "203.0.113.7" },
        body: { title: "x" },
      });
      assert.equal((await newest(ada)).ip_address, "127.0.0.1");
    });
  });

  describe("is listed", () => {
    let ada: TestUser;
    before(async () => {
      ada = await server.register();
      for (let index = 0; index < 201; index += 1) {
        await ada.client.todos.create({ body: { title: String(index) } });
      }
    });

    test("newest first, also within one second, 50 entries at a time", async () => {
      const titles = (await entries(ada)).map((entry) => entry.details!["title"]);
      assert.deepEqual(
        titles,
        Array.from({ length: 50 }, (_, index) => String(200 - index)),
      );
    });

    test("with its message and without a pagination object", async () => {
      const { body } = await server.request("GET", "/api/v1/activity-logs", { key: ada.key });
      assert.deepEqual(Object.keys(body), ["success", "message", "data"]);
      assert.equal(body.message, "Activity logs retrieved successfully");
    });

    for (const [limit, expected] of [
      ["1", 1],
      ["7", 7],
      ["200", 200],
      ["201", 200],
      ["1000000000000000000000", 200],
      ["0", 1],
      ["-5", 1],
      ["2.9", 2],
      ["", 50],
      ["many", 50],
      ["NaN", 50],
    ] as const) {
      test(`with limit=${limit} as ${expected} entries`, async () => {
        assert.equal((await entries(ada, { limit })).length, expected);
      });
    }

    test("entry by entry, under its id", async () => {
      const entry = await newest(ada);
      const { data, message } = await ada.client.activity.get({ params: { id: entry.id } });
      assert.deepEqual(data, entry);
      assert.equal(message, "Activity log retrieved successfully");
      const missing = ada.client.activity.get({ params: { id: randomUUID() } });
      assert.equal((await refused(missing, "not_found")).message, "Activity log not found");
    });
  });
});
