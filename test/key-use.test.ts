import assert from "node:assert/strict";
import { statSync } from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import { adminOf } from "./_admin.ts";
import { refused } from "./_expect.ts";
import { type TestServer, type TestUser, startServer, temporaryFolder } from "./_server.ts";

const minute = 60_000;

describe("last_used_at", () => {
  let server: TestServer;
  let ada: TestUser;
  before(async () => {
    server = await startServer();
    ada = await server.register();
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (body: object) => (await ada.client.keys.create({ body })).data;
  const list = async () => (await ada.client.keys.list()).data;
  const works = async (key: string) =>
    (await server.request("GET", "/api/v1/todos", { key })).status === 200;

  /** Waits until the listing shows what is wanted; the 2 s of the contract, on a busy machine. */
  async function soon(condition: () => Promise<boolean>): Promise<void> {
    const started = performance.now();
    while (!(await condition())) {
      assert.ok(performance.now() - started < 30_000, "not visible");
      await delay(20);
    }
  }
  const logBytes = () => statSync(join(server.folder, "todo.wal")).size;
  const lastUsed = async (id: string) => (await list()).find((key) => key.id === id)!.last_used_at;

  test("is visible soon after a use", async () => {
    const { id, key } = await create({});
    assert.equal(await lastUsed(id), null);
    assert.ok(await works(key));
    await soon(async () => (await lastUsed(id)) === "2026-11-20 12:00:00");
  });

  test("is not touched by a use that is refused", async () => {
    const { id, key } = await create({ expires_at: "1999-01-01 00:00:00" });
    const { id: other, key: used } = await create({});
    assert.ok(!(await works(key)));
    assert.ok(await works(used));
    await soon(async () => (await lastUsed(other)) !== null);
    assert.equal(await lastUsed(id), null);
  });

  test("costs a read no write of its own", async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => create({ scopes: ["read"] })));
    const unused = logBytes();
    for (let round = 0; round < 3; round += 1) {
      for (const { key } of keys) assert.ok(await works(key));
    }
    await soon(async () => (await lastUsed(keys[19]!.id)) !== null);
    await soon(async () => (await lastUsed(keys[0]!.id)) !== null);
    const frame = 4096 + 24;
    assert.ok(logBytes() - unused < keys.length * frame, `${logBytes() - unused}`);
    assert.ok(logBytes() > unused);

    const settled = logBytes();
    for (const { key } of keys) assert.ok(await works(key));
    assert.equal(logBytes(), settled);
  });
});

test("a use by a user who is removed is not the next one's", async () => {
  await using server = await startServer();
  const ada = await server.register();
  await ada.client.todos.list();
  await using admin = await adminOf(server.folder);
  await admin.client.users.remove({ params: { id: ada.user.id } });
  const { user, password } = await server.register();
  const { data: reader } = await server
    .client()
    .auth.apiKey({ body: { email: user.email, password, name: "reader" } });
  const lastUsed = async () => {
    const { data } = await server.client({ key: reader.key }).keys.list();
    return Object.fromEntries(data.map((key) => [key.name, key.last_used_at]));
  };
  // Written down together with the use by the user who is gone, or later.
  while ((await lastUsed()).reader === null) await delay(20);
  assert.equal((await lastUsed()).Registration, null);
});

describe("keys after a clean restart", () => {
  /** Runs each step in a server of its own on one folder; the clock starts anew each time. */
  async function inTurns(...steps: ((server: TestServer) => Promise<void>)[]): Promise<void> {
    using folder = temporaryFolder();
    for (const step of steps) {
      await using one = await startServer({ folder: folder.path });
      await step(one);
    }
  }
  const lastUsed = async (one: TestServer, reader: string, prefix: string) => {
    const { data } = await one.client({ key: reader }).keys.list();
    return data.find((key) => key.key_prefix === prefix)!.last_used_at;
  };

  test("work as before, revoked ones stay so, and uses are kept", async () => {
    let ada: TestUser;
    let keys: { id: string; key: string; prefix: string }[];
    await inTurns(
      async (one) => {
        ada = await one.register();
        const make = async (body: object) => (await ada.client.keys.create({ body })).data;
        keys = [await make({}), await make({}), await make({ scopes: ["read"] })];
        await ada.client.keys.remove({ params: { id: keys[1]!.id } });
        await one.client({ key: keys[0]!.key }).todos.list();
      },
      async (one) => {
        assert.equal(await lastUsed(one, ada.key, keys[0]!.prefix), "2026-11-20 12:00:00");
        assert.equal(await lastUsed(one, ada.key, keys[2]!.prefix), null);
        await refused(one.client({ key: keys[1]!.key }).todos.list(), "unauthorized");
        const reader = one.client({ key: keys[2]!.key });
        await reader.todos.list();
        await refused(reader.todos.create({ body: { title: "x" } }), "forbidden");
      },
    );
  });

  test("have last_used_at moved by whole minutes only", async () => {
    let ada: TestUser;
    let used: { key: string; prefix: string };
    const use = (one: TestServer) => one.client({ key: used.key }).todos.list();
    await inTurns(
      async (one) => {
        ada = await one.register();
        used = (await ada.client.keys.create({ body: {} })).data;
        await use(one);
      },
      async (one) => {
        one.advance(minute - 1000);
        await use(one);
      },
      async (one) => {
        assert.equal(await lastUsed(one, ada.key, used.prefix), "2026-11-20 12:00:00");
        one.advance(minute);
        await use(one);
      },
      async (one) => {
        assert.equal(await lastUsed(one, ada.key, used.prefix), "2026-11-20 12:01:00");
      },
    );
  });
});
