import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { describe, test } from "node:test";
import type { Part } from "../build/prove/part.ts";
import { toTable, withFigures } from "../build/prove/report.ts";
import { runParts } from "../build/prove/run-parts.ts";

const good = { what: "lost", value: "0", bar: "0", ok: true };
const bad = { what: "ready", value: "3 s", bar: "below 2 s", ok: false };
const results = [{ part: { name: "kill", title: "kill -9 under load" }, figures: [good, bad] }];

describe("the figures of the proof", () => {
  test("are a table with one row for each", () => {
    const table = toTable(results);
    assert.match(table, /^\| kill \| lost \| 0 \| 0 \| ✓ \|$/m);
    assert.match(table, /^\| kill \| ready \| 3 s \| below 2 s \| ✗ \|$/m);
  });

  test("replace those of a page, and nothing else of it", () => {
    const page = "# Proof\n\nText.\n\n## Figures\n\nOld.\n";
    const written = withFigures(page, results, "2026-11-20");
    assert.match(
      written,
      /^# Proof\n\nText\.\n\n## Figures\n\nMeasured with .*, on 2026-11-20\.\n/,
    );
    assert.ok(
      written.endsWith("\n- lost: **0** (must be: 0)\n- ✗ ready: **3 s** (must be: below 2 s)\n"),
    );
    assert.doesNotMatch(written, /Old/);
    assert.equal(withFigures(written, results, "2026-11-20"), written);
  });

  test("say so when a part could not be carried out", async () => {
    const part: Part = {
      name: "broken",
      title: "",
      run: () => Promise.reject(new Error("No such luck")),
    };
    const told: string[] = [];
    const [result] = await runParts([part], "ci", (line) => told.push(line));
    assert.deepEqual(
      result!.figures.map(({ ok }) => ok),
      [false],
    );
    assert.match(told.join("\n"), /No such luck/);
  });

  test("name a part that the process ends before", () => {
    for (const run of ["new Promise(() => {})", "process.exit(0)"]) {
      const { status, stderr } = runInProcess(`async () => ${run}`);
      assert.match(stderr, /endless: BAD the process ends before this part does/);
      assert.notEqual(status, 0);
    }
    const { status, stderr } = runInProcess("async () => []");
    assert.doesNotMatch(stderr, /BAD/);
    assert.equal(status, 0);
  });
});

/** Carries out a part, given as code, in a process of its own. */
function runInProcess(run: string) {
  const module = new URL("../build/prove/run-parts.ts", import.meta.url).href;
  const code = `import { runParts } from ${JSON.stringify(module)};
    await runParts([{ name: "endless", title: "", run: ${run} }], "ci", console.error);`;
  const args = ["--import", "tsx", "--input-type=module", "--eval", code];
  return spawnSync(process.execPath, args, { encoding: "utf8" });
}
