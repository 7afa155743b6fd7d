import assert from "node:assert/strict";
import { Agent, request as httpRequest } from "node:http";
import { after, before, describe, test } from "node:test";
import * as fc from "fast-check";
import { createClient } from "../src/client/client.ts";
import { errorStatus } from "../src/contract/errors.ts";
import { type Instance, openInstance } from "../src/server/instance.ts";
import { type Listener, listen } from "../src/server/listen.ts";
import { createLog } from "../src/server/log.ts";
import { openDatabase } from "../src/storage/database.ts";
import { linesInto } from "./_log-lines.ts";
import { hostileBytes } from "./_hostile-bytes.ts";
import { type HostileRequest, hostileRequest } from "./_hostile.ts";
import { sendRaw } from "./_raw.ts";
import { makeRecords } from "./_records.ts";
import { type TestServer, type TestUser, temporaryFolder } from "./_server.ts";

interface Answer {
  status: number;
  type: string | null;
  text: string;
}

const statuses = new Set<number>([200, 201, ...Object.values(errorStatus)]);
/** What no answer may give away. */
const internal = /sqlite|node_modules|node:internal|\.ts:\d|\n\s+at |no such|syntax error|\/tmp\//i;

/** Every answer is one of the contract's, and tells nothing of the machine. */
function check({ status, type, text }: Answer, method: string): void {
  assert.ok(statuses.has(status) && status < 500, `${status} ${text}`);
  if (method === "HEAD") {
    assert.equal(text, "");
    return;
  }
  if (method === "OPTIONS" && status === 200) {
    assert.equal(text, "");
    return;
  }
  assert.equal(type, "application/json;charset=UTF-8");
  assert.doesNotMatch(text, internal);
  const body = JSON.parse(text);
  const keys = Object.keys(body).join();
  if (status < 400) assert.match(keys, /^(success,message,data(,pagination)?|status,.*|name,.*)$/);
  else assert.match(keys, /^(success,message(,errors)?|error,message)$/);
  if (keys.startsWith("success")) assert.equal(body.success, status < 400);
  if (status >= 400) assert.equal(typeof body.message, "string");
}

describe("hostile requests", () => {
  const folder = temporaryFolder();
  const log: string[] = [];
  const agent = new Agent({ keepAlive: true });
  let instance: Instance;
  let listener: Listener;
  let hostile: fc.Arbitrary<HostileRequest>;
  let user: () => Promise<TestUser>;

  before(async () => {
    instance = await openInstance({
      folder: folder.path,
      log: createLog({ format: "json", level: "error", write: linesInto(log), now: Date.now }),
      passwordCost: 4,
    });
    listener = await listen(instance.app, { host: "127.0.0.1", port: 0 });
    const client: TestServer["client"] = (credentials = {}) =>
      createClient({ server: listener.url, ...credentials });
    let users = 0;
    user = async () => {
      users += 1;
      const password = "correct horse";
      const body = { email: `${users}@example.org`, password, name: "Ada" };
      const { data } = await client().auth.register({ body });
      return {
        user: data.user,
        key: data.api_key,
        password,
        client: client({ key: data.api_key }),
      };
    };
    const [ada, grace] = [await user(), await user()];
    const readOnly = await ada.client.keys.create({ body: { scopes: ["read"] } });
    const server = { client } as TestServer;
    const records = await Promise.all([makeRecords(server, ada), makeRecords(server, grace)]);
    const ids = records.flatMap((all) => Object.values(all));
    hostile = hostileRequest({ ids, keys: [ada.key, ada.key, ada.key, readOnly.data.key] });
  });

  after(async () => {
    agent.destroy();
    await listener.close(10_000);
    await instance.close();
    const db = await openDatabase({ folder: folder.path });
    try {
      assert.deepEqual(db.get("PRAGMA integrity_check"), { integrity_check: "ok" });
      assert.equal(db.get("PRAGMA foreign_key_check"), undefined);
    } finally {
      await db.close();
      folder[Symbol.dispose]();
    }
  });

  /** A new user can do what users do, and nothing unexpected has happened. */
  async function stillWorks(): Promise<void> {
    const { client } = await user();
    const { data } = await client.todos.create({ body: { title: "still there" } });
    assert.equal((await client.todos.get({ params: { id: data.id } })).data.title, "still there");
    assert.equal((await client.todos.list()).pagination.total, 1);
    assert.deepEqual(log, []);
  }

  function send({ method, target, headers, body }: HostileRequest): Promise<Answer> {
    return new Promise((resolve, reject) => {
      // Node's client would send the body of a HEAD without its length.
      const length = body === undefined ? {} : { "content-length": body.length };
      const options = { method, path: target, headers: { ...headers, ...length }, agent };
      const request = httpRequest(`${listener.url}/`, options);
      request.on("error", reject);
      request.on("response", (response) => {
        const chunks: Buffer[] = [];
        response.on("data", (chunk: Buffer) => chunks.push(chunk));
        response.on("end", () => {
          const text = Buffer.concat(chunks).toString();
          const type = response.headers["content-type"] ?? null;
          resolve({ status: response.statusCode!, type, text });
        });
      });
      request.end(body);
    });
  }

  test("over a socket get an answer of the contract", async () => {
    const property = fc.asyncProperty(hostile, async (request) => {
      check(await send(request), request.method);
    });
    await fc.assert(property, { numRuns: 3000 });
    await stillWorks();
  });

  test("in process get an answer of the contract", async () => {
    const property = fc.asyncProperty(hostile, async ({ method, target, headers, body }) => {
      const url = `http://localhost${target}`;
      const isEmpty = body === undefined || method === "GET" || method === "HEAD";
      const response = await instance.app.fetch(
        new Request(url, { method, headers, ...(!isEmpty && { body: new Uint8Array(body) }) }),
      );
      const type = response.headers.get("content-type");
      check({ status: response.status, type, text: await response.text() }, method);
    });
    await fc.assert(property, { numRuns: 2000 });
    await stillWorks();
  });

  test("with a malformed head get an answer of the contract", async () => {
    const property = fc.asyncProperty(hostileBytes(), async (bytes) => {
      const answer = await sendRaw(listener.url, bytes, { isFinal: true });
      assert.ok(answer, "the connection was closed without an answer");
      const method = /^[A-Z]* /.exec(bytes.toString("latin1"))?.[0].trim() ?? "";
      check({ ...answer, type: answer.headers["content-type"] ?? null, text: answer.body }, method);
      assert.equal(answer.headers["access-control-allow-origin"], "*");
    });
    await fc.assert(property, { numRuns: 1500 });
    await stillWorks();
  });
});
