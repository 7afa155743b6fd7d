import { cpSync, existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { openDatabase } from "../../src/storage/database.ts";
import { StorageError } from "../../src/storage/errors.ts";
import { createFaultyFs, faultKinds, type Fault } from "./fault-injection.ts";
import { isExpected, latest, readNotes, runWorkload, type Outcome } from "./fault-workload.ts";
import type { Figure, Part, Size } from "./part.ts";

/** Of so many calls of the small and the large workload, one is befallen. */
const strides: Record<Size, { small: number; large: number }> = {
  full: { small: 1, large: 801 },
  ci: { small: 19, large: 3701 },
};

/** Claims about the file that no failing call can justify. */
const falseClaims = new Set([
  "corrupt",
  "empty",
  "foreign",
  "missing",
  "newer",
  "not_a_database",
  "truncated",
]);

interface Tally {
  runs: number;
  errors: number;
  lost: number;
  escaped: number;
  untrue: number;
}

type Tell = (line: string) => void;

/** Every call to the system befallen by every fault, once and from then on. */
export const faults: Part = {
  name: "faults",
  title: "every call to the system fails, in every way",
  async run(size, tell) {
    const figures: Figure[] = [];
    for (const workload of ["small", "large"] as const) {
      figures.push(...(await proveWorkload(workload, strides[size][workload], tell)));
    }
    return figures;
  },
};

async function proveWorkload(
  workload: "small" | "large",
  stride: number,
  tell: Tell,
): Promise<Figure[]> {
  const isLarge = workload === "large";
  const { calls } = await runOnce(isLarge, undefined);
  const tally: Tally = { runs: 0, errors: 0, lost: 0, escaped: 0, untrue: 0 };
  const befallen = new Set<number>();
  let offset = 0;
  for (const kind of faultKinds) {
    for (const lasting of [false, true]) {
      // Each combination begins elsewhere, so that together they reach more of the calls.
      for (let at = offset++ % stride; at < calls; at += stride) {
        const fault = { kind, at, lasting };
        const { outcome, hasStruck } = await runOnce(isLarge, fault);
        if (!hasStruck) continue;
        befallen.add(at);
        judge(outcome, tally, (line) => tell(`${describe(fault)}, ${workload}: ${line}`));
      }
    }
    tell(`${workload}: ${kind}, ${tally.runs} runs so far`);
  }
  const none = (count: number, what: string): Figure => ({
    what: `${what}, ${workload} workload`,
    value: String(count),
    bar: "0",
    ok: count === 0,
  });
  return [
    {
      what: `runs with a fault, ${workload} workload`,
      value: `${tally.runs} at ${befallen.size} of ${calls} calls`,
      bar: stride === 1 ? "every call" : "a sample of the calls",
      ok: stride === 1 ? befallen.size === calls : befallen.size > 0,
    },
    {
      what: `errors answered, ${workload} workload`,
      value: String(tally.errors),
      bar: "more than 0",
      ok: tally.errors > 0,
    },
    none(tally.lost, "lost, torn, or wrongly shown"),
    none(tally.escaped, "exceptions out of WebAssembly, or that are none of ours"),
    none(tally.untrue, "errors that blame the file"),
  ];
}

function describe({ kind, at, lasting }: Fault): string {
  return `${kind} ${lasting ? "from" : "at"} call ${at}`;
}

function judge({ errors, wrong }: Outcome, tally: Tally, tell: Tell): void {
  tally.runs++;
  tally.errors += errors.length;
  tally.lost += wrong.length;
  for (const line of wrong) tell(line);
  for (const error of errors) {
    if (!(error instanceof StorageError) || error.cause instanceof WebAssembly.RuntimeError) {
      tally.escaped++;
      tell(String(error));
    } else if (falseClaims.has(error.code)) {
      tally.untrue++;
      tell(`${error.code}: ${error.message} (${String(error.cause)})`);
    }
  }
}

/** One run of the workload; what it leaves, killed and stopped, is opened without a fault. */
async function runOnce(isLarge: boolean, fault: Fault | undefined) {
  const scratch = mkdtempSync(join(fastFolder(), "todo-prove-"));
  const folder = join(scratch, "data");
  const faulty = createFaultyFs(fault);
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
    return { outcome, calls: faulty.calls(), hasStruck: faulty.hasStruck() };
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
