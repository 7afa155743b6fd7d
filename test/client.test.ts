import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { describe, test } from "node:test";
import { createClient } from "../src/client/client.ts";
import {
  ConnectionError,
  type ConnectionFailure,
  toConnectionError,
} from "../src/client/connection-error.ts";
import { requestRaw } from "../src/client/raw-request.ts";
import { refused } from "./_expect.ts";
import { answering, startFakeServer } from "./_fake-server.ts";
import { startServer } from "./_server.ts";

const key = "todo_key";

/** Expects that no answer of the API comes, for that reason. */
async function unanswered(
  call: Promise<unknown>,
  failure: ConnectionFailure,
): Promise<ConnectionError> {
  try {
    await call;
  } catch (error) {
    assert.ok(error instanceof ConnectionError, String(error));
    assert.equal(error.failure, failure);
    return error;
  }
  assert.fail(`expected ${failure}, but it succeeded`);
}

describe("the client", { concurrency: 4 }, () => {
  test("follows no redirect, and sends the key to no other host", async () => {
    await using other = await startFakeServer(answering(200, "{}"));
    await using server = await startFakeServer(
      answering(307, "<p>moved", { location: `${other.url}/api/v1/todos` }),
    );
    const client = createClient({ server: server.url, key });
    const error = await unanswered(client.todos.list(), "redirect");
    assert.equal(error.message, `${other.url}/api/v1/todos`);
    assert.equal(server.requests[0]!.headers["x-api-key"], key);
    assert.deepEqual(other.requests, []);
  });

  const garbage: [what: string, status: number, body: string][] = [
    ["HTML", 200, "<html>"],
    ["JSON without an envelope", 200, '{"data":[]}'],
    ["null", 200, "null"],
    ["nothing", 200, ""],
    ["no content", 204, ""],
    ["a proxy's error page", 502, "<h1>Bad gateway</h1>"],
    ["an error without a message", 404, '{"error":"x"}'],
  ];
  for (const [what, status, body] of garbage) {
    test(`does not take ${what} for an answer`, async () => {
      await using server = await startFakeServer(answering(status, body));
      const error = await unanswered(
        createClient({ server: server.url }).todos.list(),
        "not_the_api",
      );
      assert.equal(error.message, `status ${status}`);
    });
  }

  test("gives up a server that never answers", async () => {
    await using server = await startFakeServer(() => {});
    const client = createClient({ server: server.url, timeout: 50 });
    await unanswered(client.todos.list(), "timeout");
  });

  test("gives up an answer that never ends", async () => {
    await using server = await startFakeServer((response) => {
      response.writeHead(200).write('{"success":');
    });
    const client = createClient({ server: server.url, timeout: 50 });
    await unanswered(client.todos.list(), "timeout");
    const raw = requestRaw({ server: server.url, timeout: 50 }, { method: "GET", path: "/" });
    await unanswered(raw, "timeout");
  });

  test("reports a connection that closes without an answer", async () => {
    await using server = await startFakeServer((response) => response.destroy());
    const error = await unanswered(
      createClient({ server: server.url }).todos.list(),
      "unreachable",
    );
    assert.equal(error.message, "it closed the connection (ECONNRESET)");
  });

  test("reports an answer that breaks off", async () => {
    await using server = await startFakeServer((response) => {
      response.writeHead(200, { "content-length": "100" }).write("{");
      response.on("finish", () => {});
      setImmediate(() => response.destroy());
    });
    await unanswered(createClient({ server: server.url }).todos.list(), "unreachable");
  });

  test("reports that nothing listens", async () => {
    const server = await startFakeServer(() => {});
    await server[Symbol.asyncDispose]();
    const error = await unanswered(
      createClient({ server: server.url }).todos.list(),
      "unreachable",
    );
    assert.equal(error.message, "nothing listens there (ECONNREFUSED)");
    assert.equal(error.server, server.url);
  });

  test("reports https where http is spoken", async () => {
    await using server = await startFakeServer(answering(200, "{}"));
    const https = server.url.replace("http:", "https:");
    const error = await unanswered(createClient({ server: https }).todos.list(), "unreachable");
    assert.match(error.message, /http and https may be mixed up/);
  });

  test("stops reading an answer of more than 64 MiB", async () => {
    const chunk = "x".repeat(1024 * 1024);
    let sent = 0;
    await using server = await startFakeServer((response) => {
      function send(): void {
        while (!response.destroyed && response.write(chunk)) sent += 1;
        response.once("drain", send);
      }
      response.writeHead(200);
      send();
    });
    const error = await unanswered(
      createClient({ server: server.url }).todos.list(),
      "not_the_api",
    );
    assert.equal(error.message, "an answer that is too large");
    assert.ok(sent < 200, `${sent} MiB were sent`);
  });

  test("reads an answer of many megabytes", async () => {
    const title = "ü".repeat(4 * 1024 * 1024);
    const body = JSON.stringify({ success: true, message: "", data: [{ title }] });
    await using server = await startFakeServer(answering(200, body));
    const { data } = await createClient({ server: server.url }).todos.list();
    assert.equal(data[0]!.title, title);
  });

  test("talks to a server at an IPv6 address", async () => {
    await using server = await startServer({ host: "::1" });
    const { client, user } = await server.register();
    assert.equal((await client.profile.get()).data.id, user.id);
  });

  test("takes only seconds for Retry-After", async () => {
    const body = '{"success":false,"message":"Slow down"}';
    for (const [value, expected] of [
      ["7", 7],
      ["Fri, 20 Nov 2026 12:00:00 GMT", undefined],
    ] as const) {
      await using server = await startFakeServer(answering(429, body, { "retry-after": value }));
      const call = createClient({ server: server.url }).todos.list();
      assert.equal((await refused(call, "too_many_requests")).retryAfter, expected);
    }
  });

  test("does not keep the process alive", async () => {
    await using server = await startFakeServer(
      answering(200, '{"success":true,"message":"","data":[]}'),
    );
    const url = new URL("../src/client/client.ts", import.meta.url).href;
    const script = `
      const { createClient } = await import(${JSON.stringify(url)});
      await createClient({ server: ${JSON.stringify(server.url)} }).todos.list();
      process.stdout.write("answered");`;
    const child = spawn(process.execPath, ["--import", "tsx", "--input-type=module", "-e", script]);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
    const patience = setTimeout(() => child.kill("SIGKILL"), 60_000);
    // The server keeps the idle connection for minutes.
    assert.deepEqual(await once(child, "close"), [0, null]);
    clearTimeout(patience);
    assert.equal(output, "answered");
    assert.equal(server.requests[0]!.headers.connection, "keep-alive");
  });
});

