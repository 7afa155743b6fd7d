import assert from "node:assert/strict";
import { once } from "node:events";
import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { openDatabase } from "../src/storage/database.ts";
import { examineContents } from "../src/storage/examine.ts";
import * as settings from "../src/storage/settings.ts";
import { type Home, createHome } from "./_cli.ts";
import { interruptCheck } from "./_endless-check.ts";
import { runCommand } from "./_process.ts";
import { start, startServeProcess } from "./_running.ts";
import { temporaryFolder } from "./_server.ts";

/** What `todo backup --json` says. */
interface Said {
  file: string;
  bytes: number;
  todos: number;
  users: number;
}

function dataOf(home: Home): string {
  return join(home.path, "data", "todo");
}

/** A home of which only "backups" and "tmp" are looked at, so that nothing half-made hides. */
function foldersOf(home: Home): { backups: string; tmp: string } {
  const folders = { backups: join(home.path, "backups"), tmp: join(home.path, "tmp") };
  for (const path of Object.values(folders)) mkdirSync(path);
  return folders;
}

/** The program's loader has files of its own there. */
function draftsIn(folder: string): string[] {
  return readdirSync(folder).filter((name) => name.startsWith("todo-"));
}

describe("todo backup", { concurrency: 2 }, () => {
  let database: Buffer;
  before(async () => {
    using home = createHome();
    await home.run(["add", "Buy milk"]);
    database = readFileSync(join(dataOf(home), "todo.db"));
  });

  /** A home with a database of one todo. */
  function createFilledHome(): Home {
    const home = createHome();
    mkdirSync(dataOf(home), { recursive: true, mode: 0o700 });
    writeFileSync(join(dataOf(home), "todo.db"), database, { mode: 0o600 });
    return home;
  }

  test("writes one plain file for its owner alone, and says what is in it", async () => {
    using home = createFilledHome();
    const { backups } = foldersOf(home);
    const file = join(backups, "todo.db");
    const { code, stdout, stderr } = await home.run(["backup", file]);
    assert.match(stderr, /^Backed up .*: 1 todo of 1 user, \d+ kB, checked, in [\d.]+ s\.\n$/);
    assert.deepEqual({ code, stdout }, { code: 0, stdout: "" });
    assert.deepEqual(readdirSync(backups), ["todo.db"]);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.equal(readFileSync(file)[18], 1);
    assert.equal(examineContents(file).todos, 1);
    assert.deepEqual(readdirSync(dataOf(home)), ["todo.db"]);
  });

  test("of a running server holds what was acknowledged, and the server goes on", async () => {
    using home = createFilledHome();
    const { backups } = foldersOf(home);
    await using server = await startServeProcess(home);
    await home.run(["add", "Pay rent"]);
    const file = join(backups, "todo.db");
    const { code, stdout, stderr } = await home.run(["backup", file, "--json"]);
    assert.equal(code, 0, stderr);
    const said = JSON.parse(stdout) as Said;
    assert.deepEqual(
      [said.file, said.bytes, said.todos],
      [file, statSync(file).size, examineContents(file).todos],
    );
    assert.equal(said.todos, 2);
    assert.equal((await home.run(["health", server.url])).code, 0);
    const left = readdirSync(dataOf(home)).filter((name) => /before|part/.test(name));
    assert.deepEqual(left, []);
  });

  test("writes to a pipe only what is complete and checked", async () => {
    using home = createFilledHome();
    const { tmp, backups } = foldersOf(home);
    const backup = start(home, ["backup", "-"], { TMPDIR: tmp });
    const chunks: Buffer[] = [];
    // As bytes, before they are taken for text.
    backup.child.stdout.removeAllListeners("data");
    backup.child.stdout.setEncoding("latin1");
    backup.child.stdout.on("data", (text: string) => chunks.push(Buffer.from(text, "latin1")));
    assert.equal((await backup.finished).code, 0);
    writeFileSync(join(backups, "piped.db"), Buffer.concat(chunks));
    assert.equal(examineContents(join(backups, "piped.db")).todos, 1);
    assert.deepEqual(draftsIn(tmp), []);
  });

  test("writes nothing to a terminal", async () => {
    using home = createFilledHome();
    const { code, stdout } = await home.runInTerminal(["backup", "-"]);
    assert.match(stdout, /no text for a terminal/);
    assert.equal(code, 2);
  });

  test("replaces a file only when it is told to", async () => {
    using home = createFilledHome();
    const { backups } = foldersOf(home);
    const file = join(backups, "todo.db");
    writeFileSync(file, "precious");
    const refused = await home.run(["backup", file]);
    assert.match(refused.stderr, /exists\. .* --force/);
    assert.equal(refused.code, 1);
    assert.equal(readFileSync(file, "utf8"), "precious");
    assert.equal((await home.run(["backup", "--force", file])).code, 0);
    assert.equal(examineContents(file).todos, 1);
    assert.deepEqual(readdirSync(backups), ["todo.db"]);
  });

  test("takes no place that a backup must not have, not even by force", async () => {
    using home = createFilledHome();
    const { backups } = foldersOf(home);
    symlinkSync("elsewhere", join(backups, "link"));
    const places = [
      [backups, /is a folder/],
      [join(backups, "link"), /not a regular file/],
      [join(backups, "none", "todo.db"), /There is no folder/],
      [join(dataOf(home), "todo.db"), /belongs to the data folder/],
      [join(dataOf(home), "https-self-signed.pem"), /belongs to the data folder/],
      // The next start would take it for a restore.
      [join(dataOf(home), "todo.db.restored-monday"), /belongs to the data folder/],
    ] as const;
    for (const [place, says] of places) {
      const { code, stderr } = await home.run(["backup", "--force", place]);
      assert.match(stderr, says);
      assert.equal(code, 1);
    }
    assert.deepEqual(readFileSync(join(dataOf(home), "todo.db")), database);
    assert.deepEqual(readdirSync(backups), ["link"]);
  });

  test("says when there is no database, and makes none", async () => {
    using home = createHome();
    const { code, stderr } = await home.run(["backup", join(home.path, "todo.db")]);
    assert.match(stderr, /There is no database .* --data/);
    assert.equal(code, 3);
    assert.deepEqual(readdirSync(home.path), []);
  });

  test("of a folder that this user cannot look into says so", async () => {
    using folder = temporaryFolder();
    const closed = join(folder.path, "closed");
    mkdirSync(join(closed, "data"), { recursive: true });
    chmodSync(closed, 0);
    const args = ["backup", join(folder.path, "copy.db"), "--data", join(closed, "data")];
    const { code, stderr } = await runCommand(args, { unprivileged: true });
    assert.match(stderr, /may not be read or written \(EACCES\)/);
    assert.equal(code, 1);
    chmodSync(closed, 0o700);
  });

  test("of a damaged database is refused, and nothing is left of it", async () => {
    using home = createFilledHome();
    const { backups } = foldersOf(home);
    const path = join(dataOf(home), "todo.db");
    const damaged = Buffer.from(database).fill(0xff, 5 * 4096, 9 * 4096);
    writeFileSync(path, damaged);
    const { code, stderr } = await home.run(["backup", join(backups, "todo.db")]);
    assert.match(stderr, /^todo: The database is damaged[^\n]*\n$/);
    assert.equal(code, 1);
    assert.deepEqual(readdirSync(backups), []);
  });

  test("that finds no room says so, and leaves nothing", async () => {
    using home = createFilledHome();
    const { backups } = foldersOf(home);
    // A limit of the process's stands for a full disk: the system answers alike.
    const preload = join(home.path, "full.mjs");
    writeFileSync(
      preload,
      `import fs from "node:fs/promises";
       import { syncBuiltinESMExports } from "node:module";
       const { open } = fs;
       fs.open = async (...args) => {
         const file = await open(...args);
         file.writeFile = () => Promise.reject(Object.assign(new Error("ENOSPC"), { code: "ENOSPC" }));
         return file;
       };
       syncBuiltinESMExports();`,
    );
    const { code, stderr } = await home.run(["backup", join(backups, "todo.db")], {
      env: { NODE_OPTIONS: `--import ${preload}` },
    });
    assert.match(stderr, /no space left.*Nothing is left of it\.\n$/);
    assert.equal(code, 1);
    assert.deepEqual(readdirSync(backups), []);
  });

  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    test(`that is ended by ${signal} leaves nothing half-made`, async () => {
      using home = createFilledHome();
      const { tmp } = foldersOf(home);
      // More than a pipe holds, and nobody reads it: so it is in the middle of its work.
      const db = await openDatabase({ folder: dataOf(home) });
      settings.insert(db, "ballast", new Uint8Array(4_000_000));
      await db.close();
      const backup = start(home, ["backup", "-"], { TMPDIR: tmp });
      backup.child.stdout.removeAllListeners("data");
      backup.child.stdout.pause();
      await once(backup.child.stdout, "readable");
      assert.equal(draftsIn(tmp).length, 1);
      backup.child.kill(signal);
      const [code] = (await once(backup.child, "exit")) as [number];
      assert.equal(code, 130);
      assert.deepEqual(draftsIn(tmp), []);
      backup.child.stdout.resume();
    });
  }

  test("ends at once for Ctrl-C while the copy is checked, and leaves nothing", async () => {
    using home = createFilledHome();
    const { backups } = foldersOf(home);
    const data = readdirSync(dataOf(home));
    const ended = await interruptCheck(home, ["backup", join(backups, "todo.db")], ".part");
    assert.deepEqual(ended, { code: 130, stdout: "", stderr: "" });
    assert.deepEqual([readdirSync(backups), readdirSync(dataOf(home))], [[], data]);
  });

  test("is of no server elsewhere", async () => {
    using home = createFilledHome();
    using folder = temporaryFolder();
    const env = { TODO_SERVER: "https://todo.example.org" };
    const { code, stderr } = await home.run(["backup", join(folder.path, "a.db")], { env });
    assert.match(stderr, /not on https:\/\/todo\.example\.org/);
    assert.equal(code, 2);
    assert.deepEqual(readdirSync(folder.path), []);
  });
});
