import assert from "node:assert/strict";
import { existsSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test, type TestContext } from "node:test";

import { createHostFiles, type HostFiles } from "../src/storage/host-files.ts";
import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import { fsWith, makeFolder, systemError } from "./_storage.ts";

const create = { write: true, create: true, exclusive: false };
const read = { write: false, create: false, exclusive: false };
const skip = process.platform === "win32";

interface Fixture {
  files: HostFiles;
  folder: string;
  syncFailures: unknown[];
}

function open(t: TestContext, fs: HostFs = nodeFs): Fixture {
  const folder = makeFolder(t);
  const syncFailures: unknown[] = [];
  const files = createHostFiles({ fs, folder, onSyncFailure: (error) => syncFailures.push(error) });
  t.after(() => files.abandon());
  return { files, folder, syncFailures };
}

describe("a file of SQLite", () => {
  test("keeps what is written where it was written", (t) => {
    const { files, folder } = open(t);
    const file = files.open("/some.db", create);
    assert.equal(files.write(file, Buffer.from("hello world")), 11);
    files.seek(file, 6, "start");
    files.write(file, Buffer.from("there"));
    assert.equal(readFileSync(join(folder, "some.db"), "utf8"), "hello there");
    files.truncate(file, 5);
    assert.equal(files.seek(file, 0, "end"), 5);
  });

  test("is readable and writable for its user alone", { skip }, (t) => {
    const { files, folder } = open(t);
    files.open("/some.db", create);
    assert.equal(statSync(join(folder, "some.db")).mode & 0o777, 0o600);
  });

  test("may be larger than 4 GiB", (t) => {
    const { files } = open(t);
    const file = files.open("/some.db", create);
    const offset = 5 * 2 ** 30 + 7;
    assert.equal(files.seek(file, offset, "start"), offset);
    files.write(file, Buffer.from("far out"));
    assert.equal(files.stat(file).size, BigInt(offset + 7));
    files.seek(file, -7, "position");
    const found = Buffer.alloc(7);
    assert.equal(files.read(file, found), 7);
    assert.equal(found.toString(), "far out");
  });

  test("answers fewer bytes at its end", (t) => {
    const { files } = open(t);
    const file = files.open("/some.db", create);
    files.write(file, Buffer.from("abc"));
    files.seek(file, 1, "start");
    assert.equal(files.read(file, Buffer.alloc(10)), 2);
    assert.equal(files.read(file, Buffer.alloc(10)), 0);
  });

  test("answers how much was written when the system stops early", (t) => {
    const writeSync = ((
      fd: number,
      bytes: Uint8Array,
      offset: number,
      _length: number,
      at: number,
    ) => nodeFs.writeSync(fd, bytes, offset, 2, at)) as HostFs["writeSync"];
    const { files } = open(t, fsWith({ writeSync }));
    const file = files.open("/some.db", create);
    assert.equal(files.write(file, Buffer.from("abcde")), 2);
    assert.equal(files.seek(file, 0, "position"), 2);
  });

  test("is not disturbed by signals", (t) => {
    const interrupted = new Set<string>();
    const interruptOnce = (name: keyof HostFs) => {
      const call = nodeFs[name] as (...args: unknown[]) => unknown;
      return (...args: unknown[]) => {
        if (interrupted.has(name)) return call(...args);
        interrupted.add(name);
        throw systemError("EINTR");
      };
    };
    const names = ["openSync", "readSync", "writeSync", "fsyncSync", "ftruncateSync"] as const;
    const fs = fsWith(Object.fromEntries(names.map((name) => [name, interruptOnce(name)])));
    const { files, syncFailures } = open(t, fs);
    const file = files.open("/some.db", create);
    files.write(file, Buffer.from("abc"));
    files.seek(file, 0, "start");
    files.read(file, Buffer.alloc(3));
    files.truncate(file, 0);
    files.sync(file);
    assert.deepEqual([...interrupted].toSorted(), names.toSorted());
    assert.deepEqual(syncFailures, []);
  });

  test("that is new is synced into its folder before it is used", { skip }, (t) => {
    const synced: boolean[] = [];
    const fsyncSync = (fd: number): void => {
      synced.push(nodeFs.fstatSync(fd).isDirectory());
      nodeFs.fsyncSync(fd);
    };
    const { files } = open(t, fsWith({ fsyncSync }));
    files.open("/some.db", create);
    assert.deepEqual(synced, [true]);
    files.open("/some.db", create);
    assert.deepEqual(synced, [true]);
  });

  test("reports a failed sync, of its folder too", { skip }, (t) => {
    const failure = systemError("EIO");
    const fsyncSync = (): void => {
      throw failure;
    };
    const { files, folder, syncFailures } = open(t, fsWith({ fsyncSync }));
    writeFileSync(join(folder, "old.db"), "");
    assert.throws(() => files.sync(files.open("/old.db", create)), failure);
    assert.throws(() => files.open("/new.db", create), failure);
    assert.deepEqual(syncFailures, [failure, failure]);
  });
});