describe("a connection's failure", () => {
  test("is told in words for the system's codes", () => {
    const codes = {
      ENOTFOUND: "unreachable",
      ETIMEDOUT: "unreachable",
      CERT_HAS_EXPIRED: "not_trusted",
    };
    for (const [code, expected] of Object.entries(codes)) {
      const cause = Object.assign(new Error("raw"), { code });
      const { failure, message } = toConnectionError(cause, "http://server");
      assert.equal(failure, expected);
      assert.match(message, new RegExp(String.raw`^[a-z' ]+ \(${code}\)$`));
    }
  });

  test("keeps the system's words for codes that it does not know", () => {
    const cause = Object.assign(new Error("strange"), { code: "ESTRANGE" });
    assert.equal(toConnectionError(cause, "http://server").message, "strange (ESTRANGE)");
  });
});

describe("a raw request", () => {
  test("returns any answer as it came", async () => {
    await using server = await startFakeServer(answering(418, "short and stout"));
    const answer = await requestRaw(
      { server: server.url, key },
      { method: "PUT", path: "/a?b=c", body: "{ }" },
    );
    assert.deepEqual(answer, { status: 418, text: "short and stout", location: null });
    const [{ method, path, headers } = assert.fail()] = server.requests;
    assert.deepEqual([method, path], ["PUT", "/a?b=c"]);
    assert.equal(headers["x-api-key"], key);
    assert.equal(headers["content-type"], "application/json");
  });
});
