import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import {
  addNote,
  countNotes,
  fsWith,
  makeFolder,
  openNotes,
  snapshot,
  systemError,
} from "./_storage.ts";

const windows = process.platform === "win32";
const PAGE = 4096;

/** The file of a closed database with some notes, changed by the test. */
async function makeFile(t: TestContext, change: (file: Buffer) => Buffer | void): Promise<string> {
  const db = await openNotes(t);
  for (let number = 0; number < 100; number++) addNote(db, `${number} ${"x".repeat(500)}`);
  await db.close();
  const path = join(db.folder, "todo.db");
  const file = readFileSync(path);
  writeFileSync(path, change(file) ?? file);
  return db.folder;
}

async function assertRefused(t: TestContext, folder: string, code: string): Promise<void> {
  const before = snapshot(folder);
  await assert.rejects(openNotes(t, { folder }), (error: Error & { code?: string }) => {
    assert.equal(error.code, code);
    assert.match(error.message, /^[A-Z/].*\.$/);
    assert.ok(error.message.includes(folder), error.message);
    return true;
  });
  assert.deepEqual(snapshot(folder), before);
}

describe("a new database", () => {
  test("is for its user alone, and so is its folder", { skip: windows }, async (t) => {
    const folder = join(makeFolder(t), "some", "where");
    const db = await openNotes(t, { folder });
    addNote(db, "one");
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    for (const name of ["todo.db", "todo.wal"]) {
      assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600, name);
    }
  });

  test("is not hindered by what a first start left that was killed", async (t) => {
    const folder = makeFolder(t);
    mkdirSync(join(folder, ".lock"));
    writeFileSync(join(folder, "todo.db.new"), "a part of it");
    const db = await openNotes(t, { folder });
    addNote(db, "one");
    await db.close();
    assert.deepEqual(readdirSync(folder), ["todo.db"]);
  });

  test("exists only as a whole, however its making ends", async (t) => {
    for (let step = 1; ; step++) {
      let calls = 0;
      const failing = (name: "writeSync" | "fsyncSync" | "renameSync" | "mkdirSync") =>
        ((...args: never[]) => {
          if (++calls >= step) throw systemError("EIO");
          return (nodeFs[name] as (...all: never[]) => unknown)(...args);
        }) as never;
      const fs = fsWith({
        writeSync: failing("writeSync"),
        fsyncSync: failing("fsyncSync"),
        renameSync: failing("renameSync"),
      });
      const folder = makeFolder(t);
      const opened = await openNotes(t, { folder, fs }).catch(() => undefined);
      if (existsSync(join(folder, "todo.db"))) {
        const version = readFileSync(join(folder, "todo.db")).readUInt32BE(60);
        assert.equal(version, 1, `step ${step}`);
      }
      if (opened) {
        assert.ok(step > 5, `${step} steps`);
        return;
      }
      assert.equal(countNotes(await openNotes(t, { folder })), 0, `step ${step}`);
    }
  });

  test("is not made where parts of another one are", async (t) => {
    for (const [name, content] of [
      ["todo.wal", "frames"],
      ["todo.wal", ""],
      ["todo.db-wal", "frames"],
      ["todo.db-journal", "pages"],
    ] as const) {
      const folder = makeFolder(t);
      writeFileSync(join(folder, name), content);
      await assertRefused(t, folder, "missing");
    }
    const folder = makeFolder(t);
    mkdirSync(join(folder, "todo.db-wal"));
    await assertRefused(t, folder, "missing");
  });
});

describe("a file is refused, and left as it is,", () => {
  test("when it is empty", async (t) => {
    await assertRefused(t, await makeFile(t, () => Buffer.alloc(0)), "empty");
  });

  test("when its end is missing", async (t) => {
    for (const keep of [10, 99, 100, PAGE, 5 * PAGE, 5 * PAGE + 100]) {
      await assertRefused(t, await makeFile(t, (file) => file.subarray(0, keep)), "truncated");
    }
  });

  test("when it is no database", async (t) => {
    const text = Buffer.from("Dear diary, ".repeat(1000));
    await assertRefused(t, await makeFile(t, () => text), "not_a_database");
    const zeros = Buffer.alloc(8 * PAGE);
    await assertRefused(t, await makeFile(t, () => zeros), "not_a_database");
  });

  test("when it is the database of another program", async (t) => {
    const foreign = (file: Buffer): void => void file.writeUInt32BE(0x12345678, 68);
    await assertRefused(t, await makeFile(t, foreign), "foreign");
  });

  test("when it is newer than the program", async (t) => {
    const newer = (file: Buffer): void => void file.writeUInt32BE(2, 60);
    await assertRefused(t, await makeFile(t, newer), "newer");
  });

  test("when it is no file of its own", { skip: windows }, async (t) => {
    const link = await makeFile(t, () => {});
    renameSync(join(link, "todo.db"), join(link, "elsewhere"));
    symlinkSync(join(link, "elsewhere"), join(link, "todo.db"));
    await assertRefused(t, link, "failed");

    const hardLink = await makeFile(t, () => {});
    linkSync(join(hardLink, "todo.db"), join(hardLink, "second"));
    await assertRefused(t, hardLink, "failed");

    const folder = makeFolder(t);
    mkdirSync(join(folder, "todo.db"));
    await assertRefused(t, folder, "failed");
  });
});

describe("a data folder", () => {
  test("that is a file is refused", async (t) => {
    const folder = join(makeFolder(t), "file");
    writeFileSync(folder, "text");
    await assert.rejects(openNotes(t, { folder }), { name: "StorageError", message: /file/ });
    assert.equal(readFileSync(folder, "utf8"), "text");
  });

  test("that may not be written is refused", async (t) => {
    const folder = makeFolder(t);
    const accessSync = ((): void => {
      throw systemError("EACCES");
    }) as HostFs["accessSync"];
    await assert.rejects(openNotes(t, { folder, fs: fsWith({ accessSync }) }), {
      code: "not_writable",
      message: /owner or permissions/,
    });
    assert.deepEqual(readdirSync(folder), []);
  });

  test("may be given relative to the working directory", async (t) => {
    const folder = makeFolder(t);
    const before = process.cwd();
    t.after(() => process.chdir(before));
    process.chdir(folder);
    const db = await openNotes(t, { folder: "data" });
    process.chdir(before);
    addNote(db, "one");
    await db.durable();
    assert.equal(db.folder, join(folder, "data"));
  });

  test("is free again after a refusal", async (t) => {
    const folder = await makeFile(t, () => Buffer.alloc(0));
    await assertRefused(t, folder, "empty");
    await assertRefused(t, folder, "empty");
  });

  test("takes a database that others could read away from them", { skip: windows }, async (t) => {
    const folder = await makeFile(t, () => {});
    chmodSync(join(folder, "todo.db"), 0o644);
    const db = await openNotes(t, { folder });
    addNote(db, "one");
    assert.equal(statSync(join(folder, "todo.db")).mode & 0o777, 0o600);
  });
});
