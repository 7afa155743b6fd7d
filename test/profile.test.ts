import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { failure, invalid, refused } from "./_expect.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

const path = "/api/v1/user/profile";

describe("the profile", () => {
  let server: TestServer;
  let ada: TestUser;
  before(async () => {
    server = await startServer();
    ada = await server.register();
  });
  after(() => server[Symbol.asyncDispose]());

  const get = async ({ client } = ada) => (await client.profile.get()).data;
  const update = async (body: object, { client } = ada) =>
    (await client.profile.update({ body })).data;

  test("shows the caller, without password and hash", async () => {
    const user = await server.register({ email: `Grace.${randomUUID()}@Example.org` });
    const response = await server.request("GET", path, { key: user.key });
    assert.equal(response.status, 200);
    assert.deepEqual(Object.keys(response.body), ["success", "message", "data"]);
    assert.equal(response.body.message, "Profile retrieved successfully");
    assert.deepEqual(Object.entries(response.body.data), [
      ["id", user.user.id],
      ["email", user.user.email],
      ["name", "Ada"],
      ["avatar_url", null],
      ["settings", { theme: "light" }],
      ["created_at", "2026-11-20 12:00:00"],
      ["updated_at", "2026-11-20 12:00:00"],
    ]);
    assert.ok(!response.text.includes("$2") && !response.text.includes(user.password));
  });

  describe("update", () => {
    test("answers 200 with the user in the order of its fields", async () => {
      const body = { settings: { language: "de" }, avatar_url: "https://example.org/a", name: "A" };
      const response = await server.request("PUT", path, { key: ada.key, body });
      assert.equal(response.status, 200);
      assert.equal(response.body.message, "Profile updated successfully");
      assert.deepEqual(Object.keys(response.body.data), Object.keys(ada.user));
      assert.deepEqual({ ...response.body.data, ...body }, response.body.data);
      assert.deepEqual(await get(), response.body.data);
    });

    test("changes the given fields and the time of the update only", async () => {
      await using own = await startServer();
      const user = await own.register();
      own.advance(1000);
      for (const changes of [
        { name: "Countess" },
        { avatar_url: "http://example.org/a.png" },
        { settings: { theme: "dark" } },
        { avatar_url: null },
        { settings: null },
        { settings: {} },
      ]) {
        const unchanged = await get(user);
        const updated_at = "2026-11-20 12:00:01";
        assert.deepEqual(await update(changes, user), { ...unchanged, ...changes, updated_at });
      }
    });

    test("replaces the settings as a whole", async () => {
      await update({ settings: { theme: "dark", language: "de" } });
      assert.deepEqual((await update({ settings: { language: "en" } })).settings, {
        language: "en",
      });
    });

    test("without any of its fields leaves the user unchanged", async () => {
      await using own = await startServer();
      const user = await own.register();
      own.advance(1000);
      for (const body of [{}, { nonsense: 1 }]) {
        assert.deepEqual(await update(body, user), user.user);
      }
      const response = await own.request("PUT", path, { key: user.key });
      assert.deepEqual(response.body.data, user.user);
    });

    test("never changes what the service sets, the e-mail or the password", async () => {
      const user = await server.register();
      const given = {
        id: randomUUID(),
        email: "other@example.org",
        password: "another password",
        password_hash: "x",
        created_at: "1999-01-01 00:00:00",
        updated_at: "1999-01-01 00:00:00",
      };
      assert.deepEqual(await update({ ...given, name: "Ada" }, user), user.user);
      const credentials = { email: user.user.email, password: user.password };
      await server.client().auth.login({ body: credentials });
    });

    test("touches no other user", async () => {
      const grace = await server.register();
      await update({ name: "Only mine" });
      assert.deepEqual(await get(grace), grace.user);
    });

    test("obeys the rules of registration", async () => {
      assert.equal((await update({ name: "👣".repeat(255) })).name, "👣".repeat(255));
      for (const name of ["👣".repeat(256), "", " \n", null, 5, "a\ud800", "a\0"]) {
        await invalid(update({ name }), "name");
      }
      for (const avatar_url of ["avatar.png", "ftp://example.org/a", "", 5, {}]) {
        await invalid(update({ avatar_url }), "avatar_url");
      }
      for (const settings of [[], "dark", 1, { a: "x".repeat(64 * 1024) }]) {
        await invalid(update({ settings }), "settings");
      }
    });

    test("changes nothing when one field is wrong", async () => {
      const unchanged = await get();
      await invalid(
        update({ name: "new", avatar_url: "wrong", settings: [] }),
        "avatar_url",
        "settings",
      );
      assert.deepEqual(await get(), unchanged);
    });

    test("refuses a body that is no JSON object", async () => {
      const response = await server.request("PUT", path, { key: ada.key, body: "[]" });
      failure(response, 400, "Request body must be a JSON object");
    });

    test("needs the scope write", async () => {
      const { data } = await ada.client.keys.create({ body: { scopes: ["read"] } });
      const reader = server.client({ key: data.key });
      await reader.profile.get();
      const error = await refused(reader.profile.update({ body: { name: "x" } }), "forbidden");
      assert.match(error.message, /write/);
    });
  });
});
