import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { describe, test, type TestContext } from "node:test";

import { addNote, countNotes, makeFolder, openNotes } from "./_storage.ts";
import { startWriter } from "./_storage-writer.ts";

const has = (program: string): boolean => spawnSync(program, ["--version"]).status === 0;
const skip = !has("sqlite3");

/** What people try on a database, as arguments of sqlite3; FILE is the database. */
const commands: readonly (readonly string[])[] = [
  ["FILE", "SELECT count(*) FROM notes"],
  ["FILE", "INSERT INTO notes (text) VALUES ('foreign')"],
  ["FILE", "UPDATE notes SET text = 'foreign' || id"],
  ["FILE", "DELETE FROM notes"],
  ["FILE", "DROP TABLE notes"],
  ["FILE", "CREATE TABLE foreign_table (a)"],
  ["FILE", "PRAGMA journal_mode = DELETE"],
  ["FILE", "PRAGMA journal_mode = WAL; DELETE FROM notes"],
  ["FILE", "PRAGMA journal_mode = OFF; DELETE FROM notes"],
  ["FILE", "PRAGMA journal_mode = MEMORY; DELETE FROM notes"],
  ["FILE", "PRAGMA locking_mode = EXCLUSIVE; DELETE FROM notes"],
  ["FILE", "PRAGMA wal_checkpoint(TRUNCATE)"],
  ["FILE", "PRAGMA integrity_check"],
  ["FILE", "PRAGMA user_version = 99"],
  ["FILE", "PRAGMA writable_schema = ON; DELETE FROM sqlite_schema"],
  ["FILE", "VACUUM"],
  ["FILE", "VACUUM INTO 'FILE.copy'"],
  ["FILE", "REINDEX"],
  ["FILE", ".recover"],
  ["FILE", ".dump"],
  ["FILE", ".backup FILE.copy"],
  ["FILE", ".restore FILE.other"],
  ["-readonly", "FILE", "SELECT count(*) FROM notes"],
  ["-vfs", "unix-none", "FILE", "DELETE FROM notes"],
  ["-vfs", "unix-dotfile", "FILE", "DELETE FROM notes"],
  ["-vfs", "unix-excl", "FILE", "DELETE FROM notes"],
  ["file:FILE?nolock=1", "DELETE FROM notes"],
  ["file:FILE?immutable=1", "DELETE FROM notes"],
  ["FILE.other", "ATTACH 'FILE' AS live; DELETE FROM live.notes"],
];

function runAll(folder: string, between: (command: string) => void): void {
  const file = join(folder, "todo.db");
  spawnSync("sqlite3", [`${file}.other`, "CREATE TABLE notes (text)"]);
  for (const command of commands) {
    const args = command.map((arg) => arg.replaceAll("FILE", file));
    spawnSync("sqlite3", args, { timeout: 10_000 });
    between(command.join(" "));
  }
}

async function countAfterRestart(t: TestContext, folder: string): Promise<number> {
  const db = await openNotes(t, { folder });
  const [{ foreign }] = db.all<{ foreign: number }>(
    "SELECT count(*) AS 'foreign' FROM notes WHERE text LIKE 'foreign%'",
  ) as [{ foreign: number }];
  assert.equal(foreign, 0);
  assert.deepEqual(db.all("PRAGMA integrity_check"), [{ integrity_check: "ok" }]);
  return countNotes(db);
}

describe("another SQLite program", { skip }, () => {
  test("does no harm to a live database", async (t) => {
    const db = await openNotes(t);
    let written = 0;
    runAll(db.folder, (command) => {
      for (let number = 0; number < 20; number++) addNote(db, `note ${written++}`);
      assert.equal(countNotes(db), written, command);
    });
    await db.durable();
    await db.close();
    assert.equal(await countAfterRestart(t, db.folder), written);
  });

  test("does no harm to the files of a process that was killed", async (t) => {
    const folder = makeFolder(t);
    const writer = await startWriter(t, folder);
    await writer.reaches(1000);
    await writer.kill();
    runAll(folder, () => {});
    assert.ok((await countAfterRestart(t, folder)) >= writer.acknowledged.length);
  });

  test("that was waiting since before the start does no harm either", async (t) => {
    const first = await openNotes(t);
    addNote(first, "note");
    await first.close();
    const shell = startShell(t, first.folder);
    assert.equal(await shell.say("SELECT count(*) FROM notes;"), "1");

    const db = await openNotes(t, { folder: first.folder });
    assert.match(await shell.say("DELETE FROM notes;"), /unable to open/);
    addNote(db, "another note");
    await db.close();
    assert.equal(await shell.say("SELECT count(*) FROM notes;"), "2");
  });

  test("reads and changes the database once it is closed", async (t) => {
    const db = await openNotes(t);
    addNote(db, "note");
    await db.close();
    const sql = "INSERT INTO notes (text) VALUES ('theirs'); SELECT count(*) FROM notes";
    const { stdout } = spawnSync("sqlite3", [join(db.folder, "todo.db"), sql]);
    assert.equal(String(stdout), "2\n");
    assert.equal(countNotes(await openNotes(t, { folder: db.folder })), 2);
  });

  test("is kept out as well when it is Python's", { skip: !has("python3") }, async (t) => {
    const db = await openNotes(t);
    addNote(db, "note");
    const script = "import sqlite3, sys; sqlite3.connect(sys.argv[1]).execute('DELETE FROM notes')";
    const args = ["-c", script, join(db.folder, "todo.db")];
    const { stderr, status } = spawnSync("python3", args, { encoding: "utf8" });
    assert.notEqual(status, 0);
    assert.match(stderr, /unable to open database file/);
    assert.equal(countNotes(db), 1);
  });
});

/** A sqlite3 that stays open; it answers each statement with one line. */
function startShell(t: TestContext, folder: string): { say: (sql: string) => Promise<string> } {
  const shell = spawn("sqlite3", ["-batch", join(folder, "todo.db")], {
    stdio: ["pipe", "pipe", "pipe"],
  });
  t.after(() => shell.kill("SIGKILL"));
  const answers = [shell.stdout, shell.stderr].map((input) => createInterface({ input }));
  return {
    async say(sql) {
      const answer = Promise.race(answers.map((lines) => once(lines, "line")));
      shell.stdin.write(`${sql}\n`);
      return String((await answer)[0]);
    },
  };
}
