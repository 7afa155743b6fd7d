import { StorageError } from "../../src/storage/errors.ts";
import { createFaultyFs, faultKinds, type Fault } from "./fault-injection.ts";
import { runOnce } from "./fault-run.ts";
import type { Outcome } from "./fault-workload.ts";
import type { Figure, Part, Size } from "./part.ts";

/** Of so many calls of the small and the large workload, one is befallen. */
const strides: Record<Size, { small: number; large: number }> = {
  full: { small: 1, large: 801 },
  ci: { small: 37, large: 7403 },
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
  untimed: true,
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
  const sound = createFaultyFs();
  await runOnce(isLarge, sound);
  const calls = sound.calls();
  const tally: Tally = { runs: 0, errors: 0, lost: 0, escaped: 0, untrue: 0 };
  const befallen = new Set<number>();
  let offset = 0;
  for (const kind of faultKinds) {
    for (const lasting of [false, true]) {
      // Each combination begins elsewhere, so that together they reach more of the calls.
      for (let at = offset++ % stride; at < calls; at += stride) {
        const fault = { kind, at, lasting };
        const faulty = createFaultyFs(fault);
        const outcome = await runOnce(isLarge, faulty);
        if (!faulty.hasStruck()) continue;
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
