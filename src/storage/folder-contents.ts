import { lstatSync } from "node:fs";
import { join } from "node:path";

import { describeSystemError } from "./failures.ts";
import { DATABASE, GUARD, JOURNAL, LOG } from "./file-names.ts";

/**
 * Whether there is a database in the folder, or a part of one. Nothing is opened or made.
 *
 * @throws {StorageError} when this user cannot look into the folder.
 */
export function holdsDatabase(folder: string): boolean {
  try {
    return [DATABASE, LOG, GUARD, JOURNAL].some(
      (name) => lstatSync(join(folder, name), { throwIfNoEntry: false }) !== undefined,
    );
  } catch (error) {
    throw describeSystemError(error, folder);
  }
}
