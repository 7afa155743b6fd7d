import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { setImmediate as endOfTurn } from "node:timers/promises";
import { type Departure, createDepartures } from "../src/server/departures.ts";

/** Lets answers depart at those moments of one turn, and tells which have left. */
function departAt(depart: Departure, moments: readonly number[]): number[] {
  const left: number[] = [];
  for (const moment of moments) void depart(moment).then(() => left.push(moment));
  return left;
}

/** What is resolved already has its consequences; the turn goes on. */
const microtasks = () => new Promise<void>((resolve) => process.nextTick(resolve));

describe("departures", () => {
  test("those of one turn of the event loop leave together, at its end", async () => {
    const left = departAt(createDepartures(), [10, 10.2, 10.9]);
    await microtasks();
    assert.deepEqual(left, []);
    await endOfTurn();
    assert.deepEqual(left, [10, 10.2, 10.9]);
  });

  test("nobody waits for long: after a millisecond all leave at once", async () => {
    const left = departAt(createDepartures(), [10, 10.5, 11, 11.1]);
    await microtasks();
    assert.deepEqual(left, [10, 10.5, 11]);
    await endOfTurn();
    assert.deepEqual(left, [10, 10.5, 11, 11.1]);
  });

  test("each turn begins anew", async () => {
    const depart = createDepartures();
    departAt(depart, [10]);
    await endOfTurn();
    const left = departAt(depart, [20]);
    await microtasks();
    assert.deepEqual(left, []);
    await endOfTurn();
    assert.deepEqual(left, [20]);
  });
});
