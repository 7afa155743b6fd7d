import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { failure, invalid } from "./_expect.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

const password = "correct horse";
const newEmail = () => `${randomUUID()}@example.org`;

/** Revokes every key of the user, the one that the client uses last: it is the oldest. */
async function revokeAll({ client }: TestUser): Promise<void> {
  for (const { id } of (await client.keys.list()).data) {
    await client.keys.remove({ params: { id } });
  }
}

describe("logging in", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const post = (path: string, body: unknown) =>
    server.request("POST", `/api/v1/auth/${path}`, { body });
  const login = async (email: string, at = server) =>
    (await at.client().auth.login({ body: { email, password } })).data;

  for (const path of ["login", "jwt/login", "api-key"]) {
    describe(path, () => {
      test("answers 401 alike for a wrong password and an unknown e-mail", async () => {
        const { user } = await server.register();
        const wrong = await post(path, { email: user.email, password: "wrong password" });
        const unknown = await post(path, { email: newEmail(), password });
        for (const response of [wrong, unknown]) {
          failure(response, 401, "Invalid e-mail or password");
          assert.deepEqual(Object.keys(response.body), ["success", "message"]);
          assert.equal(response.headers.get("www-authenticate"), 'Login realm="todo"');
        }
        const names = (headers: Headers) => [...headers.keys()];
        assert.deepEqual(names(wrong.headers), names(unknown.headers));
      });

      test("finds the e-mail in any case, and the password in its own only", async () => {
        const { user } = await server.register({ email: `Käthe.${newEmail()}` });
        const email = user.email.toUpperCase();
        assert.equal((await post(path, { email, password })).status, 200);
        failure(await post(path, { email, password: password.toUpperCase() }), 401);
        failure(await post(path, { email, password: ` ${password}` }), 401);
      });

      test("needs an e-mail and a password", async () => {
        for (const body of [{}, { email: "", password: "" }, { email: 1, password: [] }]) {
          const response = await post(path, body);
          failure(response, 422, "Validation failed");
          assert.deepEqual(Object.keys(response.body.errors).toSorted(), ["email", "password"]);
        }
      });

      test("refuses a password of more than 72 bytes, of which bcrypt would read the start", async () => {
        const longest = "a".repeat(72);
        const { user } = await server.register({ password: longest });
        assert.equal((await post(path, { email: user.email, password: longest })).status, 200);
        const response = await post(path, { email: user.email, password: `${longest}a` });
        failure(response, 422);
        assert.deepEqual(Object.keys(response.body.errors), ["password"]);
      });

      test("takes any text as e-mail", async () => {
        for (const email of ["nobody", "' OR 1=1 --", "a".repeat(1000), "%"]) {
          failure(await post(path, { email, password }), 401);
        }
      });

      test("refuses a body that is no JSON object", async () => {
        failure(await post(path, "[]"), 400, "Request body must be a JSON object");
      });
    });
  }

  describe("login", () => {
    test("of a user with a key answers that key's prefix", async () => {
      const { user, key } = await server.register();
      const response = await post("login", { email: user.email, password });
      assert.equal(response.status, 200);
      const { data } = response.body;
      assert.deepEqual(Object.entries(response.body), [
        ["success", true],
        ["message", "Login successful"],
        ["data", data],
      ]);
      assert.deepEqual(Object.keys(data), ["user", "api_key_prefix"]);
      assert.deepEqual(Object.entries(data.user), [
        ["id", user.id],
        ["email", user.email],
        ["name", user.name],
      ]);
      assert.equal(data.api_key_prefix, key.slice(0, 12));
    });

    test("answers the prefix of the newest key that is active and unexpired", async () => {
      const { user, client } = await server.register();
      const { data: newest } = await client.keys.create({ body: {} });
      await client.keys.create({ body: { expires_at: "2026-11-20 12:00:00" } });
      const { data: revoked } = await client.keys.create({ body: {} });
      await client.keys.remove({ params: { id: revoked.id } });
      assert.equal((await login(user.email)).api_key_prefix, newest.prefix);
    });

    test("of a user whose keys are all revoked makes a key, once", async () => {
      const ada = await server.register();
      await revokeAll(ada);
      const { data } = (await post("login", { email: ada.user.email, password })).body;
      assert.deepEqual(Object.keys(data), ["user", "api_key"]);
      const [made] = (await server.client({ key: data.api_key }).keys.list()).data;
      assert.equal(made!.name, "Login");
      assert.deepEqual(made!.scopes, ["read", "write"]);
      const again = await login(ada.user.email);
      assert.ok(!("api_key" in again));
      assert.equal(again.api_key_prefix, made!.key_prefix);
    });

    test("of a user whose last key has expired makes a key", async () => {
      await using own = await startServer();
      const { user, client } = await own.register();
      const [first] = (await client.keys.list()).data;
      const body = { expires_at: "2026-11-20 12:05:00" };
      const { data: last } = await client.keys.create({ body });
      await client.keys.remove({ params: { id: first!.id } });
      assert.equal((await login(user.email, own)).api_key_prefix, last.prefix);
      own.advance(5 * 60_000);
      const { api_key } = await login(user.email, own);
      assert.equal((await own.client({ key: api_key! }).keys.list()).data.length, 3);
    });
  });

  describe("jwt/login", () => {
    test("answers the user and a token, and makes no key", async () => {
      const ada = await server.register();
      const response = await post("jwt/login", { email: ada.user.email, password });
      assert.equal(response.status, 200);
      assert.equal(response.body.message, "Login successful");
      const { user, token } = response.body.data;
      assert.deepEqual(Object.keys(response.body.data), ["user", "token"]);
      assert.deepEqual(Object.entries(user), [
        ["id", ada.user.id],
        ["email", ada.user.email],
        ["name", ada.user.name],
      ]);
      await server.client({ token }).auth.jwtRefresh();
      assert.equal((await ada.client.keys.list()).data.length, 1);
    });
  });

  describe("api-key", () => {
    const create = async (user: TestUser["user"], fields: object) =>
      (await server.client().auth.apiKey({ body: { email: user.email, password, ...fields } }))
        .data;

    test("answers 200 with a new key of full access", async () => {
      const { user, client } = await server.register();
      const response = await post("api-key", { email: user.email, password });
      assert.equal(response.status, 200);
      assert.equal(response.body.message, "API key created successfully");
      const { data } = response.body;
      assert.deepEqual(Object.entries(data), [
        ["id", data.id],
        ["key", data.key],
        ["prefix", data.key.slice(0, 12)],
        ["name", "API Key"],
        ["scopes", ["read", "write"]],
        ["expires_at", null],
      ]);
      const [listed] = (await client.keys.list()).data;
      assert.equal(listed!.id, data.id);
      assert.deepEqual((await server.client({ key: data.key }).profile.get()).data, user);
    });

    test("takes a name, scopes and an end", async () => {
      const { user } = await server.register();
      const fields = { name: "cron", scopes: ["read"], expires_at: "2030-01-01 00:00:00" };
      const made = await create(user, fields);
      assert.deepEqual({ ...made, ...fields }, made);
    });

    test("makes another key each time", async () => {
      const { user, client } = await server.register();
      const [first, second] = [await create(user, {}), await create(user, {})];
      assert.notEqual(first.key, second.key);
      assert.equal((await client.keys.list()).data.length, 3);
    });

    test("takes a password of 6 characters at least", async () => {
      const { user } = await server.register();
      await invalid(create(user, { password: "12345" }), "password");
      failure(await post("api-key", { email: user.email, password: "123456" }), 401);
    });

    test("obeys the rules of a key's fields", async () => {
      const { user, client } = await server.register();
      const wrong = { name: "a".repeat(256), scopes: [], expires_at: "2026-02-30 12:00:00" };
      await invalid(create(user, wrong), ...Object.keys(wrong));
      await invalid(create(user, { scopes: ["admin"] }), "scopes");
      assert.equal((await client.keys.list()).data.length, 1);
    });
  });
});
