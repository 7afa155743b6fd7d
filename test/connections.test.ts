import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { type Instance, openInstance } from "../src/server/instance.ts";
import { type ConnectionLimits, type Listener, listen } from "../src/server/listen.ts";
import { createLog } from "../src/server/log.ts";
import { linesInto } from "./_log-lines.ts";
import { type RawAnswer, connectRaw, sendRaw } from "./_raw.ts";
import { temporaryFolder } from "./_server.ts";

interface LimitedServer extends AsyncDisposable {
  url: string;
  log: string[];
}

/** The real service with limits of its own. */
async function startLimited(limits: Partial<ConnectionLimits> = {}): Promise<LimitedServer> {
  const folder = temporaryFolder();
  const lines: string[] = [];
  const log = createLog({ format: "json", level: "info", write: linesInto(lines), now: Date.now });
  const instance: Instance = await openInstance({ folder: folder.path, log, passwordCost: 4 });
  const options = { host: "127.0.0.1", port: 0, limits };
  const listener: Listener = await listen(instance.app, options);
  return {
    url: listener.url,
    log: lines,
    async [Symbol.asyncDispose]() {
      await listener.close(10_000);
      await instance.close();
      folder[Symbol.dispose]();
    },
  };
}

const health = "GET /health HTTP/1.1\r\n\r\n";
const login = "POST /api/v1/auth/login HTTP/1.1\r\n";

function works(answer: RawAnswer | undefined): void {
  assert.equal(answer?.status, 200);
}

/** Sends a byte every few milliseconds until the connection ends. */
function trickle({ socket }: { socket: NodeJS.WritableStream & { closed: boolean } }): void {
  const timer = setInterval(() => {
    if (socket.closed) clearInterval(timer);
    else socket.write("a");
  }, 10);
}

describe("slow clients", () => {
  // Long enough for a healthy request on a machine that is busy with other things.
  const limits = { headersTimeout: 500, requestTimeout: 1000, connectionsCheckingInterval: 20 };

  const starts: Record<string, string> = {
    nothing: "",
    "half a head": "GET /health HTTP/1.1\r\nX: ",
    "half a body": `${login}Content-Length: 100000\r\n\r\n{"email":"`,
    "half a chunk": `${login}Transfer-Encoding: chunked\r\n\r\nffff\r\n{"email":"`,
  };
  for (const [name, start] of Object.entries(starts)) {
    for (const isTrickling of start === "" ? [false] : [false, true]) {
      const end = isTrickling ? "trickles on" : "then stops";
      test(`that send ${name} are answered 408 and cut off: ${end}`, async () => {
        await using server = await startLimited(limits);
        using connection = await connectRaw(server.url);
        connection.socket.write(start);
        if (isTrickling) trickle(connection);
        const answer = await connection.answer();
        assert.equal(answer?.status, 408);
        const message = "The request took too long to arrive";
        assert.deepEqual(JSON.parse(answer.body), { success: false, message });
        assert.equal(answer.headers["connection"], "close");
        assert.equal(answer.headers["access-control-allow-origin"], "*");
        await connection.closed;
        works(await sendRaw(server.url, health));
      });
    }
  }

  test("whose body arrives after all are not answered twice", async () => {
    await using server = await startLimited(limits);
    using connection = await connectRaw(server.url);
    connection.socket.write(`${login}Content-Length: 4\r\n\r\n{`);
    assert.equal((await connection.answer())?.status, 408);
    connection.socket.write("  }");
    connection.socket.write(health);
    assert.equal(await connection.answer(), undefined);
    assert.ok(!server.log.some((line) => line.includes("Request failed")));
  });

  test("do not hold up a healthy one, 200 of them", async () => {
    await using server = await startLimited();
    async function measure(): Promise<number> {
      using connection = await connectRaw(server.url);
      const started = performance.now();
      for (let i = 0; i < 300; i += 1) {
        connection.socket.write(health);
        works(await connection.answer());
      }
      return performance.now() - started;
    }
    await measure();
    const alone = Math.min(await measure(), await measure(), await measure());
    const slow = await Promise.all(Array.from({ length: 200 }, async () => connectRaw(server.url)));
    for (const { socket } of slow) socket.write(`${login}Content-Length: 1000\r\n\r\n{"email":"`);
    let among = await measure();
    // Again while the machine is busy with other things.
    for (let i = 0; i < 20 && among >= alone * 3; i += 1) among = Math.min(among, await measure());
    assert.ok(among < alone * 3, `${alone.toFixed()} ms alone, ${among.toFixed()} ms among them`);
    for (const connection of slow) {
      assert.ok(!connection.socket.closed);
      connection[Symbol.dispose]();
    }
  });
});

