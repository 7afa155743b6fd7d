import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { describe, test } from "node:test";
import { migrations } from "../migrations/index.ts";
import type { Caller } from "../src/services/actions.ts";
import { createPasswords } from "../src/services/passwords.ts";
import { createAdminServices } from "../src/services/services.ts";
import { createThrottle } from "../src/services/throttle.ts";
import * as adminUsers from "../src/storage/admin-users.ts";
import type { Database } from "../src/storage/database.ts";
import { type HostFs, nodeFs } from "../src/storage/host-fs.ts";
import type { Owner } from "../src/storage/owner.ts";
import * as users from "../src/storage/users.ts";
import { adminOf } from "./_admin.ts";
import { invalid, refused } from "./_expect.ts";
import { connectRaw } from "./_raw.ts";
import { startServer, temporaryFolder } from "./_server.ts";
import { sqlite3 } from "./_sqlite.ts";
import { fsWith, openNotes, systemError } from "./_storage.ts";
import { addUser, openStore } from "./_store.ts";

const password = "battery staple";

const operator: Caller = { owner: { id: "", seq: 0 }, scopes: [], ip: "", userAgent: "" };

function addTodos(db: Database, { seq }: Owner, count: number): void {
  db.run(
    `INSERT INTO todos (id, owner, title, title_folded, status, sync_enabled, reminder_enabled,
       recurring_enabled, created_at, updated_at)
     WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ?)
     SELECT i, ?, 't', 't', 'open', 1, 0, 0, '2026-11-20', '2026-11-20' FROM n`,
    [count, seq],
  );
}

/** Removes a user as the operator does. */
function removeUser(db: Database, { id }: Owner): unknown {
  const context = { db, now: Date.now, newId: randomUUID };
  const needs = { passwords: createPasswords(), throttle: createThrottle(Date.now) };
  const { users: service } = createAdminServices({ ...context, ...needs });
  return service.remove(operator, { params: { id }, query: undefined, body: undefined });
}

describe("the operator's users", { concurrency: 2 }, () => {
  test("are listed by e-mail, each with todos and working keys", async () => {
    await using server = await startServer();
    const zoe = await server.register({ email: "zoe@example.org" });
    const ada = await server.register({ email: "Ada@example.org" });
    await ada.client.todos.create({ body: { title: "one" } });
    const { data: done } = await ada.client.todos.create({ body: { title: "two" } });
    await ada.client.todos.update({ params: { id: done.id }, body: { status: "completed" } });
    await zoe.client.keys.create({ body: { expires_at: "2020-01-01 00:00:00" } });
    const { data: revoked } = await zoe.client.keys.create({ body: {} });
    await zoe.client.keys.remove({ params: { id: revoked.id } });
    await using admin = await adminOf(server.folder);
    const { data } = await admin.client.users.list();
    assert.deepEqual(
      data.map(({ email, todos, keys }) => [email, todos, keys]),
      [
        ["Ada@example.org", 2, 1],
        ["zoe@example.org", 0, 1],
      ],
    );
    assert.deepEqual(Object.keys(data[0]!), ["id", "email", "name", "created_at", "todos", "keys"]);
  });

  test("are found by e-mail in any case, and by the start of an id", async () => {
    await using server = await startServer();
    const ada = await server.register({ email: "ada@example.org" });
    await server.register();
    await using admin = await adminOf(server.folder);
    const find = async (user: string) =>
      (await admin.client.users.list({ query: { user } })).data.map(({ id }) => id);
    assert.deepEqual(await find("ADA@example.org"), [ada.user.id]);
    assert.deepEqual(await find(ada.user.id.toUpperCase()), [ada.user.id]);
    assert.deepEqual(await find(ada.user.id.slice(0, 8)), [ada.user.id]);
    assert.deepEqual(await find("nobody@example.org"), []);
    for (const text of ["abc", "ada", "%", ""]) await invalid(find(text), "user");
  });

  test("are added where registration is closed, and log in", async () => {
    await using server = await startServer({ registrationOpen: false });
    await using admin = await adminOf(server.folder);
    const body = { email: "ada@example.org", name: "Ada", password };
    const { data } = await admin.client.users.create({ body });
    assert.equal(data.keys, 0);
    const login = await server.client().auth.login({ body });
    assert.equal(login.data.user.id, data.id);
    await refused(admin.client.users.create({ body }), "conflict");
    await invalid(admin.client.users.create({ body: { ...body, password: "short" } }), "password");
  });

  test("keep their settings' default, like those who register", async () => {
    await using server = await startServer();
    await using admin = await adminOf(server.folder);
    const body = { email: "ada@example.org", name: "Ada", password };
    await admin.client.users.create({ body });
    const { data } = await server.client().auth.login({ body });
    const profile = await server.client({ key: data.api_key! }).profile.get();
    assert.deepEqual(profile.data.settings, { theme: "light" });
  });
});

