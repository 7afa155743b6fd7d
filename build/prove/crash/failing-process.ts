import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

import { openDatabase } from "../../../src/storage/database.ts";
import { migrations, read } from "./history.ts";

const CHILD = fileURLToPath(new URL("failing-child.ts", import.meta.url));

const MESSAGE = "todo: The disk could not save the database (EIO)";

/** Which sync fails: of which file, by which call, and the how manieth of those. */
export type FailingSync = readonly [name: string, call: string, nth: number];

/** Those of a group commit, and those of a checkpoint. */
export const failingSyncs: readonly FailingSync[] = [
  ["todo.wal", "fdatasync", 1],
  ["todo.wal", "fdatasync", 7],
  ["todo.wal", "fdatasyncSync", 1],
  ["todo.db", "fdatasync", 1],
  ["todo.db", "fdatasync", 2],
];

/** How a process ended whose sync failed. */
export interface FailedProcess {
  /** From the failure to the process's end. */
  milliseconds: number;
  acknowledgedAfter: number;
  /** Whether the next start has everything that was acknowledged. */
  isWhole: boolean;
  /** Whether it ended with status 1 and said why. */
  saidWhy: boolean;
}

/**
 * Runs a real process until one of its syncs fails, and starts again on its folder.
 *
 * @throws Error when it ends without that
 */
export async function runFailingProcess(sync: FailingSync): Promise<FailedProcess> {
  const folder = mkdtempSync(join(tmpdir(), "todo-prove-sync-"));
  try {
    const args = ["--import", "tsx", CHILD, folder, ...sync.map(String)];
    const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"] });
    const exit = once(child, "exit").then(([code]) => ({ code: code as unknown, at: Date.now() }));
    const [{ code, at }, output, errors] = await Promise.all([
      exit,
      text(child.stdout),
      text(child.stderr),
    ]);
    const lines = output.split("\n");
    const failure = lines.findIndex((line) => line.startsWith("failed "));
    if (failure < 0) throw new Error(`The sync was not reached: ${output}${errors}`);
    const acknowledged = (line: string): number => Number(/^acknowledged (\d+)$/.exec(line)?.[1]);
    const numbers = lines.slice(0, failure).map(acknowledged).filter(Number.isInteger);
    return {
      milliseconds: at - Number(lines[failure]!.slice("failed ".length)),
      acknowledgedAfter: lines.slice(failure).filter((line) => acknowledged(line) > 0).length,
      isWhole: (await lastTransaction(folder)) >= Math.max(0, ...numbers),
      saidWhy: code === 1 && errors.startsWith(MESSAGE),
    };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

async function lastTransaction(folder: string): Promise<number> {
  const db = await openDatabase({ folder, migrations });
  const { transaction } = read(db);
  await db.close();
  return transaction;
}
