import { join } from "node:path";

import { DATABASE, GUARD, JOURNAL, LOG } from "./file-names.ts";
import type { HostFs } from "./host-fs.ts";
import { syncFolder } from "./safe-files.ts";

/**
 * How the name begins of a restored database that is complete, checked and on the disk, and is yet
 * to take the place of the present one. What follows is the time of the restore.
 */
export const READY = `${DATABASE}.restored-`;

/** How the name begins of a database that was replaced; its log and journal go with it. */
const REPLACED = `${DATABASE}.replaced-`;

/** Whether something is at that path, whatever it is. */
export function isThere(fs: HostFs, path: string): boolean {
  return fs.lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}

/** The name that the present database gets when it is replaced. */
export function replacedName(time: string): string {
  return REPLACED + time;
}

/**
 * Puts a restored database that is ready in the place of the present one, which is set aside with
 * its log. To be called before anything is opened: a crash at any step leaves either the old
 * database as it was or this to be gone through again, and a log never meets another's database.
 *
 * @returns the name of the replaced database; undefined when nothing was ready or replaced.
 * @throws the system's error.
 */
export function finishRestore(fs: HostFs, folder: string): string | undefined {
  const ready = fs.readdirSync(folder).find((name) => name.startsWith(READY));
  if (ready === undefined) return undefined;
  const replaced = replacedName(ready.slice(READY.length));
  setAside(fs, folder, replaced);
  // The order of the two counts, after a power cut too.
  syncFolder(fs, folder);
  fs.renameSync(join(folder, ready), join(folder, DATABASE));
  syncFolder(fs, folder);
  return isThere(fs, join(folder, replaced)) ? replaced : undefined;
}

/** Under names by which every SQLite program knows what belongs together. */
function setAside(fs: HostFs, folder: string, name: string): void {
  const move = (from: string, to: string): void => {
    if (isThere(fs, join(folder, from))) fs.renameSync(join(folder, from), join(folder, to));
  };
  const stats = fs.lstatSync(join(folder, GUARD), { throwIfNoEntry: false });
  if (stats?.isDirectory()) fs.rmdirSync(join(folder, GUARD));
  move(DATABASE, name);
  move(LOG, `${name}-wal`);
  // The log of another program; with ours beside it, only one of the two can be right.
  move(GUARD, isThere(fs, join(folder, `${name}-wal`)) ? `${name}.other-wal` : `${name}-wal`);
  move(JOURNAL, `${name}-journal`);
}
