import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { type LogFormat, type LogLevel, createLog } from "../src/server/log.ts";
import { linesInto } from "./_log-lines.ts";
import { failingApp } from "./_failing-app.ts";
import { sendRaw } from "./_raw.ts";
import { startServer } from "./_server.ts";

const now = () => Date.UTC(2026, 10, 20, 12);
const entry = { method: "GET", path: "/", status: 200, ms: 0, userId: undefined };

function collect(format: LogFormat, level: LogLevel = "info") {
  const lines: string[] = [];
  return { lines, log: createLog({ format, level, write: linesInto(lines), now }) };
}

/** Every character of a line that is no plain text, but for its end. */
const strange = /[\p{C}\p{Zl}\p{Zp}]/u;

describe("the log", () => {
  test("has one line for each request, as JSON", async () => {
    await using server = await startServer();
    const ada = await server.register();
    server.log.length = 0;
    const id = randomUUID();
    await server.request("GET", "/api/v1/todos?q=secret", { key: ada.key });
    await server.request("GET", `/api/v1/todos/${id}`, { key: ada.key });
    await server.request("GET", "/api/v1/todos");
    await server.request("HEAD", "/health");
    const records = server.log.map((line) => {
      assert.match(line, /^[^\n]*\n$/);
      const { id: request, ms, ...record } = JSON.parse(line);
      assert.match(request, /^[0-9a-f]{8}$/);
      assert.ok(typeof ms === "number" && ms >= 0);
      return record;
    });
    const time = "2026-11-20T12:00:00.000Z";
    const user_id = ada.user.id;
    assert.deepEqual(records, [
      { time, level: "info", method: "GET", path: "/api/v1/todos", status: 200, user_id },
      { time, level: "warn", method: "GET", path: `/api/v1/todos/${id}`, status: 404, user_id },
      { time, level: "warn", method: "GET", path: "/api/v1/todos", status: 401, user_id: null },
      { time, level: "info", method: "HEAD", path: "/health", status: 200, user_id: null },
    ]);
    const ids = server.log.map((line) => JSON.parse(line).id);
    assert.equal(new Set(ids).size, ids.length);
  });

  test("has one line for each request, as text", async () => {
    const { lines, log } = collect("text");
    await using server = await startServer({ log });
    const ada = await server.register();
    lines.length = 0;
    await server.request("GET", "/api/v1/todos?q=secret", { key: ada.key });
    await server.request("GET", "/nope");
    const start = String.raw`^2026-11-20T12:00:00\.000Z [0-9a-f]{8}`;
    assert.match(
      lines[0]!,
      new RegExp(String.raw`${start} GET /api/v1/todos 200 \d+\.\dms ${ada.user.id}\n$`),
    );
    assert.match(lines[1]!, new RegExp(String.raw`${start} GET /nope 404 \d+\.\dms -\n$`));
    assert.equal(lines.length, 2);
  });

  for (const format of ["text", "json"] as const) {
    test(`never holds a key, a password, a JWT, a query or a body (${format})`, async () => {
      const { lines, log } = collect(format);
      await using server = await startServer({ log });
      const password = `password-${randomUUID()}`;
      const body = `body-${randomUUID()}`;
      const query = `query-${randomUUID()}`;
      const agent = `agent-${randomUUID()}`;
      const ada = await server.register({ password });
      const credentials = { email: ada.user.email, password };
      const { data } = await server.client().auth.jwtLogin({ body: credentials });
      const headers = { "user-agent": agent, authorization: `Bearer ${data.token}` };
      const call = (method: string, path: string, sent?: unknown) =>
        server.request(method, `/api/v1${path}?q=${query}`, { key: ada.key, headers, body: sent });
      await call("POST", "/auth/jwt/refresh");
      await call("POST", "/auth/login", { ...credentials, password: `${password}x` });
      await call("POST", "/auth/register", { ...credentials, name: body });
      await call("POST", "/todos", { title: body, description: 5 });
      await call("POST", "/todos", `{"title":"${body}`);
      await call("PUT", `/todos/${randomUUID()}`, { title: body });
      await call("GET", "/todos");
      await call("GET", "/nope");
      assert.equal(lines.length, 10);
      const secrets = { password, body, query, agent, key: ada.key, prefix: ada.key.slice(0, 12) };
      const all = lines.join("");
      for (const [name, secret] of Object.entries({ ...secrets, token: data.token, ...ada.user })) {
        if (name === "id" || typeof secret !== "string" || secret === "Ada") continue;
        if (name.endsWith("_at")) continue;
        assert.ok(!all.includes(secret), `${name}: ${secret}`);
      }
    });

    test(`stays one plain line whatever a client or an error says (${format})`, async () => {
      const { lines, log } = collect(format);
      const hostile =
        "a\nb\r\nc\u001b[31m\u0000\u0085\u009b2J\u2028\u2029\u202e\u{e0001}\ud800\u007f";
      log.request({ ...entry, id: "1", path: `/${hostile}` });
      log.error(hostile, new Error(hostile, { cause: new Error(hostile) }), "2");
      log.error(hostile, hostile);
      log.info(hostile);
      assert.equal(lines.length, 4);
      for (const line of lines) {
        assert.ok(line.endsWith("\n"));
        assert.doesNotMatch(line.slice(0, -1), strange);
        if (format === "json") JSON.parse(line);
      }
    });

    test(`stays plain where a request holds control characters (${format})`, async () => {
      const { lines, log } = collect(format);
      await using server = await startServer({ log });
      const targets = [
        "/%0d%0aGET%20/x%20200",
        "/%1b[31m",
        "/%00",
        "/%c2%9b2J",
        "/a\\nb",
        "/%e2%80%a8",
      ];
      for (const target of targets) {
        const agent = "User-Agent: \u009b31m\u0085 \t x";
        const answer = await sendRaw(
          server.url,
          Buffer.from(`GET ${target} HTTP/1.1\r\n${agent}\r\n\r\n`, "latin1"),
        );
        assert.equal(answer?.status, 404);
      }
      assert.equal(lines.length, targets.length);
      for (const line of lines) assert.doesNotMatch(line.slice(0, -1), strange);
    });

    test(`names an unexpected failure by its request's id, with all its causes (${format})`, async () => {
      const cause = new Error("the disk is on fire");
      const { app, log: lines } = failingApp(new Error("no page", { cause }), format);
      const response = await app.fetch(new Request("http://localhost/health"));
      const id = response.headers.get("x-request-id")!;
      assert.equal(lines.length, 2);
      for (const line of lines) assert.ok(line.includes(id));
      assert.match(lines[0]!, /Request failed.*no page.*caused by.*the disk is on fire/);
      assert.match(lines[0]!, /log\.test\.ts/);
    });
  }

  test("writes the requests of one turn of the event loop at once", async () => {
    const writes: string[] = [];
    const log = createLog({
      format: "text",
      level: "info",
      write: (text) => writes.push(text),
      now,
    });
    for (const id of ["1", "2", "3"]) log.request({ ...entry, id });
    assert.deepEqual(writes, []);
    await endOfTurn();
    assert.equal(writes.length, 1);
    assert.match(writes[0]!, /Z 1 GET [^\n]*\n.*Z 2 GET [^\n]*\n.*Z 3 GET [^\n]*\n$/);
    await endOfTurn();
    assert.equal(writes.length, 1);
  });

  test("loses no request that comes right before the end of the process", () => {
    const { lines, log } = collect("text");
    log.request({ ...entry, id: "before" });
    log.error("The server stops", new Error("on fire"));
    assert.equal(lines.length, 2);
    assert.match(lines[0]!, / before GET /);
    assert.match(lines[1]!, /The server stops/);
    log.request({ ...entry, id: "last" });
    log.flush();
    assert.match(lines[2]!, / last GET /);
  });

  test("holds what its level asks for", () => {
    const written = (level: LogLevel) => {
      const { lines, log } = collect("json", level);
      for (const status of [200, 404, 500]) {
        log.request({ ...entry, id: "", status });
      }
      log.info("info");
      log.error("error", new Error("x"));
      return lines.map((line) => JSON.parse(line)).map(({ status, message }) => status ?? message);
    };
    assert.deepEqual(written("info"), [200, 404, 500, "info", "error"]);
    assert.deepEqual(written("warn"), [404, 500, "error"]);
    assert.deepEqual(written("error"), [500, "error"]);
    assert.deepEqual(written("silent"), []);
  });
});
