import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { failure, invalid, refused } from "./_expect.ts";
import { type TestServer, startServer } from "./_server.ts";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const password = "correct horse";

const newEmail = () => `${randomUUID()}@example.org`;
/** An object whose JSON is that many bytes long. */
const objectOf = (bytes: number) => ({ a: `é${"x".repeat(bytes - 10)}` });
/** An object of that many levels. */
const nested = (levels: number): object => (levels === 1 ? {} : { a: nested(levels - 1) });

describe("registration", () => {
  let server: TestServer;
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  const post = (path: string, body: unknown) =>
    server.request("POST", `/api/v1/auth/${path}`, { body });
  const register = async (fields: object) => {
    const body = { email: newEmail(), password, name: "Ada", ...fields };
    return (await server.client().auth.register({ body })).data;
  };

  describe("register", () => {
    test("answers 201 with the user, a key and its prefix", async () => {
      const email = newEmail();
      const response = await post("register", { email, password, name: "Ada" });
      assert.equal(response.status, 201);
      assert.deepEqual(Object.keys(response.body), ["success", "message", "data"]);
      assert.equal(response.body.success, true);
      assert.equal(response.body.message, "User registered successfully");
      const { user, api_key, key_prefix } = response.body.data;
      assert.deepEqual(Object.keys(response.body.data), ["user", "api_key", "key_prefix"]);
      assert.match(user.id, uuid);
      assert.deepEqual(Object.entries(user), [
        ["id", user.id],
        ["email", email],
        ["name", "Ada"],
        ["avatar_url", null],
        ["settings", { theme: "light" }],
        ["created_at", "2026-11-20 12:00:00"],
        ["updated_at", "2026-11-20 12:00:00"],
      ]);
      assert.equal(key_prefix, api_key.slice(0, 12));
    });

    test("makes an account that its key and its password open", async () => {
      const { user, key, client } = await server.register({ email: newEmail() });
      assert.deepEqual((await client.profile.get()).data, user);
      const [made] = (await client.keys.list()).data;
      assert.equal(made!.name, "Registration");
      assert.equal(made!.key_prefix, key.slice(0, 12));
      assert.deepEqual(made!.scopes, ["read", "write"]);
      await server.client().auth.login({ body: { email: user.email, password } });
    });

    test("stores the avatar and the settings as they were given", async () => {
      const settings = { theme: "dark", nested: { list: [1, null, "é\u0000"] }, "": false };
      const avatar_url = "HTTPS://example.org/ä?q=1#top";
      const { user } = await register({ avatar_url, settings });
      assert.equal(user.avatar_url, avatar_url);
      assert.deepEqual(user.settings, settings);
    });

    test("lets avatar and settings be null", async () => {
      const { user } = await register({ avatar_url: null, settings: null });
      assert.equal(user.avatar_url, null);
      assert.equal(user.settings, null);
    });

    test("ignores unknown fields and those that the service sets", async () => {
      const { user } = await register({
        id: randomUUID(),
        created_at: "1999-01-01 00:00:00",
        x: 1,
      });
      assert.match(user.id, uuid);
      assert.equal(user.created_at, "2026-11-20 12:00:00");
    });

    test("never shows the password or its hash", async () => {
      const secret = `secret ${randomUUID()}`;
      const { text } = await post("register", { email: newEmail(), password: secret, name: "A" });
      assert.ok(!text.includes(secret) && !text.includes("$2") && !text.includes("password"));
    });

    test("requires e-mail, password and name, and says so", async () => {
      const response = await post("register", {});
      failure(response, 422, "Validation failed");
      assert.deepEqual(Object.keys(response.body), ["success", "message", "errors"]);
      assert.deepEqual(response.body.errors, {
        email: "email is required.",
        name: "name is required.",
        password: "password is required.",
      });
    });

    test("names every field that is wrong", async () => {
      const wrong = { email: 1, password: [], name: {}, avatar_url: 2, settings: "light" };
      await invalid(register(wrong), ...Object.keys(wrong));
    });

    for (const email of [
      "",
      "ada",
      "ada@",
      "@example.org",
      "ada@example..org",
      "ada@-example.org",
      "a da@example.org",
      " ada@example.org",
      "ada@example.org\n",
      "ada@example.org,b@example.org",
      "a\0@example.org",
      `${"a".repeat(243)}@example.org`,
      null,
    ]) {
      test(`refuses the e-mail ${JSON.stringify(email)?.slice(0, 40)}`, async () => {
        await invalid(register({ email }), "email");
      });
    }

    test("takes an e-mail of 254 characters, and letters of any script", async () => {
      for (const email of [
        `${"a".repeat(242)}@example.org`,
        `${"𐐀".repeat(242)}@example.org`,
        "müller+todo@bücher.example",
      ]) {
        assert.equal((await register({ email })).user.email, email);
      }
    });

    test("takes a password of 8 characters and no fewer, counted in code points", async () => {
      await register({ password: "12345678" });
      await register({ password: "👣".repeat(8) });
      await invalid(register({ password: "1234567" }), "password");
      await invalid(register({ password: "👣".repeat(7) }), "password");
      await invalid(register({ password: "" }), "password");
    });

    test("takes a password of 72 bytes and no more", async () => {
      await register({ password: "a".repeat(72) });
      await register({ password: "👣".repeat(18) });
      await invalid(register({ password: "a".repeat(73) }), "password");
      await invalid(register({ password: "é".repeat(37) }), "password");
    });

    test("refuses a password with NUL, where bcrypt would stop reading", async () => {
      await invalid(register({ password: "12345678\u0000" }), "password");
    });

    test("takes a name of 255 characters and no more, and none that is blank", async () => {
      assert.equal((await register({ name: "👣".repeat(255) })).user.name, "👣".repeat(255));
      assert.equal((await register({ name: "  Ada " })).user.name, "  Ada ");
      await invalid(register({ name: "a".repeat(256) }), "name");
      await invalid(register({ name: " \t" }), "name");
      await invalid(register({ name: null }), "name");
    });

    test("takes only http and https URLs of at most 2048 characters as avatar", async () => {
      const long = "https://example.org/".padEnd(2048, "a");
      assert.equal((await register({ avatar_url: long })).user.avatar_url, long);
      for (const avatar_url of [
        `${long}a`,
        "",
        "/avatar.png",
        "//example.org/a.png",
        "ftp://example.org/a.png",
        "javascript:alert(1)",
        "http://",
        "http://a b",
      ]) {
        await invalid(register({ avatar_url }), "avatar_url");
      }
    });

    test("takes settings of 64 KiB as JSON and no more", async () => {
      const largest = objectOf(64 * 1024);
      assert.equal(Buffer.byteLength(JSON.stringify(largest)), 64 * 1024);
      assert.deepEqual((await register({ settings: largest })).user.settings, largest);
      await invalid(register({ settings: objectOf(64 * 1024 + 1) }), "settings");
    });

    test("takes settings of 32 levels and no more", async () => {
      const deepest = nested(32);
      assert.deepEqual((await register({ settings: deepest })).user.settings, deepest);
      await invalid(register({ settings: nested(33) }), "settings");
      const abyss = `{"settings":${'{"a":'.repeat(100_000)}1${"}".repeat(100_000)}}`;
      failure(await post("register", abyss), 422);
    });

    test("refuses settings with a number that would not come back", async () => {
      const response = await post("register", '{"settings":{"a":[1e400]}}');
      failure(response, 422);
      assert.match(response.body.errors.settings, /64-bit float/);
    });

    test("refuses settings that are no object", async () => {
      for (const settings of [[], "light", 1, true]) {
        await invalid(register({ settings }), "settings");
      }
    });

    test("refuses an e-mail that is registered, in any case", async () => {
      for (const [first, second] of [
        ["Grace@Example.org", "gRACE@eXAMPLE.ORG"],
        ["ÄRGER@example.org", "ärger@example.org"],
      ] as const) {
        const { user } = await register({ email: first });
        assert.equal(user.email, first);
        const response = await post("register", { email: second, password, name: "B" });
        failure(response, 409);
        assert.deepEqual(Object.keys(response.body), ["success", "message", "errors"]);
        assert.deepEqual(response.body.errors, { email: "email has already been taken." });
      }
    });

    test("finds a wrong shape before a duplicate", async () => {
      const { user } = await register({});
      await invalid(register({ email: user.email, password: "short" }), "password");
    });

    test("gives an e-mail to one of those who ask for it at once", async () => {
      const email = newEmail();
      const bodies = [email, email.toUpperCase(), email].map((e) => ({
        email: e,
        password,
        name: "A",
      }));
      const answers = await Promise.all(bodies.map((body) => post("register", body)));
      const statuses = answers.map(({ status }) => String(status));
      assert.deepEqual(statuses.toSorted(), ["201", "409", "409"]);
    });

    test("refuses a body that is no JSON object", async () => {
      for (const body of ["{", "[]", "null", '"text"']) {
        failure(await post("register", body), 400, "Request body must be a JSON object");
      }
    });

    test("answers 403 when registration is closed; logging in stays possible", async () => {
      await using closed = await startServer({ registrationOpen: false });
      for (const path of ["register", "jwt/register"]) {
        const body = { email: newEmail(), password, name: "Ada" };
        const response = await closed.request("POST", `/api/v1/auth/${path}`, { body });
        failure(response, 403);
        assert.deepEqual(Object.keys(response.body), ["success", "message"]);
      }
      const login = closed.client().auth.login({ body: { email: newEmail(), password } });
      await refused(login, "unauthorized");
    });
  });

  describe("jwt/register", () => {
    test("answers 201 with the user, a token and a key", async () => {
      const response = await post("jwt/register", { email: newEmail(), password, name: "Ada" });
      assert.equal(response.status, 201);
      assert.equal(response.body.message, "User registered successfully");
      const { data } = response.body;
      assert.deepEqual(Object.keys(data), ["user", "token", "api_key"]);
      const { profile } = server.client({ key: data.api_key });
      assert.deepEqual((await profile.get()).data, data.user);
      await server.client({ token: data.token }).auth.jwtRefresh();
    });

    test("obeys the rules of register", async () => {
      const call = (body: object) =>
        server
          .client()
          .auth.jwtRegister({ body: { email: newEmail(), password, name: "A", ...body } });
      await invalid(
        call({ email: "ada", password: "short", name: "" }),
        "email",
        "password",
        "name",
      );
      const { data } = await call({});
      await refused(call({ email: data.user.email }), "conflict");
    });
  });
});
