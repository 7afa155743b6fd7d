import { constants } from "node:fs";
import { relative } from "node:path";

import type { HostFs } from "../../../src/storage/host-fs.ts";
import type { DiskCall } from "./trace.ts";

/**
 * A file system that reports every call that changes a folder, once it has succeeded.
 *
 * @param syncTurns how many turns of the event loop the next asynchronous sync takes. It happens in
 *   the last of them, so that runs with the same seed are alike.
 */
export function recordingFs(options: {
  fs: HostFs;
  folder: string;
  record: (call: DiskCall) => void;
  syncTurns: () => number;
}): HostFs {
  const { fs, folder, record, syncTurns } = options;
  /** Where the next write without a position goes, for each file of the folder. */
  const positions = new Map<number, number>();
  let syncs = 0;

  const nameOf = (path: unknown): string => relative(folder, String(path));
  const isInside = (path: unknown): boolean => !nameOf(path).startsWith("..");

  function isCreation(flags: unknown): boolean {
    // oxlint-disable-next-line no-bitwise -- a set of flags
    return typeof flags === "number" ? (flags & constants.O_CREAT) !== 0 : flags === "wx";
  }

  /** A call on a path that changes nothing when it fails. */
  function change(call: (path: string) => void, event: (name: string) => DiskCall) {
    return (path: unknown): void => {
      call(String(path));
      if (isInside(path)) record(event(nameOf(path)));
    };
  }

  function syncNow(fd: number): void {
    const sync = syncs++;
    record({ kind: "sync begins", fd, sync });
    fs.fsyncSync(fd);
    record({ kind: "sync ends", fd, sync });
  }

  return {
    ...fs,
    openSync(path, flags, mode) {
      const fd = fs.openSync(path, flags, mode);
      if (isInside(path)) {
        positions.set(fd, 0);
        record({ kind: "open", fd, name: nameOf(path), created: isCreation(flags) });
      }
      return fd;
    },
    closeSync(fd) {
      fs.closeSync(fd);
      if (positions.delete(fd)) record({ kind: "close", fd });
    },
    writeSync: ((
      fd: number,
      from: Uint8Array,
      start: number,
      length: number,
      position: number | null,
    ) => {
      const count = fs.writeSync(fd, from, start, length, position);
      const at = position ?? positions.get(fd) ?? 0;
      if (position === null) positions.set(fd, at + count);
      record({ kind: "write", fd, at, bytes: Buffer.from(from.subarray(start, start + count)) });
      return count;
    }) as HostFs["writeSync"],
    ftruncateSync(fd, size) {
      fs.ftruncateSync(fd, size);
      record({ kind: "truncate", fd, size: size ?? 0 });
    },
    fsyncSync: syncNow,
    fdatasyncSync: syncNow,
    fdatasync: ((fd: number, done: (error: unknown) => void) => {
      const sync = syncs++;
      let turns = syncTurns();
      record({ kind: "sync begins", fd, sync });
      function turn(): void {
        if (turns-- > 0) return void setImmediate(turn);
        fs.fsyncSync(fd);
        record({ kind: "sync ends", fd, sync });
        done(null);
      }
      setImmediate(turn);
    }) as HostFs["fdatasync"],
    renameSync(from, to) {
      fs.renameSync(from, to);
      record({ kind: "rename", from: nameOf(from), to: nameOf(to) });
    },
    unlinkSync: change(fs.unlinkSync, (name) => ({ kind: "unlink", name })),
    rmdirSync: change(fs.rmdirSync, (name) => ({ kind: "rmdir", name })),
    mkdirSync: ((path: string, mode: object) => {
      const made = fs.mkdirSync(path, mode);
      // An existing folder is not an error when it is asked for with its parents.
      if (nameOf(path) !== "" && isInside(path)) record({ kind: "mkdir", name: nameOf(path) });
      return made;
    }) as HostFs["mkdirSync"],
  };
}
