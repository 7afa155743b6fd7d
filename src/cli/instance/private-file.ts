import { randomUUID } from "node:crypto";
import {
  closeSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from "node:fs";
import { dirname } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { CliError } from "../errors.ts";

/**
 * The text of a file, or undefined when there is none.
 *
 * @throws CliError `failed` when it cannot be read
 */
export function readIfThere(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new CliError("failed", `${path} cannot be read: ${(error as Error).message}.`, {
      cause: error,
    });
  }
}

/**
 * Writes a file that only this user may read, into a folder that there is: as a whole, or not at
 * all.
 *
 * @throws CliError `failed` when it cannot be written
 */
export function writePrivateFile(path: string, text: string): void {
  const draft = `${path}.${randomUUID().slice(0, 8)}`;
  try {
    const file = openSync(draft, "wx", 0o600);
    try {
      writeSync(file, text);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(draft, path);
  } catch (error) {
    removeQuietly(draft);
    throw notWritable(path, error);
  }
}

/** A command that was killed while it held the lock does not hold up others for longer. */
const staleMs = 10_000;

/** Of several that wait, one is served within moments. */
const patienceMs = 30_000;

/**
 * Runs the action while no other command of this user works on the same file, whose folder is made
 * when there is none.
 *
 * @throws CliError `failed` when the folder or the lock cannot be made
 */
export async function whileLocked<T>(path: string, action: () => T | Promise<T>): Promise<T> {
  await makeFolderOf(path);
  const lock = `${path}.lock`;
  const end = performance.now() + patienceMs;
  while (!tryLock(lock, path)) {
    if (performance.now() > end) {
      throw new CliError(
        "failed",
        `${lock} is in the way. Remove it when no other todo command runs.`,
      );
    }
    await sleep(20 + Math.random() * 20);
  }
  const unlock = () => removeQuietly(lock);
  process.on("exit", unlock);
  try {
    return await action();
  } finally {
    process.off("exit", unlock);
    unlock();
  }
}

function tryLock(lock: string, path: string): boolean {
  try {
    closeSync(openSync(lock, "wx", 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw notWritable(path, error);
    const age = Date.now() - (statSync(lock, { throwIfNoEntry: false })?.mtimeMs ?? Date.now());
    if (age > staleMs) removeQuietly(lock);
    return false;
  }
}

async function makeFolderOf(path: string): Promise<void> {
  const { prepareFolder } = await import("../../storage/data-folder.ts");
  const { nodeFs } = await import("../../storage/host-fs.ts");
  try {
    prepareFolder(nodeFs, dirname(path));
  } catch (error) {
    throw notWritable(path, error);
  }
}

function removeQuietly(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // Something else has failed already, and is said.
  }
}

function notWritable(path: string, error: unknown): CliError {
  const message = `${path} cannot be written: ${(error as Error).message}.`;
  return new CliError("failed", message, { cause: error });
}
