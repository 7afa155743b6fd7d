import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { after, before, describe, test } from "node:test";
import { variants } from "../build/bench/filters.ts";
import { type Fixture, findFixture } from "../build/bench/fixture.ts";
import { create, get, listOf, oneTodo } from "../build/bench/requests.ts";
import { findRuntime } from "../build/bench/runtime.ts";
import type { Server } from "../build/bench/servers.ts";
import { quantile, ratiosOf } from "../build/bench/statistics.ts";
import { type Yardsticks, startYardsticks } from "../build/bench/yardsticks.ts";
import { temporaryFolder } from "./_server.ts";

const version = execFileSync(findRuntime(), ["--version"], { encoding: "utf8" });
const isOld = Number(/\d+/.exec(version)) < 24;

interface Answer {
  status: number;
  body: string;
}

/** Sends what the benchmark sends. */
async function ask(server: Server, request: string): Promise<Answer> {
  const [head = "", body] = request.split("\r\n\r\n");
  const [start = "", ...lines] = head.split("\r\n");
  const [method = "", target = ""] = start.split(" ");
  const response = await fetch(`http://127.0.0.1:${server.port}${target}`, {
    method,
    headers: lines.map((line) => line.split(": ") as [string, string]),
    ...(method === "POST" && { body: body! }),
  });
  return { status: response.status, body: await response.text() };
}

describe("the benchmark's peer", { skip: isOld && "Node 24 is not here" }, () => {
  const folder = temporaryFolder();
  let fixture: Fixture;
  let servers: Yardsticks;
  before(async () => {
    fixture = findFixture({ users: 2, todosPerUser: 120, description: 40 });
    servers = await startYardsticks(folder.path, fixture);
  });
  after(async () => {
    await servers[Symbol.asyncDispose]();
    folder[Symbol.dispose]();
  });

  async function askBoth(request: string): Promise<Answer> {
    const own = await ask(servers.todo, request);
    assert.deepEqual(await ask(servers.peer, request), own);
    return own;
  }

  test("answers one todo in the same bytes", async () => {
    for (const user of fixture.users) {
      const { status, body } = await askBoth(get(user, oneTodo(7)));
      assert.equal(status, 200);
      assert.ok(body.includes(user.todos[7]!));
    }
  });

  const pages = [listOf("per_page=50"), listOf("per_page=50&page=2"), listOf("per_page=20")];
  for (const [name, target] of [
    ...variants,
    ...pages.map((page) => ["no filter", page] as const),
  ]) {
    test(`answers a list in the same bytes: ${name}`, async () => {
      for (const user of fixture.users) {
        assert.equal((await askBoth(get(user, target))).status, 200);
      }
    });
  }

  test("makes the same todo", async () => {
    const user = fixture.users[0]!;
    const made = await Promise.all(
      [servers.todo, servers.peer].map(async (server) => {
        const { status, body } = await ask(server, create(user, 3));
        assert.equal(status, 201);
        const { data, ...envelope } = JSON.parse(body) as { data: { id: string } };
        const found = await ask(server, get({ ...user, todos: [data.id] }, oneTodo(0)));
        assert.deepEqual(JSON.parse(found.body).data, data);
        const todo = { ...data, id: "", created_at: "", updated_at: "" };
        return { envelope, todo };
      }),
    );
    assert.deepEqual(made[1], made[0]);
  });

  test("refuses a key that is none", async () => {
    const user = { ...fixture.users[0]!, key: `todo_${"0".repeat(38)}` };
    for (const server of [servers.todo, servers.peer]) {
      assert.equal((await ask(server, get(user, oneTodo(0)))).status, 401);
    }
  });
});

describe("the benchmark's statistics", () => {
  test("find quantiles between the values", () => {
    assert.equal(quantile([4, 1, 3, 2], 0.5), 2.5);
    assert.equal(quantile([5, 1], 1), 5);
  });

  test("compare what was measured in the same round", () => {
    assert.deepEqual(ratiosOf([10, 20, 90], [10, 10, 30]), { median: 2, low: 1, high: 3 });
  });
});
