import assert from "node:assert/strict";
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
});