describe("the file system of SQLite", () => {
  test("ends at the data folder", (t) => {
    const { files, folder } = open(t);
    writeFileSync(join(folder, "inside"), "");
    files.statPath("/inside");
    for (const path of [
      "/../inside",
      "/etc/passwd",
      "/sub/file",
      "inside",
      "/",
      "//inside",
      "/..",
    ]) {
      assert.throws(() => files.open(path, create), /ENOENT|EISDIR/, path);
    }
  });

  test("does not follow a symbolic link", { skip }, (t) => {
    const { files, folder } = open(t);
    const target = join(makeFolder(t), "target");
    writeFileSync(target, "untouched");
    symlinkSync(target, join(folder, "link.db"));
    assert.throws(() => files.open("/link.db", create), { code: "ELOOP" });
    assert.equal(files.statPath("/link.db").isSymbolicLink(), true);
  });

  test("shows the log under the name that SQLite has for it", (t) => {
    const { files, folder } = open(t);
    files.write(files.open("/todo.db-wal", create), Buffer.from("frames"));
    assert.equal(readFileSync(join(folder, "todo.wal"), "utf8"), "frames");
    assert.equal(existsSync(join(folder, "todo.db-wal")), false);
    files.remove("/todo.db-wal");
    assert.equal(existsSync(join(folder, "todo.wal")), false);
  });

  test("lets SQLite make no database of its own", (t) => {
    const { files, folder } = open(t);
    assert.throws(() => files.open("/todo.db", create), { code: "ENOENT" });
    assert.equal(existsSync(join(folder, "todo.db")), false);
  });

  test("has random bytes", (t) => {
    const { files } = open(t);
    const random = files.open("/dev/urandom", read);
    const bytes = Buffer.alloc(32);
    assert.equal(files.read(random, bytes), 32);
    assert.notDeepEqual(bytes, Buffer.alloc(32));
    files.close(random);
    assert.throws(() => files.read(random, bytes), { code: "EBADF" });
  });
});

describe("the log of SQLite", () => {
  test("is measured by what was written, what was synced, and where it ends", (t) => {
    const { files } = open(t);
    const log = files.open("/todo.db-wal", create);
    files.write(log, Buffer.alloc(100));
    files.write(log, Buffer.alloc(50));
    assert.deepEqual([files.log.written, files.log.synced, files.log.end], [150, 0, 150]);
    files.sync(log);
    files.seek(log, 0, "start");
    files.write(log, Buffer.alloc(10));
    assert.deepEqual([files.log.written, files.log.synced, files.log.end], [160, 150, 10]);
  });

  test("finds the disk full beyond its limit", (t) => {
    const { files } = open(t);
    const log = files.open("/todo.db-wal", create);
    files.log.limit = 100;
    files.write(log, Buffer.alloc(100));
    assert.throws(() => files.write(log, Buffer.alloc(1)), { code: "ENOSPC" });
  });
});
