import { copyFileSync, cpSync, linkSync, renameSync, rmSync, truncateSync } from "node:fs";
import { join } from "node:path";

/** A way in which a server can lose its files. */
export interface Loss {
  name: string;
  happen: (folder: string) => void;
  /** Puts back what can be put back. */
  undo?: (folder: string) => void;
  /** Whether it is part of the small proof, too. */
  always?: boolean;
}

function moveAway(path: string): void {
  renameSync(path, `${path}.away`);
}

function putBack(path: string): void {
  rmSync(path, { recursive: true, force: true });
  renameSync(`${path}.away`, path);
}

const database = (folder: string): string => join(folder, "todo.db");
const log = (folder: string): string => join(folder, "todo.wal");

/** As `cp` and `mv` over it: the same name and content, another file. */
function replace(path: string): void {
  copyFileSync(path, `${path}.copy`);
  linkSync(path, `${path}.away`);
  renameSync(`${path}.copy`, path);
}

export const missingFiles: readonly Loss[] = [
  { name: "database deleted", happen: (folder) => rmSync(database(folder)) },
  {
    name: "database renamed",
    happen: (folder) => moveAway(database(folder)),
    undo: (folder) => putBack(database(folder)),
    always: true,
  },
  {
    name: "database replaced",
    happen: (folder) => replace(database(folder)),
    undo: (folder) => putBack(database(folder)),
  },
  { name: "log deleted", happen: (folder) => rmSync(log(folder)), always: true },
  {
    name: "log renamed",
    happen: (folder) => moveAway(log(folder)),
    undo: (folder) => putBack(log(folder)),
  },
  {
    name: "log replaced",
    happen: (folder) => replace(log(folder)),
    undo: (folder) => putBack(log(folder)),
  },
  { name: "log cut short", happen: (folder) => truncateSync(log(folder), 0) },
  { name: "folder deleted", happen: (folder) => rmSync(folder, { recursive: true }) },
  {
    name: "folder renamed",
    happen: moveAway,
    undo: putBack,
    always: true,
  },
  {
    name: "folder replaced",
    happen(folder) {
      cpSync(folder, `${folder}.copy`, {
        recursive: true,
        filter: (path) => !path.endsWith(".lock"),
      });
      moveAway(folder);
      renameSync(`${folder}.copy`, folder);
    },
    undo: putBack,
  },
];
