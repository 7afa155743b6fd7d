import assert from "node:assert/strict";
import { after, before, describe, test } from "node:test";
import { createAccount } from "../build/prove/account.ts";
import { type Answer, type Http, createHttp } from "../build/prove/http.ts";
import { experimentOn, judge } from "../build/prove/linearizability.ts";
import {
  type History,
  type Interval,
  type Read,
  findViolations,
} from "../build/prove/linearizability/register.ts";
import { countDisagreements } from "../build/prove/linearizability/snapshots.ts";
import { type TestServer, startServer } from "./_server.ts";

type Span = readonly [start: number, end: number];

const write = ([start, end]: Span, value: string) => ({ start, end, value });
const read = ([start, end]: Span, text: string): Read<string> => ({
  start,
  end,
  text,
  shows: (value) => value === text,
});

function check(writes: History<string>["writes"], reads: Read<string>[]): string[] {
  return findViolations({ initial: "", writes, reads });
}

describe("the checker of a register", () => {
  const writes = [write([10, 20], "a"), write([30, 40], "b"), write([50, Infinity], "c")];

  test("accepts what was written last", () => {
    assert.deepEqual(
      check(writes, [read([1, 2], ""), read([21, 22], "a"), read([41, 42], "b")]),
      [],
    );
  });

  test("accepts the old and the new value while a write is under way", () => {
    assert.deepEqual(check(writes, [read([31, 35], "a"), read([32, 36], "b")]), []);
    assert.deepEqual(check(writes, [read([31, 35], "b"), read([32, 36], "a")]), []);
  });

  test("finds a dropped write", () => {
    assert.deepEqual(check(writes, [read([41, 42], "a")]), ['a was read after "b"']);
  });

  test("finds a value that vanished after it was read, though its write was never answered", () => {
    const reads = [read([60, 61], "c"), read([62, 63], "b")];
    assert.deepEqual(check(writes, reads), ['b was read after "c"']);
  });

  test("finds a value from the future, and one that was never written", () => {
    assert.equal(check(writes, [read([21, 22], "b")]).length, 1);
    assert.equal(check(writes, [read([21, 22], "x")]).length, 1);
  });

  test("takes a value that was held several times for any of them", () => {
    const again = [write([1, 2], "a"), write([3, 4], ""), write([5, 8], "a"), write([9, 10], "")];
    assert.deepEqual(check(again, [read([6, 7], ""), read([6, 7], "a"), read([11, 12], "")]), []);
    const reads = [read([5, 6], "a"), read([7, 7.5], "")];
    assert.deepEqual(check(again, reads), [' was read after "a"']);
  });

  test("agrees with trying all orders, on random histories", () => {
    const random = createRandom(5);
    const verdicts = { linearizable: 0, violated: 0 };
    for (let round = 0; round < 3000; round += 1) {
      const history = randomHistory(random);
      const isRight = canBeOrdered(history);
      assert.equal(findViolations(history).length === 0, isRight, JSON.stringify(history));
      verdicts[isRight ? "linearizable" : "violated"] += 1;
    }
    assert.ok(verdicts.linearizable > 300 && verdicts.violated > 300, JSON.stringify(verdicts));
  });
});

describe("the checker of snapshots", () => {
  const snapshot = ([start, end]: Span, ...versions: [number, number][]) => ({
    start,
    end,
    versions: new Map(versions),
  });

  test("accepts snapshots of which one is newer in everything", () => {
    const first = snapshot([1, 5], [0, 1], [1, 2]);
    assert.equal(countDisagreements([first, snapshot([2, 6], [0, 1], [1, 3], [2, 7])]), 0);
  });

  test("finds two at the same time of which each is newer in something", () => {
    const first = snapshot([1, 5], [0, 1], [1, 2]);
    assert.equal(countDisagreements([first, snapshot([2, 6], [0, 2], [1, 1])]), 1);
  });
});

describe("clients at a server, and what they conclude", () => {
  let server: TestServer;
  let http: Http;
  before(async () => {
    server = await startServer();
    http = createHttp(server.url);
  });
  after(async () => {
    http[Symbol.dispose]();
    await server[Symbol.asyncDispose]();
  });

  /** What an experiment concludes in which requests go that way. */
  async function conclude(send: Http["send"]) {
    const running = { http: { ...http, send }, ended: new Promise<never>(() => {}) };
    const restarting = {
      current: async () => running,
      killAndRestart: async () => {},
      [Symbol.asyncDispose]: async () => {},
    };
    const { key } = await createAccount(http);
    const experiment = await experimentOn(restarting, key, { operations: 400, kills: 0 }, () => {});
    return { ...judge(experiment), wrong: experiment.wrong };
  }

  test("find nothing in one that is right", async () => {
    const found = await conclude((request) => http.send(request));
    assert.deepEqual(found, { violations: [], disagreements: 0, wrong: [] });
  });

  test("notice a read that is answered from before", async () => {
    const earlier = new Map<string, Promise<Answer>>();
    const { violations } = await conclude((request) => {
      const { method, target } = request;
      if (method !== "GET" || target.includes("?")) return http.send(request);
      const answer = earlier.get(target) ?? http.send(request);
      earlier.set(target, answer);
      return answer;
    });
    assert.ok(violations.length > 0);
  });

  test("notice a write that is answered, and dropped", async () => {
    let count = 0;
    const { violations } = await conclude(async (request) => {
      const { method, target, headers = {}, body } = request;
      if (method !== "PUT" || (count += 1) % 5 > 0) return http.send(request);
      const { text, ...answer } = await http.send({ method: "GET", target, headers });
      const { data } = JSON.parse(text) as { data: object };
      const changes = JSON.parse(String(body)) as object;
      return { ...answer, text: JSON.stringify({ data: { ...data, ...changes } }) };
    });
    assert.ok(violations.length > 0);
  });
});

function createRandom(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1103515245) + 12345) >>> 0;
    return (state >>> 8) % below;
  };
}

function randomHistory(random: (below: number) => number): History<string> {
  const writes: History<string>["writes"] = [];
  let time = 0;
  for (let number = 0; number < 3; number += 1) {
    const start = (time += 1 + random(4));
    const end = (time += 1 + random(5));
    writes.push(write([start, end], ["a", "b", ""][random(3)]!));
  }
  const reads = Array.from({ length: 3 }, () => {
    // Never at the same moment as a write, so that what is before what is beyond doubt.
    const start = random(20) + 0.25 + random(10) / 100;
    return read([start, start + random(8) + 0.3], ["a", "b", ""][random(3)]!);
  });
  return { initial: "", writes, reads };
}

/** By definition: whether some order that keeps to the intervals explains every read. */
function canBeOrdered({ initial, writes, reads }: History<string>): boolean {
  type Step = Interval & { apply: (value: string) => string | undefined };
  const steps: Step[] = [
    ...writes.map(({ value, ...span }) => ({ ...span, apply: () => value })),
    ...reads.map(({ start, end, shows }) => ({
      start,
      end,
      apply: (value: string) => (shows(value) ? value : undefined),
    })),
  ];
  function search(left: readonly Step[], value: string): boolean {
    if (left.length === 0) return true;
    return left.some((step) => {
      const rest = left.filter((other) => other !== step);
      if (rest.some(({ end }) => end < step.start)) return false;
      const next = step.apply(value);
      return next !== undefined && search(rest, next);
    });
  }
  return search(steps, initial);
}
