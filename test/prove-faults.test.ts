import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";

import { createFaultyFs, type FaultyFs } from "../build/prove/fault-injection.ts";
import { runOnce } from "../build/prove/fault-run.ts";
import { countOverlaps } from "../build/prove/lock-race.ts";
import { nodeFs, type HostFs } from "../src/storage/host-fs.ts";
import { makeFolder } from "./_storage.ts";

describe("the proof by faults", () => {
  test("finds nothing wrong without a fault", async () => {
    const { confirmed, errors, wrong } = await runOnce(false, createFaultyFs());
    assert.deepEqual({ errors, wrong }, { errors: [], wrong: [] });
    assert.equal(confirmed.size, 5);
  });

  test("sees an error where a call fails, and nothing lost", async () => {
    const faulty = createFaultyFs({ kind: "EIO", at: 300, lasting: true });
    const { errors, wrong } = await runOnce(false, faulty);
    assert.ok(faulty.hasStruck());
    assert.ok(errors.length > 0);
    assert.deepEqual(wrong, []);
  });

  test("sees what a disk loses without a word", async () => {
    let writes = 0;
    const fs: HostFs = {
      ...nodeFs,
      writeSync: ((fd: number, bytes: Uint8Array, from: number, length: number, at: number) =>
        writes++ > 60 ? length : nodeFs.writeSync(fd, bytes, from, length, at)) as never,
    };
    const faulty: FaultyFs = { fs, calls: () => writes, hasStruck: () => true };
    assert.notDeepEqual((await runOnce(false, faulty)).wrong, []);
  });
});

describe("the proof of the lock", () => {
  function overlaps(t: Parameters<typeof makeFolder>[0], lines: readonly string[]) {
    const path = join(makeFolder(t), "testimony");
    writeFileSync(path, lines.map((line) => `${line}\n`).join(""));
    return countOverlaps(path);
  }

  test("accepts holders one after the other", (t) => {
    const found = overlaps(t, ["a 1", "a 5", "b 6", "b 9", "c 10"]);
    assert.deepEqual(found, { overlaps: 0, holders: 3 });
  });

  test("sees two holders at once, and one who was thought to be gone", (t) => {
    assert.equal(overlaps(t, ["a 1", "b 2", "a 3", "b 4"]).overlaps, 1);
    assert.equal(overlaps(t, ["a 1", "b 2", "b 3", "c 4", "a 9"]).overlaps, 2);
  });
});
