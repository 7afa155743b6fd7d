import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { allRoutes, scopeOf } from "../src/contract/routes.ts";
import { failure } from "./_expect.ts";
import { makeRecords, pathOf, validBody } from "./_records.ts";
import { type RawResponse, type TestServer, type TestUser, startServer } from "./_server.ts";

const hour = 3_600_000;

/** Every route × every kind of credential. */
describe("credentials", () => {
  let server: TestServer;
  let ada: TestUser;
  const keys: Record<string, string> = {};
  let token: string;

  before(async () => {
    server = await startServer();
    ada = await server.register();
    const add = async (body: object) => (await ada.client.keys.create({ body })).data;
    keys["read"] = (await add({ scopes: ["read"] })).key;
    keys["write"] = (await add({ scopes: ["write"] })).key;
    keys["expired"] = (await add({ expires_at: "2026-11-20 12:00:00" })).key;
    const revoked = await add({});
    keys["revoked"] = revoked.key;
    await ada.client.keys.remove({ params: { id: revoked.id } });
    keys["unknown"] = keys["read"].replace(/.$/, (last) => (last === "a" ? "b" : "a"));
    keys["garbage"] = "todo_\u00ff' OR 1=1";
    const login = await server.client().auth.jwtLogin({
      body: { email: ada.user.email, password: ada.password },
    });
    token = login.data.token;
  });
  after(() => server[Symbol.asyncDispose]());

  function unauthorized(response: RawResponse): void {
    assert.equal(response.status, 401, response.text);
    assert.deepEqual(Object.keys(response.body), ["error", "message"]);
    assert.equal(response.body.error, "Unauthorized");
    assert.ok(response.headers.has("www-authenticate"));
  }

  for (const { resource, action, route } of allRoutes()) {
    const name = `${resource}.${action} (${route.method} ${route.path})`;
    const call = async (credentials: { key?: string; headers?: Record<string, string> }) => {
      const records = await makeRecords(server, ada);
      const id = records[route.subject?.resource ?? "todos"]!;
      return server.request(route.method, pathOf(route, id), {
        ...credentials,
        ...(route.method !== "GET" && { body: validBody(records) }),
      });
    };

    if (route.auth === "public") {
      test(`${name} needs no credentials, and wrong ones do no harm`, async () => {
        const { status } = await call({});
        assert.notEqual(status, 403);
        const headers = { authorization: "Bearer nonsense" };
        assert.equal((await call({ key: "nonsense", headers })).status, status);
      });
      continue;
    }

    if (route.auth === "bearer") {
      test(`${name} takes a JWT, and nothing else`, async () => {
        assert.equal((await call({ headers: { authorization: `Bearer ${token}` } })).status, 200);
        failure(await call({}), 401);
        failure(await call({ key: ada.key }), 401);
        const asBearer = await call({ headers: { authorization: `Bearer ${ada.key}` } });
        failure(asBearer, 401);
        assert.ok(asBearer.headers.has("www-authenticate"));
      });
      continue;
    }

    for (const kind of ["none", "expired", "revoked", "unknown", "garbage"] as const) {
      test(`${name} refuses a key that is ${kind}`, async () => {
        unauthorized(await call(kind === "none" ? {} : { key: keys[kind]! }));
      });
    }

    test(`${name} refuses a JWT`, async () => {
      unauthorized(await call({ headers: { authorization: `Bearer ${token}` } }));
      unauthorized(await call({ key: token }));
    });

    const needed = scopeOf(route.method);
    for (const scope of ["read", "write"] as const) {
      test(`${name} ${scope === needed ? "takes" : "refuses"} a key for ${scope}`, async () => {
        const response = await call({ key: keys[scope]! });
        if (scope === needed) {
          // A key gives away no more than it has: creating a full key needs both.
          const expected =
            route.path === "/user/api-keys" && needed === "write" ? 403 : route.status;
          assert.equal(response.status, expected, response.text);
        } else {
          assert.equal(response.status, 403, response.text);
          assert.deepEqual(Object.keys(response.body), ["error", "message"]);
          assert.equal(response.body.error, "Forbidden");
        }
      });
    }
  }

  test("are checked before the body is read, and the scope before it too", async () => {
    const body = "not json";
    unauthorized(await server.request("POST", "/api/v1/todos", { body }));
    const { status } = await server.request("POST", "/api/v1/todos", { key: keys["read"]!, body });
    assert.equal(status, 403);
  });

  test("of a key end at its expiry", async () => {
    const { data } = await ada.client.keys.create({ body: { expires_at: "2026-11-20 13:00:00" } });
    const list = () => server.request("GET", "/api/v1/todos", { key: data.key });
    assert.equal((await list()).status, 200);
    server.advance(hour);
    unauthorized(await list());
  });
});
