import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { allRoutes } from "../src/contract/routes.ts";
import type { Route } from "../src/contract/routes.ts";
import { failure } from "./_expect.ts";
import { makeRecords, pathOf, validBody } from "./_records.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

/** Every route that names a record × whose record it names. */
describe("records of others", () => {
  let server: TestServer;
  let ada: TestUser;
  let grace: TestUser;
  before(async () => {
    server = await startServer();
    ada = await server.register();
    grace = await server.register();
  });
  after(() => server[Symbol.asyncDispose]());

  const call = (route: Route, id: string, body: object) =>
    server.request(route.method, pathOf(route, id), {
      key: ada.key,
      ...(route.method !== "GET" && { body }),
    });

  for (const { resource, action, route } of allRoutes()) {
    if (!route.path.includes("{id}")) continue;
    const name = `${resource}.${action} (${route.method} ${route.path})`;

    test(`${name} finds the caller's own`, async () => {
      const own = await makeRecords(server, ada);
      const response = await call(route, own[route.subject!.resource]!, validBody(own));
      assert.equal(response.status, route.status, response.text);
      assert.equal(response.body.message, route.message);
    });

    test(`${name} finds the caller's own by an id in capitals`, async () => {
      const own = await makeRecords(server, ada);
      const id = own[route.subject!.resource]!.toUpperCase();
      assert.equal((await call(route, id, validBody(own))).status, route.status);
    });

    if (route.auth === "key") {
      test(`${name} does not find another user's, and leaves it as it was`, async () => {
        const own = await makeRecords(server, ada);
        const foreign = await makeRecords(server, grace);
        const earlier = await snapshot(grace);
        const id = foreign[route.subject!.resource]!;
        failure(await call(route, id, validBody(own)), 404, `${route.subject!.name} not found`);
        assert.equal(await snapshot(grace), earlier);
      });
    }

    for (const id of [
      randomUUID(),
      "1",
      "not-a-uuid",
      "%ZZ",
      "%00",
      "..%2f",
      "'; DROP TABLE todos",
    ]) {
      test(`${name} does not find ${id}`, async () => {
        const own = await makeRecords(server, ada);
        const path = pathOf(route, "ID").replace(
          "ID",
          id.startsWith("%") ? id : encodeURIComponent(id),
        );
        const response = await server.request(route.method, path, {
          key: ada.key,
          ...(route.method !== "GET" && { body: validBody(own) }),
        });
        failure(response, 404, `${route.subject!.name} not found`);
      });
    }
  }

  test("appear in no list", async () => {
    await makeRecords(server, grace);
    const lonely = await server.register();
    for (const { route } of allRoutes()) {
      if (route.auth !== "key" || (route.returns !== "list" && route.returns !== "page")) continue;
      const { body } = await server.request("GET", `/api/v1${route.path}`, { key: lonely.key });
      const others = body.data.filter((item: { name?: string }) => item.name !== "Registration");
      assert.deepEqual(others, [], route.path);
    }
  });

  /** Everything that a user can read, as text. */
  async function snapshot({ key }: TestUser): Promise<string> {
    const texts = [];
    for (const { route } of allRoutes()) {
      if (route.method !== "GET" || route.auth !== "key" || route.path.includes("{")) continue;
      texts.push((await server.request("GET", `/api/v1${route.path}`, { key })).text);
    }
    // When a key was used is noted a moment later.
    return texts.join("\n").replaceAll(/"last_used_at":("[^"]*"|null)/g, "");
  }
});
