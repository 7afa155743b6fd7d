import { type Stats, lstatSync, realpathSync, statSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import { CliError } from "../errors.ts";

/** Names in a data folder that are no backup's. */
const ownNames =
  /^(todo\.(db|wal|reserve)|todo\.db-(wal|shm|journal)|todo\.db\.restored-.*|local-account\.json|https-(certificate|self-signed)\.pem|\.lock)$/i;

/**
 * Checks that a backup may be written to a path.
 *
 * @param folder the data folder
 * @param force whether a file may be replaced
 * @returns the absolute path
 * @throws CliError `failed`
 */
export function checkTarget(path: string, folder: string, force: boolean): string {
  const target = resolve(path);
  const parent = statAt(dirname(target));
  if (!parent?.isDirectory()) {
    throw new CliError(
      "failed",
      `There is no folder ${dirname(target)}. Make it, or choose another.`,
    );
  }
  if (ownNames.test(basename(target)) && realpathSync(dirname(target)) === realpath(folder)) {
    throw new CliError("failed", `${path} belongs to the data folder itself. Choose another name.`);
  }
  checkPresent(path, lstatSync(target, { throwIfNoEntry: false }), force);
  return target;
}

function checkPresent(path: string, found: Stats | undefined, force: boolean): void {
  if (found === undefined) return;
  if (found.isDirectory()) {
    const example = join(path, "todo-backup.db");
    throw new CliError("failed", `${path} is a folder. Name a file in it, such as ${example}.`);
  }
  // A rename would put a file in the place of the link or device.
  if (!found.isFile()) {
    throw new CliError(
      "failed",
      `${path} is not a regular file. Choose another name; - writes to stdout.`,
    );
  }
  if (!force) {
    throw new CliError(
      "failed",
      `${path} exists. Choose another name, or replace it with --force.`,
    );
  }
}

function statAt(path: string): Stats | undefined {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realpath(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}
