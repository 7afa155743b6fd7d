import assert from "node:assert/strict";
import { readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { type Home, createHome } from "./_cli.ts";
import { interruptCheck } from "./_endless-check.ts";
import { converse, start, startInTerminal, startServeProcess } from "./_running.ts";
import { snapshot, snapshotOfServed } from "./_snapshot.ts";

function dataOf(home: Home): string {
  return join(home.path, "data", "todo");
}

/** A home with a backup of one todo, after which another one was added. */
async function createHomeWithBackup(): Promise<Home & { backup: string }> {
  const home = createHome();
  const backup = join(home.path, "backup.db");
  await home.run(["add", "Buy milk"]);
  await home.run(["backup", backup]);
  await home.run(["add", "Pay rent"]);
  return { ...home, backup, [Symbol.dispose]: () => home[Symbol.dispose]() };
}

async function titles(home: Home): Promise<string[]> {
  const { stdout } = await home.run(["list", "--json"]);
  return (JSON.parse(stdout) as { title: string }[]).map(({ title }) => title);
}

describe("todo restore", { concurrency: 2 }, () => {
  test("brings back what was, and keeps what is replaced", async () => {
    using home = await createHomeWithBackup();
    const { code, stdout, stderr } = await home.run(["restore", home.backup, "--yes"]);
    assert.match(stderr, /^Restored 1 todo of 1 user into .*\nThe replaced database is kept as /);
    assert.deepEqual({ code, stdout }, { code: 0, stdout: "" });
    assert.deepEqual(await titles(home), ["Buy milk"]);
    const kept = /kept as (\S+)\.\n/.exec(stderr)![1]!;
    assert.equal((await home.run(["restore", kept, "--yes"])).code, 0);
    assert.deepEqual((await titles(home)).toSorted(), ["Buy milk", "Pay rent"]);
  });

  test("takes a backup from stdin", async () => {
    using home = await createHomeWithBackup();
    const { child, finished } = start(home, ["restore", "-", "--yes"]);
    child.stdin.end(readFileSync(home.backup));
    assert.equal((await finished).code, 0);
    assert.deepEqual(await titles(home), ["Buy milk"]);
  });

  test("ends at once for Ctrl-C while the backup is checked, and changes nothing", async () => {
    using home = await createHomeWithBackup();
    const before = snapshot(dataOf(home));
    const ended = await interruptCheck(home, ["restore", home.backup, "--yes"], ".incoming");
    assert.deepEqual(ended, { code: 130, stdout: "", stderr: "" });
    assert.deepEqual(snapshot(dataOf(home)), before);
  });

  test("asks before it replaces, and no leaves everything as it is", async () => {
    using home = await createHomeWithBackup();
    const before = snapshot(dataOf(home));
    const { code, stdout } = await converse(startInTerminal(home, ["restore", home.backup]), [
      ["Replace the database", "n\r"],
    ]);
    assert.match(stdout, /Nothing was changed\./);
    assert.equal(code, 1);
    assert.deepEqual(snapshot(dataOf(home)), before);
  });

  test("changes nothing when nobody can be asked", async () => {
    using home = await createHomeWithBackup();
    const before = snapshot(dataOf(home));
    const { code, stderr } = await home.run(["restore", home.backup]);
    assert.match(stderr, /--yes/);
    assert.equal(code, 2);
    assert.deepEqual(snapshot(dataOf(home)), before);
  });

  test("is refused while a server runs, and says how to stop it", async () => {
    using home = await createHomeWithBackup();
    await using server = await startServeProcess(home);
    const before = await snapshotOfServed(dataOf(home));
    const { code, stderr } = await home.run(["restore", home.backup, "--yes"]);
    assert.ok(stderr.includes(server.url), stderr);
    assert.match(stderr, /Stop it first.*Nothing was changed\.\n$/);
    assert.equal(code, 1);
    assert.deepEqual(snapshot(dataOf(home)), before);
  });

  test("of what is no backup is refused, and changes nothing", async () => {
    using home = await createHomeWithBackup();
    writeFileSync(home.backup, "Dear diary");
    const before = snapshot(dataOf(home));
    const { code, stderr } = await home.run(["restore", home.backup, "--yes"]);
    assert.match(stderr, /is not a database\. Nothing was changed\. Choose another backup\.\n$/);
    assert.equal(code, 1);
    assert.deepEqual(snapshot(dataOf(home)), before);
  });

  test("on a new machine asks nothing, and tells of the local account", async () => {
    using home = await createHomeWithBackup();
    const fresh = join(home.path, "fresh");
    const { code, stdout, stderr } = await home.run([
      "restore",
      home.backup,
      "--data",
      fresh,
      "--json",
    ]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /local-account\.json/);
    assert.equal((JSON.parse(stdout) as { replaced: unknown }).replaced, null);
    assert.deepEqual(readdirSync(fresh), ["todo.db"]);
  });

  test("says when the local account is not in the backup", async () => {
    using home = await createHomeWithBackup();
    renameSync(dataOf(home), join(home.path, "kept"));
    await home.run(["add", "Another account"]);
    const { code, stderr } = await home.run(["restore", home.backup, "--yes"]);
    assert.equal(code, 0, stderr);
    assert.match(stderr, /The local account is not in it\. The key in .*local-account\.json/);
  });
});
