import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { generateKey } from "../src/services/api-key.ts";
import { createCredentials } from "../src/services/credentials.ts";
import { createTokens } from "../src/services/tokens.ts";
import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import * as keys from "../src/storage/keys.ts";
import { createMemory } from "../src/storage/memory.ts";
import { fsWith, openNotes, systemError } from "./_storage.ts";
import { openStore } from "./_store.ts";

const start = Date.UTC(2026, 10, 20, 12);

describe("what was read", () => {
  test("is read again only after a change of one of its tables", async () => {
    await using store = await openStore();
    const { db } = store;
    const remember = createMemory<number>(["users", "api_keys"], 100);
    let reads = 0;
    const recall = () => remember(db, "key", () => (reads += 1));
    const owner = store.owner();
    assert.deepEqual([recall(), recall()], [1, 1]);
    db.run("UPDATE settings SET value = value");
    assert.equal(recall(), 1);
    db.run("UPDATE users SET name = ? WHERE seq = ?", ["Bea", owner.seq]);
    assert.equal(recall(), 2);
    db.transaction(() => {
      db.run("DELETE FROM api_keys WHERE owner = ?", [owner.seq]);
      assert.equal(recall(), 3);
    });
    assert.equal(recall(), 3);
  });

  test("is read again when a transaction was undone", async () => {
    await using store = await openStore();
    const { db } = store;
    const remember = createMemory<number>(["users"], 100);
    const users = () =>
      remember(db, "count", () => db.get<{ n: number }>("SELECT count(*) AS n FROM users")!.n);
    assert.equal(users(), 0);
    assert.throws(() =>
      db.transaction(() => {
        store.owner();
        assert.equal(users(), 1);
        throw new Error("undone");
      }),
    );
    assert.equal(users(), 0);
  });

  test("is read again when the batch in which it was read is lost", async (t) => {
    let isFull = false;
    const writeSync = ((
      fd: number,
      bytes: Uint8Array,
      from: number,
      length: number,
      at: number,
    ) => {
      if (isFull) throw systemError("ENOSPC");
      return nodeFs.writeSync(fd, bytes, from, length, at);
    }) as HostFs["writeSync"];
    const db = await openNotes(t, { fs: fsWith({ writeSync }) });
    const remember = createMemory<number>(["notes"], 100);
    const notes = () =>
      remember(db, "count", () => db.get<{ n: number }>("SELECT count(*) AS n FROM notes")!.n);
    db.transaction(() => db.run("INSERT INTO notes (text) VALUES (?)", ["lost"]));
    assert.equal(notes(), 1);
    isFull = true;
    await assert.rejects(async () => db.durable());
    isFull = false;
    assert.equal(notes(), 0);
  });

  test("is forgotten as a whole when it becomes too much", async () => {
    await using store = await openStore();
    const remember = createMemory<number>(["users"], 2);
    const recall = (key: string, value: number) => remember(store.db, key, () => value);
    recall("a", 1);
    recall("b", 1);
    assert.deepEqual([recall("c", 1), recall("a", 2), recall("c", 2)], [1, 2, 1]);
  });
});

describe("a remembered key", () => {
  async function open() {
    const store = await openStore();
    const owner = store.owner();
    const clock = { now: start };
    const context = { db: store.db, now: () => clock.now, newId: () => "" };
    const tokens = createTokens(context, Buffer.alloc(32));
    const credentials = createCredentials(context, tokens, () => {});
    const { key, hash, prefix } = generateKey();
    keys.insert(store.db, owner, {
      id: "1",
      hash,
      prefix,
      name: "key",
      scopes: ["read"],
      expiresAt: "2026-11-20 12:00:10",
      now: "2026-11-20 12:00:00",
    });
    const client = { ip: "127.0.0.1", userAgent: "" };
    const use = () => credentials.byKey(key, client).owner.id;
    assert.equal(use(), owner.id);
    return { store, owner, clock, use, [Symbol.asyncDispose]: store[Symbol.asyncDispose] };
  }

  test("is refused as soon as it is revoked", async () => {
    await using opened = await open();
    keys.deactivate(opened.store.db, opened.owner, "1");
    assert.throws(opened.use, { code: "unauthorized" });
  });

  test("is refused as soon as it has expired", async () => {
    await using opened = await open();
    opened.clock.now = start + 9999;
    opened.use();
    opened.clock.now = start + 10_000;
    assert.throws(opened.use, { code: "unauthorized" });
  });

  test("is refused as soon as its user is gone", async () => {
    await using opened = await open();
    opened.store.db.run("DELETE FROM users WHERE seq = ?", [opened.owner.seq]);
    assert.throws(opened.use, { code: "unauthorized" });
  });
});
