import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { limits } from "../src/contract/limits.ts";
import { type Route, allRoutes } from "../src/contract/routes.ts";
import { failure } from "./_expect.ts";
import { failingApp } from "./_failing-app.ts";
import { type RawAnswer, connectRaw, sendRaw } from "./_raw.ts";
import { makeRecords, pathOf, validBody } from "./_records.ts";
import { type RawResponse, type TestServer, type TestUser, startServer } from "./_server.ts";

/** Every path of the route table with its methods. */
function pathsOfTable(): Map<string, Route[]> {
  const paths = new Map<string, Route[]>();
  for (const { route } of allRoutes()) {
    paths.set(route.path, [...(paths.get(route.path) ?? []), route]);
  }
  return paths;
}

const apiHeaders = {
  "access-control-allow-origin": "*",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};
const jsonType = "application/json;charset=UTF-8";

/** What every answer must have, whatever it says. */
function inShape({ headers, body }: RawAnswer): void {
  for (const [name, value] of Object.entries(apiHeaders)) assert.equal(headers[name], value, name);
  assert.equal(headers["access-control-allow-credentials"], undefined);
  assert.equal(headers["content-type"], jsonType);
  assert.equal(headers["content-length"], String(Buffer.byteLength(body)));
}

/** Expects a failure in the envelope, and its headers. */
function refusedRaw(answer: RawAnswer | undefined, status: number, message?: string): void {
  assert.ok(answer, "the connection was closed without an answer");
  assert.equal(answer.status, status, answer.body);
  assert.notEqual(answer.reason, "");
  inShape(answer);
  const body = JSON.parse(answer.body);
  assert.deepEqual(Object.keys(body), ["success", "message"]);
  assert.equal(body.success, false);
  if (message !== undefined) assert.equal(body.message, message);
}

function toRaw({ status, headers, text }: RawResponse): RawAnswer {
  return { status, reason: "-", headers: Object.fromEntries(headers), body: text };
}

