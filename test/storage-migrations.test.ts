import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import type { Migration } from "../migrations/migration.ts";
import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import {
  addNote,
  countNotes,
  fsWith,
  makeFolder,
  migrations,
  openNotes,
  systemError,
} from "./_storage.ts";

const addColumn: Migration = {
  version: 2,
  name: "colour",
  up: "ALTER TABLE notes ADD COLUMN colour TEXT; UPDATE notes SET colour = 'red';",
};
const addTable: Migration = {
  version: 5,
  name: "tags",
  up: "CREATE TABLE tags (name TEXT PRIMARY KEY); INSERT INTO tags VALUES ('new');",
};
const failing: Migration = {
  version: 6,
  name: "failing",
  up: "INSERT INTO tags VALUES ('half'); INSERT INTO nowhere VALUES (1);",
};

async function makeOld(t: TestContext): Promise<string> {
  const db = await openNotes(t);
  addNote(db, "one");
  await db.close();
  return db.folder;
}

function header(folder: string, name = "todo.db"): { version: number; application: string } {
  const file = readFileSync(join(folder, name));
  return { version: file.readUInt32BE(60), application: file.toString("latin1", 68, 72) };
}

describe("migrations", () => {
  test("bring a new database to the latest version", async (t) => {
    const db = await openNotes(t, { migrations: [...migrations, addColumn, addTable] });
    assert.deepEqual(db.get("PRAGMA user_version"), { user_version: 5 });
    assert.deepEqual(db.all("SELECT name FROM tags"), [{ name: "new" }]);
    await db.close();
    assert.deepEqual(header(db.folder), { version: 5, application: "todo" });
    assert.deepEqual(readdirSync(db.folder), ["todo.db"]);
  });

  test("bring an old one there, with a backup of it beside", async (t) => {
    const folder = await makeOld(t);
    const db = await openNotes(t, { folder, migrations: [...migrations, addColumn, addTable] });
    assert.deepEqual(db.all("SELECT text, colour FROM notes"), [{ text: "one", colour: "red" }]);
    await db.close();
    assert.deepEqual(readdirSync(folder), ["todo.db", "todo.db.v1.bak"]);
    assert.equal(header(folder).version, 5);

    const backup = makeFolder(t);
    renameSync(join(folder, "todo.db.v1.bak"), join(backup, "todo.db"));
    assert.equal(countNotes(await openNotes(t, { folder: backup })), 1);
  });

  test("run once", async (t) => {
    const folder = await makeOld(t);
    const all = [...migrations, addColumn, addTable];
    await (await openNotes(t, { folder, migrations: all })).close();
    const db = await openNotes(t, { folder, migrations: all });
    assert.equal(db.all("SELECT name FROM tags").length, 1);
  });

  test("include what an unclean stop left in the log", async (t) => {
    const fs = fsWith({});
    const first = await openNotes(t, { fs });
    addNote(first, "in the log only");
    await first.durable();
    // As a kill: nothing reaches the disk any more.
    Object.assign(fs, {
      fsyncSync: () => {
        throw systemError("EIO");
      },
    });
    await first.close().catch(() => {});
    const db = await openNotes(t, { folder: first.folder, migrations: [...migrations, addColumn] });
    assert.deepEqual(db.all("SELECT colour FROM notes"), [{ colour: "red" }]);
  });

  test("leave a step that fails undone, and those before it done", async (t) => {
    const folder = await makeOld(t);
    const all = [...migrations, addColumn, addTable, failing];
    await assert.rejects(openNotes(t, { folder, migrations: all }), {
      code: "failed",
      message: /version 6 \(failing\)/,
    });
    const db = await openNotes(t, { folder, migrations: all.slice(0, -1) });
    assert.deepEqual(db.all("SELECT name FROM tags"), [{ name: "new" }]);
    assert.equal(existsSync(join(folder, "todo.db.v1.bak")), true);
  });

  test("may build a table anew without losing what refers to it", async (t) => {
    const up = `CREATE TABLE new_notes (id INTEGER PRIMARY KEY, text TEXT,
        answers INTEGER REFERENCES notes (id) ON DELETE CASCADE);
      INSERT INTO new_notes SELECT * FROM notes;
      DROP TABLE notes;
      ALTER TABLE new_notes RENAME TO notes;`;
    const first = await openNotes(t);
    first.run("INSERT INTO notes (id, answers) VALUES (1, NULL), (2, 1)");
    await first.close();
    const db = await openNotes(t, {
      folder: first.folder,
      migrations: [...migrations, { version: 2, name: "cascade", up }],
    });
    assert.equal(countNotes(db), 2);
    db.run("DELETE FROM notes WHERE id = 1");
    assert.equal(countNotes(db), 0);
  });

  test("may not leave a reference to nothing", async (t) => {
    const first = await openNotes(t);
    first.run("INSERT INTO notes (id, answers) VALUES (1, NULL), (2, 1)");
    await first.close();
    const up = "DELETE FROM notes WHERE id = 1";
    const all = [...migrations, { version: 2, name: "careless", up }];
    await assert.rejects(openNotes(t, { folder: first.folder, migrations: all }), {
      code: "failed",
    });
    assert.equal(countNotes(await openNotes(t, { folder: first.folder })), 2);
  });

  test("change nothing when there is no room for the backup", async (t) => {
    const folder = await makeOld(t);
    const backups = new Set<number>();
    const openSync: HostFs["openSync"] = (path, ...options) => {
      const fd = nodeFs.openSync(path, ...options);
      if (String(path).includes(".bak")) backups.add(fd);
      else backups.delete(fd);
      return fd;
    };
    const writeSync = ((...args: Parameters<typeof nodeFs.writeSync>) => {
      if (backups.has(args[0])) throw systemError("ENOSPC");
      return nodeFs.writeSync(...args);
    }) as HostFs["writeSync"];
    const all = [...migrations, addColumn];
    await assert.rejects(
      openNotes(t, { folder, migrations: all, fs: fsWith({ openSync, writeSync }) }),
      {
        code: "full",
      },
    );
    assert.equal(
      readdirSync(folder).some((name) => name.includes(".bak")),
      false,
    );
    assert.equal(countNotes(await openNotes(t, { folder })), 1);
  });

  test("must be in order", async (t) => {
    const unordered = [...migrations, addTable, addColumn];
    await assert.rejects(openNotes(t, { migrations: unordered }), TypeError);
  });
});
