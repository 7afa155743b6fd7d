import type { OwnedConnection } from "./connection.ts";
import { StorageError } from "./errors.ts";
import type { HostFiles } from "./host-files.ts";

/**
 * Checks the content of a database, with one of SQLite's own checks.
 *
 * @returns what is wrong, in SQLite's words; undefined when it is sound.
 * @throws {StorageError} `io` when a part of it could not be read. SQLite calls that damage, too.
 */
export function findDamage(
  connection: OwnedConnection,
  check: "quick_check" | "integrity_check",
  files: Pick<HostFiles, "failedReads">,
): string | undefined {
  const before = files.failedReads();
  const [first] = connection.all<Record<string, string>>(`PRAGMA ${check}(1)`);
  const found = first?.[check];
  if (found === "ok") return undefined;
  if (files.failedReads() === before) return found ?? "no answer";
  throw new StorageError(
    "io",
    "The disk did not read the whole database, so it could not be checked. Check the disk, then try again.",
    { cause: new Error(found) },
  );
}