describe("connections", () => {
  test("are kept for the next request, for a while", async () => {
    await using server = await startLimited({ keepAliveTimeout: 100 });
    using connection = await connectRaw(server.url);
    for (let i = 0; i < 3; i += 1) {
      connection.socket.write(health);
      const answer = await connection.answer();
      works(answer);
      assert.equal(answer!.headers["connection"], "keep-alive");
    }
    await connection.closed;
  });

  test("are kept after every kind of refusal by the app", async () => {
    await using server = await startLimited();
    using connection = await connectRaw(server.url);
    for (const [start, status] of [
      ["GET /nope", 404],
      ["PATCH /api/v1/todos", 405],
      ["GET /api/v1/todos", 401],
    ] as const) {
      connection.socket.write(`${start} HTTP/1.1\r\nContent-Length: 3\r\n\r\nabc`);
      assert.equal((await connection.answer())?.status, status);
    }
    connection.socket.write(health);
    works(await connection.answer());
  });

  test("answer requests that were sent at once in their order", async () => {
    await using server = await startLimited();
    using connection = await connectRaw(server.url);
    const body = '{"email":"ada@example.org","password":"correct horse","name":"Ada"}';
    const register = "POST /api/v1/auth/register HTTP/1.1\r\n";
    // The first takes much longer than the others: it hashes a password.
    connection.socket.write(`${register}Content-Length: ${body.length}\r\n\r\n${body}`);
    connection.socket.write(`GET /nope HTTP/1.1\r\n\r\n${health}`);
    const statuses = [];
    for (let i = 0; i < 3; i += 1) statuses.push((await connection.answer())?.status);
    assert.deepEqual(statuses, [201, 404, 200]);
  });

  test("are bounded in number", async () => {
    await using server = await startLimited({ maxConnections: 3 });
    const held = [];
    for (let i = 0; i < 3; i += 1) {
      const connection = await connectRaw(server.url);
      connection.socket.write(health);
      works(await connection.answer());
      held.push(connection);
    }
    const isServed = async () => {
      const answer = await sendRaw(server.url, health);
      return answer?.status === 200;
    };
    assert.equal(await isServed(), false);
    held[0]![Symbol.dispose]();
    while (!(await isServed()));
    for (const connection of held) connection[Symbol.dispose]();
  });
});

describe("clients that vanish", () => {
  const bytes = (length: number) => "a".repeat(length);
  const requests: Record<string, string> = {
    "before they send anything": "",
    "within the head": "GET /health HTTP/1.1\r\nX:",
    "within the body": `${login}Content-Length: 1000\r\n\r\n{"email":`,
    "within a body that is too large": `${login}Content-Length: 9999999\r\n\r\n${bytes(9999)}`,
    "while a password is hashed": `${login}Content-Length: 36\r\n\r\n{"email":"a@b.org","password":"abc"}`,
    "within a large answer": "GET /api/v1/openapi.json HTTP/1.1\r\n\r\n".repeat(20),
    "after a malformed request": `nonsense\r\n\r\n${bytes(99_999)}`,
    "after too large a head": `GET /health HTTP/1.1\r\nX: ${bytes(999_999)}`,
    "after asking for a tunnel": `CONNECT a:1 HTTP/1.1\r\n\r\n${bytes(99_999)}`,
  };
  for (const [name, request] of Object.entries(requests)) {
    // An uncaught error or an unhandled rejection fails the test.
    test(`${name} do no harm`, async () => {
      await using server = await startLimited();
      await Promise.all(
        Array.from({ length: 30 }, async (_, i) => {
          const connection = await connectRaw(server.url);
          connection.socket.write(request);
          // Some are gone at once, some after a turn of the event loop, or after an answer.
          const turn = new Promise((resolve) => setImmediate(resolve));
          if (i % 3 > 0) await Promise.race([connection.answer(), turn]);
          if (i % 2 === 0) connection.socket.resetAndDestroy();
          else connection.socket.destroy();
        }),
      );
      works(await sendRaw(server.url, health));
      assert.deepEqual(
        server.log.filter((line) => line.includes("Request failed")),
        [],
      );
    });
  }
});
