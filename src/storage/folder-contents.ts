import { existsSync } from "node:fs";
import { join } from "node:path";

import { DATABASE, GUARD, JOURNAL, LOG } from "./file-names.ts";

/** Whether there is a database in the folder, or a part of one. Nothing is opened or made. */
export function holdsDatabase(folder: string): boolean {
  return [DATABASE, LOG, GUARD, JOURNAL].some((name) => existsSync(join(folder, name)));
}
