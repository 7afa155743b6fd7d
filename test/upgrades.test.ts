import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { copyFileSync, readFileSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { migrations } from "../migrations/index.ts";
import { createClient } from "../src/client/client.ts";
import { openDatabase } from "../src/storage/database.ts";
import { createHome } from "./_cli.ts";
import { runCommand, startProcess } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";
import { sqlite3 } from "./_sqlite.ts";
import { makeFolder, snapshot } from "./_storage.ts";

const fixtures = fileURLToPath(new URL("fixtures/", import.meta.url));

/** The user of the fixtures; see build/fixtures.ts. */
const key = "todo_Pe2ZmBWfpq5VV4GArqxvrzwZ5juXO0dE4FUoZS";
const login = { email: "ada@example.org", password: "correct horse" };

const titles = ["Pay rent", "Grüße schreiben"];

const latest = migrations.at(-1)!.version;

function place(version: number, folder: string): void {
  copyFileSync(join(fixtures, `schema-${version}.db`), join(folder, "todo.db"));
}

/** Where a database file keeps the version of its schema (`user_version`). */
const versionOffset = 60;
const versionOf = (path: string) => readFileSync(path).readUInt32BE(versionOffset);

describe("a data folder of an earlier version", { concurrency: 2 }, () => {
  test("is there for each version of the schema (node --import tsx build/fixtures.ts)", () => {
    const wanted = migrations.map(({ version }) => `schema-${version}.db`);
    assert.deepEqual(readdirSync(fixtures).toSorted(), wanted.toSorted());
    for (const { version } of migrations) {
      assert.equal(versionOf(join(fixtures, `schema-${version}.db`)), version);
    }
  });

  for (const { version } of migrations) {
    test(`of schema ${version} is served with all that is in it`, async () => {
      using folder = temporaryFolder();
      place(version, folder.path);
      await using server = await startProcess({ folder: folder.path });
      const client = createClient({ server: server.url, key });
      const todos = (await client.todos.list()).data;
      assert.deepEqual(
        todos.map(({ title, status, due_date }) => `${title} ${status} ${due_date}`).toSorted(),
        ["Grüße schreiben done 2026-11-30", "Pay rent open 2026-11-30"],
      );
      assert.equal((await client.projects.list()).data[0]!.name, "Home");
      assert.equal((await client.categories.list()).data[0]!.name, "Bills");
      assert.equal((await client.recurring.list()).data[0]!.title, "Water plants");
      assert.equal((await client.activity.list()).data[0]!.action, "todo_created");
      assert.ok((await client.catalogue.list()).data.some(({ name }) => name === "nord"));
      assert.equal((await client.auth.login({ body: login })).data.user.name, "Ada");
      await client.todos.create({ body: { title: "new" } });
      server.kill("SIGTERM");
      assert.deepEqual(await server.exit, { code: 0, signal: null });
      assert.equal(versionOf(join(folder.path, "todo.db")), latest);
      assert.deepEqual(sqlite3(folder.path, "PRAGMA integrity_check"), ["ok"]);
    });
  }

  for (const { version } of migrations.slice(0, -1)) {
    test(`of schema ${version} is copied first, and the log says where to`, async () => {
      using folder = temporaryFolder();
      place(version, folder.path);
      await using server = await startProcess({ folder: folder.path });
      const backup = join(folder.path, `todo.db.v${version}.bak`);
      assert.match(server.stderr[0]!, new RegExp(`from version ${version} to ${latest}; .*`));
      assert.ok(server.stderr[0]!.endsWith(` ${backup}`), server.stderr[0]);
      assert.equal(versionOf(backup), version);
      // It is a database that can be put back.
      using restored = temporaryFolder();
      copyFileSync(backup, join(restored.path, "todo.db"));
      assert.deepEqual(sqlite3(restored.path, "SELECT title FROM todos ORDER BY seq"), titles);
    });
  }

  test("is brought up to date by a command without a server, which says so", async () => {
    using home = createHome();
    using folder = temporaryFolder();
    place(1, folder.path);
    const env = { TODO_DATA: folder.path };
    const { code, stderr } = await home.run(["list"], { env });
    assert.equal(code, 0, stderr);
    assert.match(stderr, /from version 1 to \d+; .*todo\.db\.v1\.bak/);
  });
});

describe("a data folder of a later version", () => {
  test("is refused, and left as it is to the byte", async (t) => {
    const folder = makeFolder(t);
    const database = readFileSync(join(fixtures, `schema-${latest}.db`));
    database.writeUInt32BE(latest + 1, versionOffset);
    writeFileSync(join(folder, "todo.db"), database);
    const before = snapshot(folder);
    for (const args of [["serve", "--port", "0"], ["list"]]) {
      const { code, stderr } = await runCommand([...args, "--data", folder]);
      assert.equal(code, 1);
      assert.match(stderr, /^todo: [^\n]*newer/i);
      assert.deepEqual(snapshot(folder), before);
    }
  });
});

describe("an upgrade that breaks off", () => {
  const next = latest + 1;
  const steps = (up: string) => [...migrations, { version: next, name: "next", up }];

  function assertIsAsBefore(folder: string): void {
    assert.equal(versionOf(join(folder, "todo.db")), latest);
    assert.equal(versionOf(join(folder, `todo.db.v${latest}.bak`)), latest);
    assert.deepEqual(sqlite3(folder, "PRAGMA integrity_check"), ["ok"]);
    assert.deepEqual(sqlite3(folder, "SELECT name FROM sqlite_schema WHERE name = 'half'"), []);
    assert.deepEqual(sqlite3(folder, "SELECT title FROM todos ORDER BY seq"), titles);
  }

  test("because its step fails leaves the version before, and its copy", async (t) => {
    const folder = makeFolder(t);
    place(latest, folder);
    const failing = steps("CREATE TABLE half (a); INSERT INTO nowhere VALUES (1);");
    await assert.rejects(openDatabase({ folder, migrations: failing }), { code: "failed" });
    await (await openDatabase({ folder })).close();
    assertIsAsBefore(folder);
  });

  test("because it is killed leaves the version before, and its copy", async (t) => {
    const folder = makeFolder(t);
    place(latest, folder);
    // It would take hours.
    const endless = `CREATE TABLE half (a);
      INSERT INTO half WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 1e12)
        SELECT zeroblob(1000) FROM n WHERE i % 100 = 0;`;
    const script = `
      import { openDatabase } from "./src/storage/database.ts";
      const [folder, migrations] = JSON.parse(process.env.UPGRADE);
      await openDatabase({ folder, migrations, cacheKiB: 256 });`;
    const child = spawn(
      process.execPath,
      ["--import", "tsx", "--input-type=module", "--eval", script],
      {
        cwd: fileURLToPath(new URL("..", import.meta.url)),
        env: { ...process.env, UPGRADE: JSON.stringify([folder, steps(endless)]) },
      },
    );
    const exit = once(child, "exit");
    t.after(() => child.kill("SIGKILL"));
    // The step is at work when the log grows.
    const log = join(folder, "todo.wal");
    const size = () => statSync(log, { throwIfNoEntry: false })?.size ?? 0;
    while (size() < 100_000 && child.exitCode === null) await sleep(5);
    child.kill("SIGKILL");
    assert.deepEqual(await exit, [null, "SIGKILL"]);
    await (await openDatabase({ folder })).close();
    assertIsAsBefore(folder);
  });
});
