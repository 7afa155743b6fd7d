import assert from "node:assert/strict";
import { createHash, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { crc32 } from "node:zlib";
import { generateKey, isKey } from "../src/services/api-key.ts";
import { failure, invalid, refused } from "./_expect.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const minute = 60_000;
const path = "/api/v1/user/api-keys";

describe("the form of a key", () => {
  test("is todo_, 32 random characters and the CRC-32 of both in base62", () => {
    const { key } = generateKey();
    assert.match(key, /^todo_[0-9A-Za-z]{38}$/);
    let checksum = 0;
    for (const digit of key.slice(-6)) checksum = checksum * 62 + digits.indexOf(digit);
    assert.equal(checksum, crc32(key.slice(0, -6)));
  });

  test("shows its first 12 characters as prefix, and hashes by SHA-256", () => {
    const { key, prefix, hash } = generateKey();
    assert.equal(prefix, key.slice(0, 12));
    assert.equal(hash, createHash("sha256").update(key).digest("hex"));
  });

  test("is random in every place", () => {
    const keys = Array.from({ length: 2000 }, () => generateKey().key);
    assert.equal(new Set(keys).size, keys.length);
    for (let place = 5; place < 37; place += 1) {
      assert.equal(new Set(keys.map((key) => key[place])).size, digits.length);
    }
  });

  test("tells a typo without a look-up", () => {
    const { key } = generateKey();
    assert.ok(isKey(key));
    for (let place = 0; place < key.length; place += 1) {
      const other = key[place] === "x" ? "y" : "x";
      assert.ok(!isKey(key.slice(0, place) + other + key.slice(place + 1)), String(place));
      assert.ok(!isKey(key.slice(0, place) + key.slice(place + 1)), String(place));
    }
    for (const text of ["", ` ${key}`, `${key}\n`, key.toUpperCase(), key + key]) {
      assert.ok(!isKey(text), text);
    }
  });
});

describe("keys", () => {
  let server: TestServer;
  let ada: TestUser;
  before(async () => {
    server = await startServer();
    ada = await server.register();
  });
  after(() => server[Symbol.asyncDispose]());

  const create = async (body: object, { client } = ada) =>
    (await client.keys.create({ body })).data;
  const list = async ({ client } = ada) => (await client.keys.list()).data;
  const revoke = (id: string, { client } = ada) => client.keys.remove({ params: { id } });
  const works = async (key: string) =>
    (await server.request("GET", "/api/v1/todos", { key })).status === 200;

  describe("create", () => {
    test("answers 200 with the key, which is shown this once", async () => {
      const response = await server.request("POST", path, { key: ada.key, body: {} });
      assert.equal(response.status, 200);
      assert.equal(response.body.message, "API key created successfully");
      assert.ok(!response.headers.has("location"));
      const { data } = response.body;
      assert.deepEqual(Object.entries(data), [
        ["id", data.id],
        ["key", data.key],
        ["prefix", data.key.slice(0, 12)],
        ["name", "API Key"],
        ["scopes", ["read", "write"]],
        ["expires_at", null],
      ]);
      assert.ok(isKey(data.key));
      assert.ok(await works(data.key));
    });

    test("needs no body", async () => {
      const response = await server.request("POST", path, { key: ada.key });
      assert.equal(response.body.data.name, "API Key");
    });

    test("takes a name of up to 255 characters", async () => {
      for (const name of ["cron", "", "👣".repeat(255)]) {
        assert.equal((await create({ name })).name, name);
      }
      await invalid(create({ name: "a".repeat(256) }), "name");
      await invalid(create({ name: "a\0" }), "name");
      await invalid(create({ name: null }), "name");
    });

    test("takes scopes, each of which counts once", async () => {
      assert.deepEqual((await create({ scopes: ["read"] })).scopes, ["read"]);
      assert.deepEqual((await create({ scopes: ["write"] })).scopes, ["write"]);
      const { id, scopes } = await create({ scopes: ["write", "read", "write", "read"] });
      assert.deepEqual(scopes, ["write", "read"]);
      assert.deepEqual((await list()).find((key) => key.id === id)!.scopes, ["write", "read"]);
    });

    test("refuses scopes that are empty, unknown or no array", async () => {
      for (const scopes of [[], ["admin"], ["read", "READ"], "read", null, [null], {}]) {
        await invalid(create({ scopes }), "scopes");
      }
    });

    test("gives away no scope that the creating key lacks", async () => {
      const { key } = await create({ scopes: ["write"] });
      for (const body of [{}, { scopes: ["read"] }, { scopes: ["read", "write"] }]) {
        const response = await server.request("POST", path, { key, body });
        assert.equal(response.status, 403);
        assert.deepEqual(Object.keys(response.body), ["error", "message"]);
        assert.equal(response.body.error, "Forbidden");
      }
      const made = await server.request("POST", path, { key, body: { scopes: ["write"] } });
      assert.deepEqual(made.body.data.scopes, ["write"]);
    });

    test("finds a wrong shape before a scope that is lacking", async () => {
      const { key } = await create({ scopes: ["write"] });
      const body = { name: 5, scopes: ["read"] };
      failure(await server.request("POST", path, { key, body }), 422);
    });

    for (const [given, stored] of [
      ["2030-12-24 18:00:00", "2030-12-24 18:00:00"],
      ["2030-12-24T18:00:00Z", "2030-12-24 18:00:00"],
      ["2030-12-24t18:00:00z", "2030-12-24 18:00:00"],
      ["2030-12-24T18:00:00.999Z", "2030-12-24 18:00:00"],
      ["2030-12-24T00:30:00+01:00", "2030-12-23 23:30:00"],
      ["2030-12-31T23:00:00-02:30", "2031-01-01 01:30:00"],
      ["1999-01-01 00:00:00", "1999-01-01 00:00:00"],
      [null, null],
    ] as const) {
      test(`reads expires_at ${given} as ${stored}`, async () => {
        assert.equal((await create({ expires_at: given })).expires_at, stored);
      });
    }

    test("refuses an expires_at that does not exist or is no timestamp", async () => {
      for (const expires_at of [
        "2026-02-30 12:00:00",
        "2026-12-24 24:00:00",
        "2026-12-24 18:00:60",
        "2026-12-24T18:00:00",
        "2026-12-24T18:00:00+24:00",
        "2026-12-24",
        "9999-12-31T23:59:59-01:00",
        " 2026-12-24 18:00:00",
        "tomorrow",
        "",
        1_800_000_000,
        [],
      ]) {
        await invalid(create({ expires_at }), "expires_at");
      }
    });
  });

  describe("a key that expires", () => {
    test("works until then, and not in that second", async () => {
      await using own = await startServer();
      const { client } = await own.register();
      const body = { expires_at: "2026-11-20T13:01:00+01:00" };
      const { key } = (await client.keys.create({ body })).data;
      const status = async () => (await own.request("GET", "/api/v1/todos", { key })).status;
      own.advance(minute - 1);
      assert.equal(await status(), 200);
      own.advance(1);
      assert.equal(await status(), 401);
    });

    test("in the past is made, and simply does not work", async () => {
      const { key } = await create({ expires_at: "2026-11-20 11:59:59" });
      assert.ok(!(await works(key)));
    });
  });

  describe("list", () => {
    test("shows every field but the key and its hash", async () => {
      const grace = await server.register();
      const made = await create({ name: "cron", scopes: ["read"] }, grace);
      const { body, text } = await server.request("GET", path, { key: grace.key });
      assert.equal(body.message, "API keys retrieved successfully");
      assert.deepEqual(Object.keys(body), ["success", "message", "data"]);
      assert.deepEqual(Object.entries(body.data[0]), [
        ["id", made.id],
        ["key_prefix", made.prefix],
        ["name", "cron"],
        ["scopes", ["read"]],
        ["is_active", true],
        ["last_used_at", null],
        ["created_at", "2026-11-20 12:00:00"],
      ]);
      for (const { key } of [made, grace]) {
        assert.ok(!text.includes(key.slice(0, 13)));
        assert.ok(!text.includes(createHash("sha256").update(key).digest("hex")));
      }
    });

    test("shows the caller's keys, newest first, inactive and expired ones too", async () => {
      const grace = await server.register();
      const made = [
        await create({ name: "first" }, grace),
        await create({ name: "expired", expires_at: "1999-01-01 00:00:00" }, grace),
        await create({ name: "last" }, grace),
      ];
      await revoke(made[0]!.id, grace);
      const listed = await list(grace);
      assert.deepEqual(
        listed.map(({ name, is_active }) => [name, is_active]),
        [
          ["last", true],
          ["expired", true],
          ["first", false],
          ["Registration", true],
        ],
      );
    });
  });

  describe("remove", () => {
    test("answers null, and the key never works again", async () => {
      const { id, key } = await create({});
      assert.ok(await works(key));
      const response = await server.request("DELETE", `${path}/${id}`, { key: ada.key });
      assert.equal(response.status, 200);
      assert.deepEqual(Object.entries(response.body), [
        ["success", true],
        ["message", "API key revoked successfully"],
        ["data", null],
      ]);
      assert.ok(!(await works(key)));
    });

    test("of an inactive key is no error", async () => {
      const { id } = await create({});
      await revoke(id);
      assert.equal((await revoke(id)).data, null);
    });

    test("lets a key revoke itself", async () => {
      const { id, key } = await create({});
      await server.client({ key }).keys.remove({ params: { id } });
      assert.ok(!(await works(key)));
    });

    test("answers 404 for a key that is missing or another user's", async () => {
      const grace = await server.register();
      const [hers] = await list(grace);
      for (const unknown of [hers!.id, randomUUID(), "nonsense"]) {
        assert.equal((await refused(revoke(unknown), "not_found")).message, "API key not found");
      }
      assert.equal((await list(grace)).length, 1);
    });
  });
});
