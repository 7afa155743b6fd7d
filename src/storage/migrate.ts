import type { Migration } from "../../migrations/migration.ts";
import type { OwnedConnection } from "./connection.ts";
import { StorageError } from "./errors.ts";

/** The version of a database's schema. */
export function schemaVersion(connection: OwnedConnection): number {
  return connection.get<{ user_version: number }>("PRAGMA user_version")!.user_version;
}

/** The version that a list of migrations leads to. */
export function latestVersion(migrations: readonly Migration[]): number {
  return migrations.at(-1)?.version ?? 0;
}

/**
 * Brings the schema up to the latest version, one transaction for each step, so that a crash leaves
 * the file at one version or the next.
 *
 * @throws {StorageError} `failed` when a step does not succeed, `full` or `io` when the disk does
 *   not; the steps before it stand.
 */
export function migrate(connection: OwnedConnection, migrations: readonly Migration[]): void {
  const version = schemaVersion(connection);
  checkOrder(migrations);
  const pending = migrations.filter((migration) => migration.version > version);
  if (pending.length === 0) return;
  // A table is changed by building it anew, which must not delete what refers to it. This cannot be
  // set within a transaction; foreign keys are checked before each step's commit instead.
  connection.run("PRAGMA foreign_keys = OFF");
  for (const migration of pending) apply(connection, migration);
  connection.run("PRAGMA foreign_keys = ON");
}

function apply(connection: OwnedConnection, { version, name, up }: Migration): void {
  try {
    connection.transaction(() => {
      connection.script(up);
      const broken = connection.all<{ table: string }>("PRAGMA foreign_key_check");
      if (broken.length > 0) {
        throw new Error(`${broken.length} broken references, the first in ${broken[0]!.table}`);
      }
      connection.script(`PRAGMA user_version = ${version}`);
    });
  } catch (cause) {
    // The disk is to blame, not the step.
    if (cause instanceof StorageError && ["full", "io"].includes(cause.code)) throw cause;
    throw new StorageError(
      "failed",
      `The database could not be brought to version ${version} (${name}), and was left as it was before. Go back to the version of the program that wrote it.`,
      { cause },
    );
  }
}

function checkOrder(migrations: readonly Migration[]): void {
  let previous = 0;
  for (const { version, name } of migrations) {
    if (!Number.isInteger(version) || version <= previous) {
      throw new TypeError(`Migration ${version} (${name}) does not follow ${previous}`);
    }
    previous = version;
  }
}
