// A process whose disk fails at one sync and never again. It writes notes, several at a time, and
// says on stdout what is acknowledged, and when the sync failed.
//
//     failing-child.ts FOLDER todo.wal|todo.db fdatasync|fdatasyncSync COUNT
import { writeSync } from "node:fs";
import { join } from "node:path";

import { openDatabase } from "../../../src/storage/database.ts";
import { nodeFs, type HostFs } from "../../../src/storage/host-fs.ts";
import { apply, count, migrations } from "./history.ts";

const [folder = "", name = "", call = "", nth = ""] = process.argv.slice(2);
/** A few dozen of them fill the log. */
const NOTE_BYTES = 60_000;
let left = Number(nth);

/** By a system call of its own, so that it is told before the process can end. */
function tell(line: string): void {
  writeSync(1, `${line}\n`);
}

function isTheOne(fd: number, used: string): boolean {
  if (used !== call) return false;
  const { ino } = nodeFs.fstatSync(fd);
  const meant = nodeFs.lstatSync(join(folder, name), { throwIfNoEntry: false });
  return meant?.ino === ino && --left === 0;
}

function fail(): Error {
  tell(`failed ${Date.now()}`);
  return Object.assign(new Error("EIO: made for the proof"), { code: "EIO", syscall: "fdatasync" });
}

const fs: HostFs = {
  ...nodeFs,
  fdatasyncSync(fd) {
    if (isTheOne(fd, "fdatasyncSync")) throw fail();
    nodeFs.fdatasyncSync(fd);
  },
  fdatasync: ((fd: number, done: (error: Error | null) => void) => {
    if (isTheOne(fd, "fdatasync")) setImmediate(() => done(fail()));
    else nodeFs.fdatasync(fd, done);
  }) as HostFs["fdatasync"],
};

const db = await openDatabase({ folder, migrations, fs });
let transaction = 0;

async function write(): Promise<void> {
  for (;;) {
    const number = ++transaction;
    db.transaction(() => {
      apply(db, [[number % 40, `${number} ${"x".repeat(NOTE_BYTES)}`]]);
      count(db, number);
    });
    await db.durable();
    tell(`acknowledged ${number}`);
  }
}

await Promise.all(Array.from({ length: 4 }, write));
