import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { failure, invalid, refused } from "./_expect.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

describe("projects", () => {
  let server: TestServer;
  let ada: TestUser;
  before(async () => {
    server = await startServer();
    ada = await server.register();
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (body: object = {}) =>
    (await ada.client.projects.create({ body: { name: "Garden", ...body } })).data;
  const get = async (id: string) => (await ada.client.projects.get({ params: { id } })).data;
  const update = (id: string, body: object) => ada.client.projects.update({ params: { id }, body });

  describe("create", () => {
    test("answers 201 with the project, its defaults, and its place", async () => {
      const response = await server.request("POST", "/api/v1/projects", {
        key: ada.key,
        body: { name: "Garden" },
      });
      assert.equal(response.status, 201);
      assert.deepEqual(Object.keys(response.body), ["success", "message", "data"]);
      assert.equal(response.body.message, "Project created successfully");
      const project = response.body.data;
      assert.equal(response.headers.get("location"), `/api/v1/projects/${project.id}`);
      assert.match(
        project.id,
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.deepEqual(Object.entries(project), [
        ["id", project.id],
        ["user_id", ada.user.id],
        ["name", "Garden"],
        ["description", null],
        ["color", "#8B5CF6"],
        ["created_at", "2026-11-20 12:00:00"],
      ]);
    });

    test("stores every field as it was given", async () => {
      const fields = { name: " Gärten 👣 ", description: "two\nlines", color: "#aBcDeF" };
      const project = await create(fields);
      assert.deepEqual({ ...project, ...fields }, project);
      assert.deepEqual(await get(project.id), project);
    });

    test("takes a long description, an empty one, and null", async () => {
      for (const description of ["ä".repeat(100_000), "", null]) {
        assert.equal((await create({ description })).description, description);
      }
    });

    test("needs a name of 1 to 255 characters that is more than white space", async () => {
      for (const name of [undefined, null, 5, "", " \t", "a".repeat(256)]) {
        await invalid(create({ name }), "name");
      }
      assert.equal((await create({ name: "👣".repeat(255) })).name, "👣".repeat(255));
    });

    test("names every field that is wrong", async () => {
      const response = await server.request("POST", "/api/v1/projects", {
        key: ada.key,
        body: { description: 5, color: "red" },
      });
      failure(response, 422, "Validation failed");
      assert.deepEqual(Object.keys(response.body.errors).toSorted(), [
        "color",
        "description",
        "name",
      ]);
    });

    test("refuses null as a color", async () => {
      await invalid(create({ color: null }), "color");
    });

    test("takes a name that is in use", async () => {
      assert.notEqual((await create({ name: "twice" })).id, (await create({ name: "twice" })).id);
    });
  });

  describe("update", () => {
    test("changes the given fields only", async () => {
      const project = await create({ description: "stays" });
      const { data, message } = await update(project.id, { name: "after" });
      assert.equal(message, "Project updated successfully");
      assert.deepEqual(data, { ...project, name: "after" });
      const cleared = { ...project, name: "after", description: null, color: "#000000" };
      const body = { description: null, color: "#000000" };
      assert.deepEqual((await update(project.id, body)).data, cleared);
      assert.deepEqual(await get(project.id), cleared);
    });

    test("without any of its fields leaves the record unchanged", async () => {
      const project = await create({ description: "stays" });
      assert.deepEqual((await update(project.id, {})).data, project);
      const foreign = {
        id: randomUUID(),
        user_id: randomUUID(),
        created_at: "1999-01-01 00:00:00",
      };
      assert.deepEqual((await update(project.id, foreign)).data, project);
    });

    test("obeys the rules of create", async () => {
      const { id } = await create();
      await invalid(
        update(id, { name: "", description: [], color: "#12" }),
        "name",
        "description",
        "color",
      );
      await invalid(update(id, { name: null, color: null }), "name", "color");
    });

    test("of a missing project is 404 before its body is validated", async () => {
      const call = update(randomUUID(), { name: 5 });
      assert.equal((await refused(call, "not_found")).message, "Project not found");
    });
  });

  describe("remove", () => {
    test("answers null, and the project is gone", async () => {
      const { id } = await create();
      const answer = await ada.client.projects.remove({ params: { id } });
      assert.deepEqual(answer, {
        success: true,
        message: "Project deleted successfully",
        data: null,
      });
      await refused(get(id), "not_found");
      await refused(ada.client.projects.remove({ params: { id } }), "not_found");
    });

    test("takes its todos out of it, and changes nothing else", async () => {
      const [gone, kept] = [await create(), await create()];
      const { todos } = ada.client;
      const add = async (project_id: string) =>
        (await todos.create({ body: { title: "x", project_id } })).data;
      const [one, other] = [await add(gone.id), await add(kept.id)];
      server.advance(1000);
      await ada.client.projects.remove({ params: { id: gone.id } });
      assert.deepEqual((await todos.get({ params: { id: one.id } })).data, {
        ...one,
        project_id: null,
      });
      assert.deepEqual((await todos.get({ params: { id: other.id } })).data, other);
      await invalid(add(gone.id), "project_id");
    });
  });

  test("are retrieved with their message", async () => {
    const { id } = await create();
    const one = await ada.client.projects.get({ params: { id } });
    assert.equal(one.message, "Project retrieved successfully");
    const list = await ada.client.projects.list();
    assert.equal(list.message, "Projects retrieved successfully");
    assert.deepEqual(list.data[0], one.data);
  });
});
