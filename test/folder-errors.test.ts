import assert from "node:assert/strict";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { before, describe, test } from "node:test";
import { openDatabase } from "../src/storage/database.ts";
import { runCommand, startProcess } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";
import { snapshot, snapshotOfServed } from "./_snapshot.ts";

/** A refusal goes on to say what to do next, with one of these words. */
const nextStep = /(Change|Check|Choose|Install|Move|Put|Restore|Use) /;

/** A way in which a data folder cannot be used. */
interface Fault {
  name: string;
  /** Spoils a folder that holds a database after a clean stop, and gives the folder to use. */
  spoil: (folder: string) => string | void;
  says: RegExp;
}

function change(path: string, offset: number, bytes: readonly number[]): void {
  const content = readFileSync(path);
  Buffer.from(bytes).copy(content, offset);
  writeFileSync(path, content);
}

function database(folder: string): string {
  return join(folder, "todo.db");
}

const faults: Fault[] = [
  {
    name: "a folder that may not be written",
    spoil: (folder) => chmodSync(folder, 0o500),
    says: /may not be read or written/,
  },
  {
    name: "a folder that may not be read",
    spoil: (folder) => chmodSync(folder, 0),
    says: /may not be read or written/,
  },
  {
    name: "a missing folder in one that may not be written",
    spoil(folder) {
      chmodSync(folder, 0o500);
      return join(folder, "deeper", "down");
    },
    says: /may not be read or written/,
  },
  {
    name: "a database that may not be read",
    spoil: (folder) => chmodSync(database(folder), 0),
    says: /may not be read or written/,
  },
  {
    name: "a path that is a file",
    spoil: database,
    says: /todo\.db is (a file|not a folder|not a directory)/,
  },
  {
    name: "a path below a file",
    spoil: (folder) => join(database(folder), "deeper"),
    says: /not a (folder|directory)/i,
  },
  {
    name: "a file that is no database",
    spoil: (folder) => writeFileSync(database(folder), "Buy milk\n".repeat(1000)),
    says: /is not a database/,
  },
  {
    name: "an empty file",
    spoil: (folder) => truncateSync(database(folder), 0),
    says: /is empty/,
  },
  {
    name: "a file cut off within its first page",
    spoil: (folder) => truncateSync(database(folder), 50),
    says: /has lost a part/,
  },
  {
    name: "a file cut off between two pages",
    spoil: (folder) => truncateSync(database(folder), statSync(database(folder)).size - 4096),
    says: /has lost a part/,
  },
  {
    name: "a database of another program",
    spoil: (folder) => change(database(folder), 68, [1, 2, 3, 4]),
    says: /database of another program/,
  },
  {
    name: "a database of a newer version",
    spoil: (folder) => change(database(folder), 60, [0, 0, 3, 231]),
    says: /newer version .*schema 999/,
  },
  {
    name: "a database that is a symbolic link",
    spoil(folder) {
      renameSync(database(folder), join(folder, "real.db"));
      symlinkSync("real.db", database(folder));
    },
    says: /is a symbolic link/,
  },
  {
    name: "a database with a second name",
    spoil: (folder) => linkSync(database(folder), join(folder, "other.db")),
    says: /has another name/,
  },
  {
    name: "a database that is a folder",
    spoil(folder) {
      rmSync(database(folder));
      mkdirSync(database(folder));
    },
    says: /is a folder/,
  },
  {
    name: "a log without its database",
    spoil: (folder) => renameSync(database(folder), join(folder, "todo.wal")),
    says: /is missing/,
  },
  {
    name: "a symbolic link to nowhere",
    spoil(folder) {
      symlinkSync("nowhere", join(folder, "link"));
      return join(folder, "link");
    },
    says: /is not a folder/,
  },
  {
    name: "a folder that cannot be made where it is to be",
    spoil(folder) {
      symlinkSync("/proc", join(folder, "link"));
      return join(folder, "link", "deeper", "down");
    },
    says: /cannot be used/,
  },
];

describe("todo serve, given", { concurrency: 2 }, () => {
  let sound: Buffer;
  before(async () => {
    using folder = temporaryFolder();
    const db = await openDatabase({ folder: folder.path });
    await db.close();
    sound = readFileSync(database(folder.path));
  });

  for (const { name, spoil, says } of faults) {
    test(`${name}, says so and changes nothing`, async () => {
      using parent = temporaryFolder();
      const folder = join(parent.path, "data");
      mkdirSync(folder, { mode: 0o700 });
      writeFileSync(database(folder), sound, { mode: 0o600 });
      const given = spoil(folder) ?? folder;
      const earlier = snapshot(parent.path);

      const { code, stdout, stderr } = await runCommand(["serve", "--port", "0", "--data", given], {
        unprivileged: true,
      });
      assert.match(stderr, /^todo: [^\n]+\n$/);
      assert.match(stderr, says);
      assert.match(stderr, nextStep);
      assert.ok(stderr.includes(parent.path), stderr);
      assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
      assert.deepEqual(snapshot(parent.path), earlier);
      chmodSync(folder, 0o700);
    });
  }

  test("a disk that is read-only, gives no advice on permissions; nor does todo doctor", async () => {
    using folder = temporaryFolder();
    const preload = join(folder.path, "read-only.mjs");
    writeFileSync(
      preload,
      `import fs from "node:fs";
       import { syncBuiltinESMExports } from "node:module";
       fs.accessSync = (_path, mode) => {
         const error = Object.assign(new Error("EROFS"), { code: "EROFS", syscall: "access" });
         if (mode & fs.constants.W_OK) throw error;
       };
       syncBuiltinESMExports();`,
    );
    for (const command of ["serve", "doctor"]) {
      const args = [
        command,
        "--data",
        folder.path,
        ...(command === "serve" ? ["--port", "0"] : []),
      ];
      const { code, stdout, stderr } = await runCommand(args, { preload });
      assert.equal(code, 1);
      assert.match(stdout + stderr, /is on a disk that is read-only now/);
      assert.doesNotMatch(stdout + stderr, /permissions/);
    }
  });

  test("a folder that another server holds, changes nothing", async () => {
    using folder = temporaryFolder();
    await using holder = await startProcess({ folder: folder.path });
    const earlier = await snapshotOfServed(folder.path);
    const { code, stderr } = await runCommand(["serve", "--port", "0", "--data", folder.path]);
    assert.match(stderr, new RegExp(`^todo: [^\\n]*${holder.url}[^\\n]*\\n$`));
    assert.equal(code, 1);
    assert.deepEqual(snapshot(folder.path), earlier);
  });
});