describe("a password set by the operator", { concurrency: 2 }, () => {
  test("replaces the old one", async () => {
    await using server = await startServer();
    const { user, password: old } = await server.register();
    await using admin = await adminOf(server.folder);
    await admin.client.users.setPassword({ params: { id: user.id }, body: { password } });
    const login = (given: string) =>
      server.client().auth.login({ body: { email: user.email, password: given } });
    await refused(login(old), "unauthorized");
    await login(password);
  });

  test("ends every token from before, of that user alone, and none from after", async () => {
    await using server = await startServer();
    const [ada, eve] = [await server.register(), await server.register()];
    const tokenOf = async ({ user }: typeof ada, given: string) =>
      (await server.client().auth.jwtLogin({ body: { email: user.email, password: given } })).data
        .token;
    const refresh = (token: string) => server.client({ token }).auth.jwtRefresh();
    const before = await tokenOf(ada, ada.password);
    const refreshed = (await refresh(before)).data.token;
    const others = await tokenOf(eve, eve.password);
    await using admin = await adminOf(server.folder);
    await admin.client.users.setPassword({ params: { id: ada.user.id }, body: { password } });
    // The clock stands still: all of this is within one second.
    const after = await tokenOf(ada, password);
    await refused(refresh(before), "unauthorized");
    await refused(refresh(refreshed), "unauthorized");
    await refresh((await refresh(after)).data.token);
    await refresh(others);
  });

  test("ends tokens also when it is the same password again", async () => {
    await using server = await startServer();
    const { user, password: same } = await server.register();
    const body = { email: user.email, password: same };
    const { token } = (await server.client().auth.jwtLogin({ body })).data;
    await using admin = await adminOf(server.folder);
    await admin.client.users.setPassword({ params: { id: user.id }, body: { password: same } });
    await refused(server.client({ token }).auth.jwtRefresh(), "unauthorized");
  });

  test("leaves the keys, unless they are to be revoked", async () => {
    await using server = await startServer();
    const [ada, eve] = [await server.register(), await server.register()];
    await ada.client.keys.create({ body: { expires_at: "2020-01-01 00:00:00" } });
    const { data: second } = await ada.client.keys.create({ body: {} });
    await using admin = await adminOf(server.folder);
    const set = async (revoke_keys: boolean) => {
      const request = { params: { id: ada.user.id }, body: { password, revoke_keys } };
      return (await admin.client.users.setPassword(request)).data;
    };
    assert.deepEqual(await set(false), { revoked_keys: 0 });
    await ada.client.todos.list();
    assert.deepEqual(await set(true), { revoked_keys: 2 });
    await refused(ada.client.todos.list(), "unauthorized");
    await refused(server.client({ key: second.key }).todos.list(), "unauthorized");
    await eve.client.todos.list();
  });

  test("lets a user in who was locked out by failures, and nobody else", async () => {
    await using server = await startServer();
    const [ada, eve] = [await server.register(), await server.register()];
    const login = ({ user }: typeof ada, given: string) =>
      server.client().auth.login({ body: { email: user.email, password: given } });
    for (const one of [ada, eve]) {
      for (let i = 0; i < 10; i += 1) await refused(login(one, "wrong"), "unauthorized");
      await refused(login(one, one.password), "too_many_requests");
    }
    await using admin = await adminOf(server.folder);
    await admin.client.users.setPassword({ params: { id: ada.user.id }, body: { password } });
    await login(ada, password);
    await refused(login(eve, eve.password), "too_many_requests");
  });

  test("is refused for nobody, and when it is none", async () => {
    await using server = await startServer();
    const { user } = await server.register();
    await using admin = await adminOf(server.folder);
    const set = (id: string, given: string) =>
      admin.client.users.setPassword({ params: { id }, body: { password: given } });
    await refused(set("0b9f2f6c-7d0f-4c53-9a0e-0f6a3f1f7c11", password), "not_found");
    await invalid(set(user.id, "short"), "password");
  });
});

