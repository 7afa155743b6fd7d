import { join } from "node:path";
import { constants } from "node:fs";

import { MAX_INTERRUPTIONS } from "./errno.ts";
import { StorageError } from "./errors.ts";
import { DATABASE } from "./file-names.ts";
import type { HostFiles } from "./host-files.ts";
import type { HostFs } from "./host-fs.ts";

type Done = (error: unknown) => void;

/** Syncs of the open files that the process does not wait for. */
export interface BackgroundSync {
  log: (done: Done) => void;
  database: (done: Done) => void;
  close: () => void;
}

/**
 * Gets ready to sync the files of a folder.
 *
 * @throws the system's error when the database cannot be opened once more.
 */
export function openBackgroundSync(fs: HostFs, folder: string, files: HostFiles): BackgroundSync {
  // Of its own: of two syncs of one descriptor, the system tells only one about a failure, and the
  // log's next change may have to sync the database, too.
  const mode = constants.O_RDWR | (constants.O_NOFOLLOW ?? 0);
  const database = fs.openSync(join(folder, DATABASE), mode);

  function sync(fd: number | undefined, done: Done, interruptions = 0): void {
    if (fd === undefined) throw new StorageError("failed", "The database's log is not open.");
    fs.fdatasync(fd, (error) => {
      const isInterrupted = error?.code === "EINTR" && interruptions < MAX_INTERRUPTIONS;
      if (isInterrupted) sync(fd, done, interruptions + 1);
      else done(error);
    });
  }

  return {
    log: (done) => sync(files.log.fd, done),
    database: (done) => sync(database, done),
    close: () => fs.closeSync(database),
  };
}
