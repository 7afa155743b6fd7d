import assert from "node:assert/strict";
import {
  chownSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { before, describe, test, type TestContext } from "node:test";

import type { StorageError } from "../src/storage/errors.ts";
import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import { openRestore, type RestoreSource } from "../src/storage/restore.ts";
import { fillFolder, fillUncleanFolder, usersIn } from "./_data-folder.ts";
import { skipUnlessRoot } from "./_nobody.ts";
import { temporaryFolder } from "./_server.ts";
import { makeFolder, snapshot, systemError } from "./_storage.ts";

const none = () => {};

/** Restores into a folder; answers the name of the database that was replaced. */
async function restore(folder: string, source: RestoreSource): Promise<string | undefined> {
  const restoring = await openRestore(folder);
  try {
    await restoring.take(source, none);
    restoring.check();
    return restoring.commit();
  } finally {
    await restoring.close();
  }
}

/** A data folder with the users "old" and, in its log alone, "logged". */
async function makeUnclean(t: TestContext): Promise<string> {
  const folder = makeFolder(t);
  await fillUncleanFolder(folder, { saved: ["old"], logged: ["logged"] });
  return folder;
}

describe("a restore", { concurrency: 2 }, () => {
  let good: Buffer;
  before(async () => {
    using folder = temporaryFolder();
    await fillFolder(folder.path, ["new"]);
    good = readFileSync(join(folder.path, "todo.db"));
  });

  /** The path of a backup with the user "new", which a test may spoil. */
  function makeBackup(t: TestContext, bytes: Buffer = good): string {
    const path = join(makeFolder(t), "backup.db");
    writeFileSync(path, bytes);
    return path;
  }

  test("into an empty folder makes the database there, for its owner alone", async (t) => {
    const folder = join(makeFolder(t), "new", "folder");
    assert.equal(await restore(folder, { path: makeBackup(t) }), undefined);
    assert.deepEqual(readdirSync(folder), ["todo.db"]);
    assert.equal(statSync(join(folder, "todo.db")).mode & 0o777, 0o600);
    assert.deepEqual(await usersIn(folder), ["new"]);
  });

  test(
    "by root leaves the database to the owner of the folder",
    { skip: skipUnlessRoot },
    async (t) => {
      const folder = makeFolder(t);
      chownSync(folder, 65_534, 65_534);
      await restore(folder, { path: makeBackup(t) });
      const { uid, gid } = statSync(join(folder, "todo.db"));
      assert.deepEqual({ uid, gid }, { uid: 65_534, gid: 65_534 });
    },
  );

  test("takes bytes as well as a file", async (t) => {
    const folder = makeFolder(t);
    async function* bytes() {
      for (let at = 0; at < good.length; at += 1000) yield good.subarray(at, at + 1000);
    }
    await restore(folder, { name: "stdin", bytes: bytes() });
    assert.deepEqual(await usersIn(folder), ["new"]);
  });

  test("keeps the replaced database, which can be restored in turn", async (t) => {
    const folder = makeFolder(t);
    await fillFolder(folder, ["old"]);
    const replaced = await restore(folder, { path: makeBackup(t) });
    assert.match(replaced!, /^todo\.db\.replaced-\d{8}-\d{6}$/);
    assert.deepEqual(await usersIn(folder), ["new"]);
    await restore(folder, { path: join(folder, replaced!) });
    assert.deepEqual(await usersIn(folder), ["old"]);
  });

  test("keeps every replaced database, also of the same second", async (t) => {
    const folder = makeFolder(t);
    for (let time = 0; time < 4; time++) await restore(folder, { path: makeBackup(t) });
    const kept = readdirSync(folder).filter((name) => name.includes("replaced"));
    assert.equal(kept.length, 3);
  });

  test("sets a log that was left aside with its database", async (t) => {
    const folder = await makeUnclean(t);
    const replaced = await restore(folder, { path: makeBackup(t) });
    assert.deepEqual(readdirSync(folder).toSorted(), ["todo.db", replaced, `${replaced}-wal`]);
    assert.deepEqual(await usersIn(folder), ["new"]);
    // Nothing that was confirmed is lost: the two still belong together.
    await restore(folder, { path: join(folder, replaced!) });
    assert.deepEqual(await usersIn(folder), ["old", "logged"]);
  });

  test("takes over the log of a copied data folder", async (t) => {
    const copied = await makeUnclean(t);
    const folder = makeFolder(t);
    await restore(folder, { path: join(copied, "todo.db") });
    assert.deepEqual(readdirSync(folder), ["todo.db"]);
    assert.deepEqual(await usersIn(folder), ["old", "logged"]);
  });

  const damages: Record<string, (folder: string) => void> = {
    "is missing, with its log left": (folder) => rmSync(join(folder, "todo.db")),
    "is empty": (folder) => truncateSync(join(folder, "todo.db")),
    "is cut short": (folder) => truncateSync(join(folder, "todo.db"), 5000),
    "is no database": (folder) => writeFileSync(join(folder, "todo.db"), "Buy milk"),
    "is a folder": (folder) => {
      rmSync(join(folder, "todo.db"));
      mkdirSync(join(folder, "todo.db"));
    },
    "is a symbolic link": (folder) => {
      renameSync(join(folder, "todo.db"), join(folder, "elsewhere"));
      symlinkSync("elsewhere", join(folder, "todo.db"));
    },
    "has the log of another program, too": (folder) => {
      rmSync(join(folder, "todo.db-wal"), { recursive: true });
      writeFileSync(join(folder, "todo.db-wal"), "another log");
    },
  };
  for (const [name, spoil] of Object.entries(damages)) {
    test(`works where the present database ${name}, of which nothing is lost`, async (t) => {
      const folder = await makeUnclean(t);
      spoil(folder);
      const contents = () =>
        Object.values(snapshot(folder)).filter((content) => content !== "folder");
      const earlier = contents();
      await restore(folder, { path: makeBackup(t) });
      const later = contents();
      assert.deepEqual(
        earlier.filter((content) => !later.includes(content)),
        [],
      );
      assert.deepEqual(await usersIn(folder), ["new"]);
    });
  }

  const unfit: Record<string, { spoil: (bytes: Buffer) => Buffer; code: string; says: RegExp }> = {
    "an empty file": { spoil: () => Buffer.alloc(0), code: "empty", says: /is empty/ },
    "a file that is cut short": {
      spoil: (bytes) => bytes.subarray(0, bytes.length - 4096),
      code: "truncated",
      says: /has lost a part/,
    },
    "a text": {
      spoil: () => Buffer.from("Buy milk\n".repeat(1000)),
      code: "not_a_database",
      says: /is not a database/,
    },
    "another program's database": {
      spoil: (bytes) => Buffer.from(bytes).fill(1, 68, 72),
      code: "foreign",
      says: /another program/,
    },
    "a newer version's database": {
      spoil: (bytes) => Buffer.from(bytes).fill(9, 62, 64),
      code: "newer",
      says: /newer version/,
    },
    "a database with a damaged page": {
      spoil: (bytes) => Buffer.from(bytes).fill(0xff, 4096, 3 * 4096),
      code: "corrupt",
      says: /is damaged/,
    },
  };
  for (const [name, { spoil, code, says }] of Object.entries(unfit)) {
    test(`of ${name} is refused, and changes nothing`, async (t) => {
      const folder = await makeUnclean(t);
      const earlier = snapshot(folder);
      const path = makeBackup(t, spoil(good));
      await assert.rejects(restore(folder, { path }), (error: StorageError) => {
        assert.equal(error.code, code);
        assert.match(error.message, says);
        assert.ok(error.message.startsWith(path), error.message);
        assert.match(error.message, /Nothing was changed\./);
        return true;
      });
      assert.deepEqual(snapshot(folder), earlier);
    });
  }

  test("of the present database itself is refused", async (t) => {
    const folder = makeFolder(t);
    await fillFolder(folder, ["old"]);
    await assert.rejects(restore(folder, { path: join(folder, "todo.db") }), /present database/);
    assert.deepEqual(await usersIn(folder), ["old"]);
  });

  test("of a file that is not there says so", async (t) => {
    const folder = makeFolder(t);
    const path = join(folder, "none.db");
    await assert.rejects(restore(folder, { path }), (error: Error) => {
      assert.ok(error.message.startsWith(`${path} cannot be read`), error.message);
      return true;
    });
    assert.deepEqual(readdirSync(folder), []);
  });

  test("is refused while another process uses the folder", async (t) => {
    const folder = makeFolder(t);
    const other = await openRestore(folder);
    await assert.rejects(openRestore(folder), { code: "locked" });
    await other.close();
  });

  test("that is killed at any step leaves the old database or the new one, whole", async (t) => {
    const backup = makeBackup(t);
    const outcomes = new Set<string>();
    for (let step = 1; ; step++) {
      const folder = await makeUnclean(t);
      const { fs, isDead } = dyingFs(step);
      const ended = await killedRestore(folder, backup, fs);
      if (ended && !isDead()) break;
      const found = (await usersIn(folder)).join();
      outcomes.add(found);
      assert.ok(["old,logged", "new"].includes(found), `step ${step}: ${found}`);
      const kept = readdirSync(folder).find((name) => /replaced-\d+-\d+$/.test(name));
      assert.equal(found === "new", kept !== undefined, `step ${step}: ${kept}`);
      if (kept === undefined) continue;
      copyFileSync(join(folder, kept), join(folder, "again.db"));
      if (existsSync(join(folder, `${kept}-wal`))) {
        copyFileSync(join(folder, `${kept}-wal`), join(folder, "again.db-wal"));
      }
      await restore(folder, { path: join(folder, "again.db") });
      assert.deepEqual(await usersIn(folder), ["old", "logged"], `step ${step}`);
    }
    assert.deepEqual([...outcomes].toSorted(), ["new", "old,logged"]);
  });
});

async function killedRestore(folder: string, path: string, fs: HostFs): Promise<boolean> {
  const restoring = await openRestore(folder, fs).catch(none);
  if (!restoring) return false;
  try {
    await restoring.take({ path }, none);
    restoring.check();
    restoring.commit();
    return true;
  } catch {
    return false;
  } finally {
    // The process's lock goes with it; what it had written stays.
    await restoring.close().catch(none);
  }
}

/** A file system that from the given change on does nothing more, as after `kill -9`. */
function dyingFs(step: number): { fs: HostFs; isDead: () => boolean } {
  let changes = 0;
  const dying = (name: "writeSync" | "fsyncSync" | "renameSync" | "unlinkSync" | "rmdirSync") =>
    ((...args: never[]) => {
      changes += 1;
      if (changes >= step) throw systemError("EIO");
      return (nodeFs[name] as (...all: never[]) => unknown)(...args);
    }) as never;
  return {
    fs: {
      ...nodeFs,
      writeSync: dying("writeSync"),
      fsyncSync: dying("fsyncSync"),
      renameSync: dying("renameSync"),
      unlinkSync: dying("unlinkSync"),
      rmdirSync: dying("rmdirSync"),
    },
    isDead: () => changes >= step,
  };
}