describe("a user removed by the operator", { concurrency: 2 }, () => {
  test("is gone with everything, and nobody else is", async () => {
    using folder = temporaryFolder();
    {
      await using server = await startServer({ folder: folder.path });
      const [ada, eve] = [await server.register(), await server.register()];
      for (const { client } of [eve, ada]) {
        const { data: project } = await client.projects.create({ body: { name: "Home" } });
        const { data: category } = await client.categories.create({
          body: { name: "bills", color: "#8B5CF6" },
        });
        const links = { project_id: project.id, category_id: category.id };
        await client.todos.create({ body: { title: "Pay rent", ...links } });
        const task = { title: "Water", schedule: "daily" as const, category_id: category.id };
        await client.recurring.create({ body: task });
        const [theme] = (await client.catalogue.list()).data;
        await client.userThemes.create({ body: { theme_id: theme!.id } });
      }
      const body = { email: ada.user.email, password: ada.password };
      const { token } = (await server.client().auth.jwtLogin({ body })).data;
      await using admin = await adminOf(folder.path);
      const remove = () => admin.client.users.remove({ params: { id: ada.user.id } });
      await remove();
      await refused(remove(), "not_found");
      await refused(ada.client.todos.list(), "unauthorized");
      await refused(server.client({ token }).auth.jwtRefresh(), "unauthorized");
      assert.equal((await eve.client.todos.list()).data.length, 1);
      assert.equal((await eve.client.userThemes.list()).data.length, 1);
    }
    const tables = ["users", "api_keys", "categories", "projects", "todos", "recurring_tasks"]
      .concat("todo_categories", "recurring_task_categories", "user_themes")
      .concat("todo_totals WHERE total > 0");
    for (const table of tables) {
      assert.deepEqual(sqlite3(folder.path, `SELECT count(*) FROM ${table}`), ["1"], table);
    }
    assert.deepEqual(sqlite3(folder.path, "SELECT count(DISTINCT owner) FROM activity_logs"), [
      "1",
    ]);
    assert.deepEqual(sqlite3(folder.path, "SELECT count(DISTINCT owner) FROM todo_totals"), ["1"]);
    assert.deepEqual(sqlite3(folder.path, "PRAGMA foreign_key_check; PRAGMA integrity_check"), [
      "ok",
    ]);
  });

  test("can register again, and finds nothing of before", async () => {
    await using server = await startServer();
    const email = "ada@example.org";
    const first = await server.register({ email });
    await first.client.todos.create({ body: { title: "old" } });
    await using admin = await adminOf(server.folder);
    await admin.client.users.remove({ params: { id: first.user.id } });
    const second = await server.register({ email });
    const { data, pagination } = await second.client.todos.list();
    assert.deepEqual([data, pagination.total], [[], 0]);
    assert.deepEqual((await second.client.activity.list()).data, []);
  });

  test("leaves nothing that was remembered to the next user, whose number is the same", async () => {
    await using server = await startServer();
    const ada = await server.register();
    const color = "#000000";
    const { data: category } = await ada.client.categories.create({ body: { name: "a", color } });
    const { data: project } = await ada.client.projects.create({ body: { name: "a" } });
    const body = { title: "t", category_id: category.id };
    await ada.client.todos.create({ body: { ...body, project_id: project.id } });
    await using admin = await adminOf(server.folder);
    await admin.client.users.remove({ params: { id: ada.user.id } });
    const { todos } = (await server.register()).client;
    assert.deepEqual((await todos.create({ body })).data.categories, []);
    await invalid(todos.create({ body: { title: "t", project_id: project.id } }), "project_id");
  });

  test("while a request of theirs arrives writes nothing as the next user", async () => {
    await using server = await startServer();
    const ada = await server.register();
    using connection = await connectRaw(server.url);
    const body = JSON.stringify({ title: "late" });
    const head = [
      "POST /api/v1/todos HTTP/1.1",
      `X-API-Key: ${ada.key}`,
      `Content-Length: ${body.length}`,
      "Expect: 100-continue",
    ];
    connection.socket.write(`${head.join("\r\n")}\r\n\r\n`);
    assert.equal((await connection.answer())?.status, 100);
    await using admin = await adminOf(server.folder);
    await admin.client.users.remove({ params: { id: ada.user.id } });
    const next = await server.register();
    connection.socket.write(body);
    assert.equal((await connection.answer())?.status, 401);
    assert.deepEqual((await next.client.todos.list()).data, []);
    assert.deepEqual((await next.client.activity.list()).data, []);
  });

  test("is of no use as soon as some is gone, and a second call removes the rest", async () => {
    await using store = await openStore();
    const { db } = store;
    const [ada, eve] = [store.owner(), store.owner()];
    const countsOf = ({ id }: { id: string }) =>
      adminUsers.list(db, id, "2026-11-20 12:00:00").map(({ todos, keys }) => ({ todos, keys }));
    for (const owner of [ada, eve]) {
      addTodos(db, owner, 5001);
      db.run(
        `INSERT INTO api_keys (id, owner, hash, prefix, name, scopes, created_at)
         VALUES ('k', ?1, ?1, 'p', 'n', '[]', '2026-11-20')`,
        [owner.seq],
      );
    }
    let calls = 0;
    function removal<T>(action: () => T): T {
      calls += 1;
      if (calls === 2) throw new Error("The disk failed.");
      return db.removal(action);
    }
    await assert.rejects(async () => removeUser({ ...db, removal }, ada), /The disk failed/);
    assert.deepEqual(countsOf(ada), [{ todos: 1, keys: 0 }]);
    assert.equal(users.find(db, ada.id)?.passwordHash, "!");
    await removeUser(db, ada);
    assert.deepEqual(countsOf(ada), []);
    assert.deepEqual(countsOf(eve), [{ todos: 5001, keys: 1 }]);
  });

  test("is removed in vain but once when the disk is full", async (t) => {
    let isFull = false;
    const writeSync = ((...write: Parameters<typeof nodeFs.writeSync>) => {
      if (isFull) throw systemError("ENOSPC");
      return nodeFs.writeSync(...write);
    }) as HostFs["writeSync"];
    const db = await openNotes(t, { migrations, fs: fsWith({ writeSync }) });
    const ada = addUser(db);
    addTodos(db, ada, 5001);
    await db.durable();
    let calls = 0;
    function removal<T>(action: () => T): T {
      calls += 1;
      assert.equal(calls, 1, "tried again");
      return db.removal(action);
    }
    isFull = true;
    await assert.rejects(async () => removeUser({ ...db, removal }, ada), { code: "full" });
    isFull = false;
    await removeUser(db, ada);
    assert.equal(users.find(db, ada.id), undefined);
  });
});