describe("requests and responses", () => {
  let server: TestServer;
  let ada: TestUser;
  let records: Record<string, string>;
  before(async () => {
    server = await startServer();
    ada = await server.register();
    records = await makeRecords(server, ada);
  });
  after(() => server[Symbol.asyncDispose]());

  const idOf = (route: Route) => records[route.subject?.resource ?? "todos"]!;
  /** A request that is written out; `lines` are its header lines. */
  const raw = async (start: string, lines: string[] = ["Host: x"], body: string | Buffer = "") =>
    sendRaw(
      server.url,
      Buffer.concat([Buffer.from(`${[start, ...lines].join("\r\n")}\r\n\r\n`), Buffer.from(body)]),
    );
  const health = (answer: RawAnswer | undefined) => {
    assert.equal(answer?.status, 200);
    assert.equal(JSON.parse(answer.body).status, "ok");
  };

  describe("routing", () => {
    test("knows the operations below /api/v1 only", async () => {
      for (const { route } of allRoutes()) {
        const path = pathOf(route, idOf(route)).replace("/api/v1", "");
        const response = await server.request(route.method, path, { key: ada.key });
        failure(response, 404, "Route not found");
      }
    });

    test("answers 404 for an unknown path, by any method", async () => {
      const paths = ["/api/v1", "/api/v1/", "/api/v1/nope", "/api/v2/todos", "/API/v1/todos"];
      const odd = ["/api/v1/Todos", "/api/v1//todos", "/api/v1/todos//", "/nope", "/api/v1todos"];
      const hostile = ["/api/v1/__proto__", "/api/v1/constructor/prototype", "/%", "/api/v1/%ff"];
      for (const path of [...paths, ...odd, ...hostile]) {
        for (const method of ["GET", "POST", "PUT", "DELETE", "PATCH"]) {
          const response = await server.request(method, path, { key: ada.key });
          failure(response, 404, "Route not found");
          inShape(toRaw(response));
        }
      }
    });

    for (const [path, routes] of pathsOfTable()) {
      test(`answers 405 for a wrong method on ${path}, with Allow`, async () => {
        const known = new Set<string>(routes.map((route) => route.method));
        const expected = [...known, ...(known.has("GET") ? ["HEAD"] : []), "OPTIONS"].toSorted();
        const target = pathOf(routes[0]!, idOf(routes[0]!));
        const all = ["GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "PROPFIND", "QUERY"];
        for (const method of all) {
          if (known.has(method)) continue;
          // Without credentials: the route comes first.
          const answer = await raw(`${method} ${target} HTTP/1.1`);
          refusedRaw(answer, 405, "Method not allowed");
          assert.deepEqual(answer!.headers["allow"]!.split(", ").toSorted(), expected);
        }
      });
    }

    test("ignores one slash at the end of a path", async () => {
      for (const path of ["/api/v1/todos/", `/api/v1/todos/${records["todos"]}/`, "/health/"]) {
        assert.equal((await server.request("GET", path, { key: ada.key })).status, 200, path);
      }
    });

    test("answers an id that is no UUID, or cannot be decoded, like one that does not exist", async () => {
      for (const id of ["1", "%zz", "%ff%fe", "%00", "null", "..%2f..", `${records["todos"]}x`]) {
        const response = await server.request("GET", `/api/v1/todos/${id}`, { key: ada.key });
        failure(response, 404, "Todo not found");
      }
    });

    test("takes ids in upper case, and needlessly encoded", async () => {
      const id = records["todos"]!;
      const encoded = id.replace(/[0-9a-f]/, (c) => `%${c.charCodeAt(0).toString(16)}`);
      for (const path of [id.toUpperCase(), encoded]) {
        const response = await server.request("GET", `/api/v1/todos/${path}`, { key: ada.key });
        assert.equal(response.body?.data?.id, id);
      }
    });
  });

  describe("HEAD", () => {
    const paths = [
      ...allRoutes().flatMap(({ route }) => (route.method === "GET" ? [route] : [])),
      "/health",
      "/",
      "/api/v1/openapi.json",
      "/api/v1/nope",
      "/api/v1/auth/login",
    ];
    for (const path of paths) {
      test(`answers ${typeof path === "string" ? path : path.path} as GET does, without the body`, async () => {
        const target = typeof path === "string" ? path : pathOf(path, idOf(path));
        const lines = ["Host: x", `X-API-Key: ${ada.key}`];
        const get = await raw(`GET ${target} HTTP/1.1`, lines);
        using connection = await connectRaw(server.url);
        connection.socket.write(`HEAD ${target} HTTP/1.1\r\n${lines.join("\r\n")}\r\n\r\n`);
        connection.socket.write("GET /health HTTP/1.1\r\n\r\n");
        const head = await connection.answer({ head: true });
        const { date: _, ...expected } = get!.headers;
        const { date: __, ...headers } = head!.headers;
        assert.equal(head!.status, get!.status);
        assert.deepEqual(headers, expected);
        // Nothing stands between this answer and the next one.
        health(await connection.answer());
      });
    }
  });

  describe("OPTIONS", () => {
    test("answers 200 without a body on any path of the API, known or not, with or without a key", async () => {
      const known = [...pathsOfTable().values()].map(([route]) => pathOf(route!, idOf(route!)));
      const unknown = ["/api/v1", "/api/v1/", "/api/v1/nope", "/api/v1/todos/x/y/z", "/api/v1//"];
      const malformed = ["/api/v1/%", "/api/v1/todos/%zz", "/api/v1/%ff%fe", "/api/v1/todos?a=%zz"];
      for (const path of [...known, ...unknown, ...malformed]) {
        for (const lines of [[], [`X-API-Key: ${ada.key}`], ["X-API-Key: nonsense"]]) {
          const answer = await raw(`OPTIONS ${path} HTTP/1.1`, ["Host: x", ...lines]);
          assert.equal(answer?.status, 200, path);
          assert.equal(answer.body, "");
          const { date: _, connection: __, "keep-alive": ___, ...headers } = answer.headers;
          assert.deepEqual(headers, {
            ...apiHeaders,
            "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
            "access-control-allow-headers": "Content-Type, Authorization, X-API-Key",
            "access-control-max-age": "86400",
            "content-length": "0",
          });
        }
      }
    });

    test("outside of the API is answered where there is something", async () => {
      assert.equal((await raw("OPTIONS /health HTTP/1.1"))?.status, 200);
      for (const target of ["/nope", "/api", "/api/v1x", "*"]) {
        refusedRaw(await raw(`OPTIONS ${target} HTTP/1.1`), 404, "Route not found");
      }
    });
  });

  describe("every answer", () => {
    test("has the headers and one form of JSON, whatever its status", async () => {
      const call = (method: string, path: string, body?: unknown, key?: string) =>
        server.request(method, `/api/v1${path}`, { body, ...(key !== undefined && { key }) });
      const readOnly = await ada.client.keys.create({ body: { scopes: ["read"] } });
      const name = randomUUID();
      const color = "#112233";
      const answers: [number, RawResponse][] = [
        [200, await call("GET", "/todos", undefined, ada.key)],
        [200, await server.request("GET", "/health")],
        [200, await server.request("GET", "/")],
        [200, await call("GET", "/openapi.json")],
        [201, await call("POST", "/categories", { name, color }, ada.key)],
        [400, await call("POST", "/todos", "{", ada.key)],
        [401, await call("GET", "/todos")],
        [401, await call("POST", "/auth/login", { email: "a@b.org", password: "x" })],
        [403, await call("POST", "/todos", {}, readOnly.data.key)],
        [404, await call("GET", `/todos/${randomUUID()}`, undefined, ada.key)],
        [404, await call("GET", "/nope")],
        [405, await call("PUT", "/todos", {}, ada.key)],
        [409, await call("POST", "/categories", { name, color }, ada.key)],
        [413, await call("POST", "/todos", "x".repeat(limits.bodyBytes + 1), ada.key)],
        [422, await call("POST", "/todos", {}, ada.key)],
      ];
      for (const [status, response] of answers) {
        assert.equal(response.status, status, response.text);
        inShape(toRaw(response));
        assert.equal(response.headers.get("x-request-id"), null);
      }
    });

    test("names its reason", async () => {
      assert.equal((await raw("GET /health HTTP/1.1"))?.reason, "OK");
      assert.equal((await raw("GET /nope HTTP/1.1"))?.reason, "Not Found");
    });

    test("to an unexpected failure says nothing but where to look for it", async () => {
      const error = new Error("SQLITE_IOERR at /home/ada/todo.db: SELECT password FROM users");
      const { app, log } = failingApp(error);
      for (const path of ["/health", "/api/v1/todos", "/api/v1/marketplace/themes"]) {
        const response = await app.fetch(new Request(`http://localhost${path}`));
        assert.equal(response.status, 500);
        assert.equal(await response.text(), '{"success":false,"message":"Internal server error"}');
        const id = response.headers.get("x-request-id");
        assert.match(id!, /^[0-9a-f]{8}$/);
        assert.ok(!JSON.stringify([...response.headers]).includes("SQLITE"));
        const lines = log.map((line) => JSON.parse(line)).filter((line) => line.id === id);
        assert.deepEqual(
          lines.map((line) => line.message ?? line.path),
          ["Request failed", path],
        );
        assert.match(lines[0].detail, /SQLITE_IOERR at \/home\/ada/);
      }
    });
  });

  describe("records", () => {
    const linked = ["title", "description"];
    const times = ["created_at", "updated_at"];
    const fields: Record<string, string[]> = {
      "/user/profile": ["id", "email", "name", "avatar_url", "settings", ...times],
      "/user/api-keys": [
        "id",
        "key_prefix",
        "name",
        "scopes",
        "is_active",
        "last_used_at",
        "created_at",
      ],
      "/categories": ["id", "user_id", "name", "color", "favorite", "created_at"],
      "/projects": ["id", "user_id", "name", "description", "color", "created_at"],
      "/todos": [
        "id",
        "user_id",
        ...linked,
        "status",
        "due_date",
        "due_time",
        "sync_enabled",
        "reminder_enabled",
        "recurring_enabled",
        "project_id",
        ...times,
        "categories",
      ],
      "/recurring-tasks": [
        "id",
        "user_id",
        ...linked,
        "schedule",
        "custom_days",
        "favorite",
        ...times,
        "categories",
      ],
      "/activity-logs": [
        "id",
        "user_id",
        "action",
        "entity_type",
        "entity_id",
        "details",
        "ip_address",
        "user_agent",
        "created_at",
      ],
      "/marketplace/themes": [
        "id",
        "name",
        "display_name",
        "description",
        "author",
        "version",
        "thumbnail_url",
        "price",
        "is_free",
        ...times,
      ],
      "/user/themes": ["id", "user_id", "theme_id", "is_active", "custom_settings", "created_at"],
    };
    for (const [path, expected] of Object.entries(fields)) {
      test(`of ${path} list their fields in the contract's order`, async () => {
        const { body } = await server.request("GET", `/api/v1${path}`, { key: ada.key });
        const record = Array.isArray(body.data) ? body.data[0] : body.data;
        assert.deepEqual(Object.keys(record), expected);
        const envelope = ["success", "message", "data", ...(body.pagination ? ["pagination"] : [])];
        assert.deepEqual(Object.keys(body), envelope);
        if (!body.pagination) return;
        const pagination = ["page", "per_page", "total", "last_page", "has_more"];
        assert.deepEqual(Object.keys(body.pagination), pagination);
      });
    }

    for (const { route } of allRoutes().filter((named) => named.route.method === "POST")) {
      test(`made by POST ${route.path} ${route.status === 201 ? "say where they are" : "have no place"}`, async () => {
        const login = await server.client().auth.jwtLogin({
          body: { email: ada.user.email, password: ada.password },
        });
        const response = await server.request("POST", pathOf(route, idOf(route)), {
          key: ada.key,
          headers: { authorization: `Bearer ${login.data.token}` },
          body: validBody(records),
        });
        const id = response.body.data?.id;
        const isPlaced = response.status === 201 && id !== undefined;
        const expected = isPlaced ? `/api/v1${route.path}/${id}` : null;
        assert.equal(response.headers.get("location"), expected);
      });
    }
  });

  describe("order of checks", () => {
    test("is route, credentials, scope, JSON, existence, validation, conflict", async () => {
      const { data: readOnly } = await ada.client.keys.create({ body: { scopes: ["read"] } });
      const { data: taken } = await ada.client.categories.create({
        body: { name: randomUUID(), color: "#112233" },
      });
      const own = `/api/v1/categories/${records["categories"]}`;
      const missing = `/api/v1/categories/${randomUUID()}`;
      const conflict = { name: taken.name };
      const wrong = { name: taken.name, color: "red" };
      const steps: [number, string, string, string | undefined, unknown][] = [
        [405, "PATCH", missing, undefined, "{"],
        [401, "PUT", missing, undefined, "{"],
        [403, "PUT", missing, readOnly.key, "{"],
        [400, "PUT", missing, ada.key, "{"],
        [404, "PUT", missing, ada.key, wrong],
        [422, "PUT", own, ada.key, wrong],
        [409, "PUT", own, ada.key, conflict],
        [200, "PUT", own, ada.key, { name: randomUUID() }],
      ];
      for (const [status, method, path, key, body] of steps) {
        const response = await server.request(method, path, { body, ...(key && { key }) });
        assert.equal(response.status, status, response.text);
      }
    });
  });

  describe("the body", () => {
    const create = (body: unknown, headers: Record<string, string> = {}) =>
      server.request("POST", "/api/v1/todos", { key: ada.key, body, headers });
    const message = "Request body must be a JSON object";

    test("is read as JSON whatever its type is said to be", async () => {
      const types = ["application/json", "text/plain", "application/x-www-form-urlencoded"];
      for (const type of [
        ...types,
        "multipart/form-data; boundary=x",
        "x",
        "text/html;charset=latin1",
      ]) {
        const response = await create('{"title":"ü"}', { "content-type": type });
        assert.equal(response.body.data?.title, "ü", type);
      }
    });

    test("that is no JSON, or no object, is 400", async () => {
      const bodies = [
        "{",
        '{"title":}',
        "title=x",
        '"x"',
        "5",
        "null",
        "true",
        "[]",
        '[{"title":"x"}]',
        " ",
      ];
      for (const body of [...bodies, "{}{}", "{'title':'x'}", "\ufeff{}", '{"title":"a\nb"}']) {
        failure(await create(body), 400, message);
      }
    });

    test("that is no UTF-8 is 400", async () => {
      const start = "POST /api/v1/todos HTTP/1.1";
      for (const bytes of [[0xff], [0xc3], [0xed, 0xa0, 0x80], [0xc0, 0x80]]) {
        const body = Buffer.from([...Buffer.from('{"title":"'), ...bytes, ...Buffer.from('"}')]);
        const lines = [`X-API-Key: ${ada.key}`, `Content-Length: ${body.length}`];
        refusedRaw(await raw(start, lines, body), 400, message);
      }
    });

    test("that is absent counts as {}", async () => {
      const response = await create(undefined);
      assert.deepEqual(response.body.errors, { title: "title is required." });
      const lines = [`X-API-Key: ${ada.key}`, "Transfer-Encoding: chunked"];
      const chunked = await raw("POST /api/v1/todos HTTP/1.1", lines, "0\r\n\r\n");
      assert.equal(chunked?.status, 422);
      assert.equal(
        (await server.request("POST", "/api/v1/user/api-keys", { key: ada.key })).status,
        200,
      );
    });

    test("of an operation without one is ignored", async () => {
      const lines = [`X-API-Key: ${ada.key}`, "Content-Length: 1"];
      assert.equal((await raw("GET /api/v1/todos HTTP/1.1", lines, "{"))?.status, 200);
    });

    test("may have names that JavaScript knows otherwise", async () => {
      const body =
        '{"title":"x","__proto__":{"status":"archived"},"constructor":{"prototype":{}},"toString":1}';
      const response = await create(body);
      assert.equal(response.body.data.status, "open");
      const settings = '{"settings":{"__proto__":{"a":1},"constructor":2,"toJSON":3}}';
      const stored = await server.request("PUT", "/api/v1/user/profile", {
        key: ada.key,
        body: settings,
      });
      assert.ok(stored.text.includes(settings.slice(1, -1)), stored.text);
    });

    test("may be as deep as it likes where nobody looks", async () => {
      const deep = "[".repeat(200_000) + "]".repeat(200_000);
      assert.equal((await create(`{"title":"x","other":${deep}}`)).status, 201);
      assert.equal((await create(`{"title":${deep}}`)).status, 422);
      const response = await server.request("PUT", "/api/v1/user/profile", {
        key: ada.key,
        body: `{"settings":{"a":${deep}}}`,
      });
      assert.equal(response.status, 422);
    });

    const fill = (length: number) => `{"title":"x","other":"${"x".repeat(length - 24)}"}`;

    test("may have 1 MiB exactly", async () => {
      assert.equal(Buffer.byteLength(fill(limits.bodyBytes)), 1024 * 1024);
      assert.equal((await create(fill(limits.bodyBytes))).status, 201);
    });

    test("over 1 MiB is 413, declared or not, and the connection goes on", async () => {
      const body = fill(limits.bodyBytes + 1);
      const half = body.length >> 1;
      const chunk = (text: string) => `${text.length.toString(16)}\r\n${text}\r\n`;
      const chunked = `${chunk(body.slice(0, half))}${chunk(body.slice(half))}0\r\n\r\n`;
      const start = `POST /api/v1/todos HTTP/1.1\r\nX-API-Key: ${ada.key}\r\n`;
      for (const rest of [
        `Content-Length: ${body.length}\r\n\r\n${body}`,
        `Transfer-Encoding: chunked\r\n\r\n${chunked}`,
      ]) {
        using connection = await connectRaw(server.url);
        connection.socket.write(start + rest);
        refusedRaw(await connection.answer(), 413);
        connection.socket.write("GET /health HTTP/1.1\r\n\r\n");
        health(await connection.answer());
      }
    });

    test("is asked for, where a client waits for that, unless it is too large", async () => {
      const send = (length: number) =>
        raw("POST /api/v1/todos HTTP/1.1", [
          `X-API-Key: ${ada.key}`,
          `Content-Length: ${length}`,
          "Expect: 100-continue",
        ]);
      assert.equal((await send(2))?.status, 100);
      const answer = await send(limits.bodyBytes + 1);
      refusedRaw(answer, 413);
      assert.equal(answer!.headers["connection"], "close");
    });
  });

  describe("the query", () => {
    const list = async (query: string) =>
      server.request("GET", `/api/v1/todos?${query}`, { key: ada.key });

    test("counts the first of repeated parameters", async () => {
      const { body } = await list("per_page=7&per_page=8&page=2&page=3&per_page=x");
      assert.deepEqual([body.pagination.per_page, body.pagination.page], [7, 2]);
    });

    test("may be badly encoded, strange or long", async () => {
      const long = `x=${"x".repeat(10_000)}`;
      for (const query of [
        "q=%",
        "q=%zz",
        "q=%ff",
        "&&==&",
        "?",
        "__proto__=1",
        "%00=1",
        "q=+",
        long,
      ]) {
        assert.equal((await list(query)).status, 200, query.slice(0, 20));
      }
      assert.equal((await list("q=%00")).status, 422);
    });
  });

  describe("outside of the API", () => {
    test("/health says that the service and its database work, to anybody", async () => {
      const { status, body } = await server.request("GET", "/health");
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body), ["status", "version"]);
      assert.equal(body.status, "ok");
      assert.match(body.version, /^\d+\.\d+\.\d+/);
      // That it touches the database: see "an unexpected failure".
    });

    test("/ points to the API and its documentation", async () => {
      const { body } = await server.request("GET", "/");
      for (const path of [body.documentation, body.health]) {
        assert.equal((await server.request("GET", path)).status, 200);
      }
      assert.equal(body.api, "/api/v1");
    });
  });

  describe("the wire", () => {
    test("needs no host, takes any, and the absolute form of the target", async () => {
      health(await raw("GET /health HTTP/1.1", []));
      health(await raw("GET /health HTTP/1.0", []));
      // Names that are no hosts, beside paths that are rewritten: each ended the process once.
      for (const host of ["", "256.256.256.256", "a:99999", "[::::]", "a b", "\u00ff", "x\t"]) {
        health(await raw("GET /nope/../health HTTP/1.1", [`Host: ${host}`]));
        health(await raw("GET /he%61lth HTTP/1.1", [`Host: ${host}`]));
      }
      for (const origin of ["http://x", "https://x:8080", "http://256.256.256.256", "ftp://a@b"]) {
        health(await raw(`GET ${origin}/health HTTP/1.1`));
        assert.match((await raw(`GET ${origin} HTTP/1.1`))!.body, /documentation/);
      }
      refusedRaw(await raw('GET /a"b HTTP/1.1', ["Host: 256.256.256.256"]), 404, "Route not found");
      refusedRaw(await raw("GET * HTTP/1.1"), 404, "Route not found");
    });

    test("ignores what it does not know how to do: Expect, Upgrade", async () => {
      health(await raw("GET /health HTTP/1.1", ["Expect: the unexpected"]));
      health(await raw("GET /health HTTP/1.1", ["Upgrade: websocket", "Connection: upgrade"]));
      health(
        await raw("GET /health HTTP/1.1", ["Upgrade: h2c", "Connection: upgrade, http2-settings"]),
      );
    });

    test("has no tunnels", async () => {
      const answer = await raw("CONNECT example.org:443 HTTP/1.1");
      refusedRaw(answer, 405, "Method not allowed");
      assert.match(answer!.headers["allow"]!, /GET/);
    });

    const login = "POST /api/v1/auth/login HTTP/1.1";
    const malformed: Record<string, string> = {
      "no HTTP": "hello\r\n\r\n",
      "another protocol": "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
      TLS: "\x16\x03\x01\x00\xa5\x01\x00\x00\xa1\x03\x03",
      "an unknown method": "FOO /api/v1/todos HTTP/1.1\r\n\r\n",
      "a method in lower case": "get /api/v1/todos HTTP/1.1\r\n\r\n",
      "a target without a slash": "GET health HTTP/1.1\r\n\r\n",
      "a space in the target": "GET /a b HTTP/1.1\r\n\r\n",
      "raw bytes in the target": "GET /\u00ff HTTP/1.1\r\n\r\n",
      "a space before the colon": "GET /health HTTP/1.1\r\nA : b\r\n\r\n",
      "NUL in a header": "GET /health HTTP/1.1\r\nA: \0\r\n\r\n",
      "two lengths": `${login}\r\nContent-Length: 2\r\nContent-Length: 3\r\n\r\n{}`,
      "a length that is none": `${login}\r\nContent-Length: -2\r\n\r\n{}`,
      "a length beside chunks": `${login}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n`,
      "an encoding other than chunks": `${login}\r\nTransfer-Encoding: gzip\r\n\r\n{}`,
      "a chunk without a length": `${login}\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n{}\r\n0\r\n\r\n`,
    };
    for (const [name, request] of Object.entries(malformed)) {
      test(`answers 400 to ${name}, and closes`, async () => {
        using connection = await connectRaw(server.url);
        connection.socket.write(request, "latin1");
        const answer = await connection.answer();
        refusedRaw(answer, 400, "Malformed HTTP request");
        assert.equal(answer!.headers["connection"], "close");
        await connection.closed;
      });
    }

    test("answers 431 to a head over 16 KiB, also while it is still being sent", async () => {
      for (const length of [17_000, 2_000_000]) {
        const answer = await raw("GET /health HTTP/1.1", [`A: ${"a".repeat(length)}`]);
        refusedRaw(answer, 431, "Request headers are too large");
      }
      const answer = await raw(`GET /health?${"a".repeat(17_000)} HTTP/1.1`);
      refusedRaw(answer, 431, "Request headers are too large");
    });
  });
});
