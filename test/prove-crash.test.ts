import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { controls } from "../build/prove/crash/controls.ts";
import { exploreCrashes } from "../build/prove/crash/crashes.ts";
import { advance, emptyDisk, type Disk } from "../build/prove/crash/disk.ts";
import { exploreFailedSyncs, IN_PLACE } from "../build/prove/crash/failed-syncs.ts";
import { losses } from "../build/prove/crash/losses.ts";
import { randomFrom } from "../build/prove/crash/random.ts";
import { exploreRecoveries } from "../build/prove/crash/recoveries.ts";
import type { Task } from "../build/prove/crash/tasks.ts";
import type { DiskCall } from "../build/prove/crash/trace.ts";

/** A run of a few transactions between each start and stop. */
const tiny: Omit<Task, "part" | "limit"> = { seed: 1, extent: { steps: 2, isLarge: false } };

function diskAfter(calls: readonly DiskCall[]): Disk {
  const disk = emptyDisk();
  for (const call of calls) advance(disk, call);
  return disk;
}

/** What is left in the folder, as text. */
function left(disk: Disk, name: string): Record<string, string> {
  const loss = losses.find((one) => one.name === name);
  const snapshot = loss?.leave(disk, randomFrom(1)) ?? new Map<string, Buffer>();
  return Object.fromEntries([...snapshot].map(([entry, content]) => [entry, content.toString()]));
}

const file = { kind: "open", fd: 3, name: "file", created: true } as const;
const folder = { kind: "open", fd: 4, name: "", created: false } as const;
const write = (at: number, text: string): DiskCall => ({
  kind: "write",
  fd: 3,
  at,
  bytes: Buffer.from(text),
});
const sync = (fd: number): DiskCall[] => [
  { kind: "sync begins", fd, sync: fd },
  { kind: "sync ends", fd, sync: fd },
];

describe("the model of a disk", () => {
  const lost = "everything unsynced lost";

  test("keeps a file only once both it and its folder were synced", () => {
    const created = [file, folder, write(0, "one")];
    assert.deepEqual(left(diskAfter([...created, ...sync(3)]), lost), {});
    assert.deepEqual(left(diskAfter([...created, ...sync(4)]), lost), { file: "" });
    const both = [...created, ...sync(3), ...sync(4)];
    assert.deepEqual(left(diskAfter(both), lost), { file: "one" });
  });

  test("does not keep what was written after the sync began", () => {
    const [begins, ends] = sync(3);
    const calls = [file, folder, ...sync(4), write(0, "one"), begins!, write(3, "two"), ends!];
    assert.deepEqual(left(diskAfter(calls), lost), { file: "one" });
    assert.deepEqual(left(diskAfter(calls), "process killed"), { file: "onetwo" });
  });

  test("undoes a rename that was not synced", () => {
    const rename = { kind: "rename", from: "file", to: "final" } as const;
    const disk = diskAfter([file, folder, ...sync(4), rename]);
    assert.deepEqual(left(disk, lost), { file: "" });
    assert.deepEqual(left(disk, "process killed"), { final: "" });
  });
});

describe("the proof", () => {
  test("finds nothing wrong with a crash", async () => {
    const { hashes, bad, examples, native } = await exploreCrashes({
      ...tiny,
      part: "crash",
      limit: 200,
    });
    assert.deepEqual([bad, native.bad, examples], [0, 0, []]);
    assert.equal(hashes.length, 200);
    assert.ok(native.count > 0);
  });

  test("finds nothing wrong with a crash during recovery", async () => {
    const result = await exploreRecoveries({ ...tiny, part: "recovery", limit: 60 });
    assert.deepEqual([result.bad, result.examples], [0, []]);
    assert.equal(result.hashes.length, 60);
  });

  test("finds nothing wrong with a failed sync", async () => {
    const result = await exploreFailedSyncs({ ...tiny, part: "failed-sync", limit: 60 });
    assert.deepEqual([result.bad, result.examples], [0, []]);
    // Which syncs fail is left to chance.
    assert.ok(result.hashes.length > 0);
  });

  for (const { name } of controls) {
    test(`would notice: ${name}`, async () => {
      const task: Task = { ...tiny, part: "crash", limit: 300, maxBad: 1, control: name };
      assert.ok((await exploreCrashes(task)).bad > 0);
    });
  }

  test(`would notice: ${IN_PLACE}`, async () => {
    const extent = { steps: 25, isLarge: false };
    const task: Task = {
      seed: 1,
      extent,
      part: "failed-sync",
      limit: 300,
      maxBad: 1,
      control: IN_PLACE,
    };
    assert.ok((await exploreFailedSyncs(task)).bad > 0);
  });
});
