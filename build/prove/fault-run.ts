import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "../../src/storage/database.ts";
import type { FaultyFs } from "./fault-injection.ts";
import { isExpected, latest, readNotes, runWorkload, type Outcome } from "./fault-workload.ts";

/**
 * One run of a workload. What it leaves, killed and stopped, is then opened without a fault: that
 * it is as it must be is part of the outcome.
 */
export async function runOnce(isLarge: boolean, faulty: FaultyFs): Promise<Outcome> {
  const scratch = mkdtempSync(join(fastFolder(), "todo-prove-"));
  const folder = join(scratch, "data");
  const killed: { folder: string; outcome: Outcome }[] = [];
  try {
    const outcome = await runWorkload({ folder, fs: faulty.fs, isLarge }, (now) => {
      if (!faulty.hasStruck() || !existsSync(folder)) return;
      const copy = join(scratch, `killed-${killed.length}`);
      const filter = (path: string): boolean => !/\.(lock|reserve)$/.test(path);
      cpSync(folder, copy, { recursive: true, filter });
      killed.push({ folder: copy, outcome: { ...now } });
    });
    for (const left of killed) await check(left.folder, left.outcome, "killed");
    await check(folder, outcome, "stopped");
    return outcome;
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function check(folder: string, outcome: Outcome, how: string): Promise<void> {
  const { wrong } = outcome;
  try {
    const db = await openDatabase({ folder, migrations: latest, onFatal: () => {} });
    const found = readNotes(db);
    if (!isExpected(found, outcome)) {
      wrong.push(`${how}: ${found.size} notes, confirmed were ${outcome.confirmed.size}`);
    }
    const [first] = db.all<{ integrity_check: string }>("PRAGMA integrity_check");
    if (first?.integrity_check !== "ok") wrong.push(`${how}: ${first?.integrity_check}`);
    await db.close();
  } catch (error) {
    wrong.push(`${how}: cannot be opened: ${String(error)}`);
  }
}

/** Nothing here depends on a disk; in memory it is much faster. */
function fastFolder(): string {
  return existsSync("/dev/shm") ? "/dev/shm" : tmpdir();
}
