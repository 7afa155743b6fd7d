import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import * as fc from "fast-check";
import { schemas } from "../src/contract/schemas.ts";
import { validate } from "../src/contract/validate.ts";
import { schedules, statuses } from "../src/contract/values.ts";
import * as activity from "../src/storage/activity.ts";
import * as categories from "../src/storage/categories.ts";
import type { Connection, SqlValue } from "../src/storage/connection.ts";
import * as links from "../src/storage/links.ts";
import type { Owner } from "../src/storage/owner.ts";
import * as projects from "../src/storage/projects.ts";
import * as recurring from "../src/storage/recurring.ts";
import * as todos from "../src/storage/todos.ts";
import * as userThemes from "../src/storage/user-themes.ts";
import { type TestStore, openStore } from "./_store.ts";

const now = "2026-11-20 12:00:00";

/** A statement and how SQLite executes it, step by step. */
interface Planned {
  sql: string;
  steps: string[];
  /** The steps within each other one, by its text. */
  within: (step: string) => string[];
}

/** The connection, telling of every statement before it is executed. */
function watch(
  db: Connection,
  tell: (sql: string, params: readonly SqlValue[]) => void,
): Connection {
  return {
    all(sql, params = []) {
      tell(sql, params);
      return db.all(sql, params);
    },
    get(sql, params = []) {
      tell(sql, params);
      return db.get(sql, params);
    },
    run(sql, params = []) {
      tell(sql, params);
      return db.run(sql, params);
    },
    transaction: (action) => db.transaction(action),
    changes: (table) => db.changes(table),
  };
}

type List = (db: Connection, owner: Owner, raw: Record<string, string>) => unknown;
const lists = {
  todos: (db, owner, raw) => todos.list(db, owner, validate(schemas.todos.list.query, raw)),
  recurring: (db, owner, raw) =>
    recurring.list(db, owner, validate(schemas.recurring.list.query, raw)),
  categories: (db, owner, raw) =>
    categories.list(db, owner, validate(schemas.categories.list.query, raw)),
  projects: (db, owner, raw) =>
    projects.list(db, owner, validate(schemas.projects.list.query, raw)),
} satisfies Record<string, List>;
type Listed = keyof typeof lists;

describe("the indexes", () => {
  let store: TestStore;
  let ada: Owner;
  /** Records of Ada's. */
  let ids: Record<Listed, string>;

  before(async () => {
    store = await openStore();
    const owners = [store.owner(), store.owner(), store.owner()];
    ada = owners[1]!;
    store.db.transaction(() => {
      for (const owner of owners) fill(store.db, owner);
      ids = fill(store.db, ada);
    });
  });
  after(() => store[Symbol.asyncDispose]());

  /** The plans of everything that the action executes. */
  function plans(action: (db: Connection) => unknown): Planned[] {
    const found: Planned[] = [];
    action(
      watch(store.db, (sql, params) => {
        const explain = `EXPLAIN QUERY PLAN ${sql}`;
        const rows = store.db.all<{ id: number; parent: number; detail: string }>(explain, params);
        const within = (step: string) => {
          const outer = rows.find(({ detail }) => detail === step);
          return rows.filter(({ parent }) => parent === outer?.id).map(({ detail }) => detail);
        };
        found.push({ sql, steps: rows.map((row) => row.detail), within });
      }),
    );
    return found;
  }

  function plansOf(name: Listed, query: string): Planned[] {
    const raw = Object.fromEntries(new URLSearchParams(query));
    return plans((db) => lists[name](db, ada, raw));
  }

  /** How the rows of a page are found, without what is then read of each of them. */
  function pageSteps(name: Listed, query: string): string[] {
    return plansOf(name, query)[0]!.within("CO-ROUTINE page");
  }

  const isOfPage = (step: string) =>
    /^SEARCH \w+ USING INTEGER PRIMARY KEY \(rowid=\?\)$/.test(step);

  /** Every step reaches the rows of one owner or of one record, never a whole table. */
  function reachesOwnRows(planned: readonly Planned[]): void {
    assert.ok(planned.length > 0);
    for (const { sql, steps } of planned) {
      for (const step of steps) {
        if (/^(USE TEMP|CREATE BLOOM|(LIST|(CORRELATED )?SCALAR) SUBQUERY)/.test(step)) continue;
        // The rows of the page, whose finding has steps of its own, and what is read of them.
        if (/^(CO-ROUTINE|SCAN) page$/.test(step) || isOfPage(step)) continue;
        const expected = /^SEARCH (link|todo_categories|recurring_task_categories) /.test(step)
          ? /\((record|category_id)=\?/
          : /\(owner=\?/;
        assert.match(step, expected, sql);
      }
    }
  }

  const id = randomUUID();
  const flags = ["sync_enabled", "reminder_enabled", "recurring_enabled"] as const;
  const queries: Record<Listed, string[]> = {
    todos: [
      "",
      ...statuses.map((status) => `status=${status}`),
      `status=${statuses.join(",")}`,
      `project_id=${id}`,
      `category_id=${id}`,
      ...flags.flatMap((flag) => [`${flag}=0`, `${flag}=1`]),
      "due_from=2026-12-01",
      "due_to=2026-12-01",
      "due_from=2026-12-01&due_to=2026-12-31",
      "q=x",
      "id=abcd",
      `status=open&project_id=${id}&category_id=${id}&sync_enabled=0&due_from=2026-12-01&q=x`,
    ],
    recurring: [
      "",
      ...schedules.map((schedule) => `schedule=${schedule}`),
      "favorite=1",
      "favorite=0",
      "id=abcd",
    ],
    categories: ["", "favorite=1", "favorite=0", "id=abcd"],
    projects: ["", "id=abcd"],
  };
  const sortable: Record<Listed, string[]> = {
    todos: ["title", "status", "due_date", "due_time", "created_at", "updated_at"],
    recurring: ["title", "schedule", "created_at"],
    categories: ["name", "favorite", "created_at"],
    projects: ["name", "created_at"],
  };

  for (const name of Object.keys(lists) as Listed[]) {
    const sorts = sortable[name].flatMap((field) => [field, `-${field}`]);
    for (const filter of queries[name]) {
      test(`serve ${name} with ${filter || "no filter"}, in every order`, () => {
        for (const sort of ["", ...sorts, sortable[name].join(",")]) {
          reachesOwnRows(plansOf(name, `${filter}&sort=${sort}`));
        }
      });
    }

    test(`give the default order of ${name} without sorting`, () => {
      assert.deepEqual(pageSteps(name, "").length, 1);
    });
  }

  for (const [name, sorts] of [
    ["todos", ["title", "due_date", "due_time", "created_at", "updated_at"]],
    ["recurring", ["title", "created_at"]],
    ["categories", ["name", "favorite", "created_at"]],
    ["projects", ["name", "created_at"]],
  ] as const) {
    for (const sort of sorts.flatMap((field) => [field, `-${field}`])) {
      test(`give ${name} by ${sort} without sorting`, () => {
        const steps = pageSteps(name, `sort=${sort}`);
        assert.equal(steps.length, 1, steps.join("\n"));
        assert.doesNotMatch(steps[0]!, /TEMP B-TREE/);
      });
    }
  }

  for (const [name, query, expected] of [
    ["todos", "status=open", /\(owner=\? AND status=\?\)/],
    ["todos", `project_id=${id}`, /\(owner=\? AND project_id=\?\)/],
    ["todos", "sync_enabled=0", /todos_not_synced/],
    ["todos", "reminder_enabled=1", /todos_reminding/],
    ["todos", "recurring_enabled=1", /todos_recurring/],
    ["recurring", "schedule=daily", /\(owner=\? AND schedule=\?\)/],
    ["recurring", "favorite=1", /\(owner=\? AND favorite=\?\)/],
  ] as const) {
    test(`lead ${name} with ${query} to what matches, in the default order`, () => {
      const steps = pageSteps(name, query);
      assert.equal(steps.length, 1, steps.join("\n"));
      assert.match(steps[0]!, expected);
    });
  }

  for (const [query, expected] of [
    ["id=abcd", /\(owner=\? AND id>\? AND id<\?\)/],
    ["due_from=2026-12-01&due_to=2026-12-31", /\(owner=\? AND due_date>\? AND due_date<\?\)/],
    ["due_from=2026-12-01&sort=due_date", /\(owner=\? AND due_date>\?\)/],
  ] as const) {
    test(`lead todos with ${query} to what matches`, () => {
      assert.match(pageSteps("todos", query)[0]!, expected);
    });
  }

  test("lead from the records of a page to their categories, not from all links to the page", () => {
    for (const name of ["todos", "recurring"] as const) {
      const { steps } = plansOf(name, "")[0]!;
      const [scan, row, linked] = steps.slice(steps.indexOf("SCAN page"), -1);
      assert.equal(scan, "SCAN page");
      assert.ok(isOfPage(row!));
      assert.equal(linked, "CORRELATED SCALAR SUBQUERY 1");
      assert.match(steps.at(-1)!, /^SEARCH link USING PRIMARY KEY \(record=\?\)$/);
    }
  });

  test("serve the unpaginated lists, the log without sorting", () => {
    reachesOwnRows(plans((db) => userThemes.list(db, ada)));
    const log = plans((db) => activity.list(db, ada, 50));
    reachesOwnRows(log);
    assert.equal(log[0]!.steps.length, 1);
  });

  test("lead to single records, to be read, changed and removed", () => {
    const resources = { todos, recurring, categories, projects } as const;
    for (const name of Object.keys(resources) as Listed[]) {
      const planned = plans((db) => {
        resources[name].find(db, ada, ids[name]);
        resources[name].update(db, ada, ids[name], { title: "new", name: "new", now });
        resources[name].remove(db, ada, randomUUID());
      });
      reachesOwnRows(planned);
    }
    reachesOwnRows(
      plans((db) => {
        todos.leaveProject(db, ada, ids.projects);
        categories.findByName(db, ada, "1");
        categories.remove(db, ada, ids.categories);
        userThemes.find(db, ada, id);
        userThemes.findByTheme(db, ada, id);
        activity.find(db, ada, id);
        links.unlinkAll(db, "todo_categories", 1);
        links.unlink(db, "todo_categories", 1, id);
      }),
    );
  });
});

describe("the totals of todos", () => {
  let store: TestStore;
  before(async () => {
    store = await openStore();
  });
  after(() => store[Symbol.asyncDispose]());

  function total(db: Connection, owner: Owner, raw: Record<string, string>): number {
    return todos.list(db, owner, validate(schemas.todos.list.query, raw)).total;
  }

  test("are kept, and not counted, without a filter and by status", () => {
    const owner = store.owner();
    fill(store.db, owner);
    const executed: string[] = [];
    const db = watch(store.db, (sql) => executed.push(sql));
    const counts = () => executed.splice(0).filter((sql) => /count\s*\(/i.test(sql)).length;
    for (const raw of [{}, { status: "open" }, { status: "open,archived" }, { sort: "title" }]) {
      assert.ok(total(db, owner, raw) > 0);
      assert.equal(counts(), 0, JSON.stringify(raw));
    }
    total(db, owner, { status: "open", sync_enabled: "1" });
    assert.equal(counts(), 1);
  });

  const step = fc.record({
    kind: fc.constantFrom("add", "add", "move", "rename", "remove", "fail"),
    owner: fc.nat(1),
    index: fc.nat(20),
    status: fc.constantFrom(...statuses),
  });

  test("stay right, whatever is added, changed, removed and undone", () => {
    const { db } = store;
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const owners = [store.owner(), store.owner()];
        const made: string[][] = [[], []];
        db.transaction(() => {
          for (const { kind, owner: which, index, status } of steps) {
            const [owner, ids] = [owners[which]!, made[which]!];
            const id = ids[index % Math.max(1, ids.length)] ?? randomUUID();
            if (kind === "add") ids.push(addTodo(db, owner, status));
            else if (kind === "move") todos.update(db, owner, id, { status, now });
            else if (kind === "rename") todos.update(db, owner, id, { title: "new", now });
            else if (kind === "remove") todos.remove(db, owner, id);
            else failAfter(() => addTodo(db, owner, status));
          }
        });
        for (const owner of owners) matchesCount(owner);
      }),
      { numRuns: 150 },
    );
  });

  test("of a user that is gone do not count for the next", () => {
    const { db } = store;
    const gone = store.owner();
    addTodo(db, gone, "open");
    db.run("DELETE FROM users WHERE seq = ?", [gone.seq]);
    const next = store.owner();
    // SQLite gives the number of the last row anew.
    assert.equal(next.seq, gone.seq);
    matchesCount(next);
  });

  function failAfter(work: () => void): void {
    assert.throws(() =>
      store.db.transaction(() => {
        work();
        throw new Error("undone");
      }),
    );
  }

  function matchesCount(owner: Owner): void {
    const { db } = store;
    const rows = db.all<{ status: string; total: number }>(
      "SELECT status, COUNT(*) AS total FROM todos WHERE owner = ? GROUP BY status",
      [owner.seq],
    );
    const counted = new Map(rows.map((row) => [row.status, row.total]));
    for (const status of statuses) {
      assert.equal(total(db, owner, { status }), counted.get(status) ?? 0, status);
    }
    const all = [...counted.values()].reduce((sum, count) => sum + count, 0);
    assert.equal(total(db, owner, {}), all);
    const two = (counted.get("open") ?? 0) + (counted.get("archived") ?? 0);
    assert.equal(total(db, owner, { status: "open,archived" }), two);
  }
});

function addTodo(db: Connection, owner: Owner, status: (typeof statuses)[number]): string {
  const id = randomUUID();
  const flags = { sync_enabled: true, reminder_enabled: false, recurring_enabled: false };
  todos.insert(db, owner, { id, title: "x", status, now, ...flags });
  return id;
}

/** Gives the owner 400 todos and some of everything else; returns one record of each kind. */
function fill(db: Connection, owner: Owner): Record<Listed, string> {
  const color = "#112233";
  const made = { todos: "", recurring: "", categories: "", projects: "" };
  for (let n = 0; n < 20; n += 1) {
    made.categories = randomUUID();
    made.projects = randomUUID();
    made.recurring = randomUUID();
    const name = randomUUID();
    const favorite = n % 5 === 0;
    categories.insert(db, owner, { id: made.categories, name, color, favorite, now });
    projects.insert(db, owner, { id: made.projects, name, color, now });
    recurring.insert(db, owner, {
      id: made.recurring,
      title: name,
      schedule: schedules[n % schedules.length]!,
      custom_days: [],
      favorite,
      now,
    });
  }
  for (let n = 0; n < 400; n += 1) {
    made.todos = randomUUID();
    const { seq } = todos.insert(db, owner, {
      id: made.todos,
      title: `todo ${n % 50}`,
      status: statuses[n % statuses.length]!,
      due_date: n % 3 === 0 ? null : `2026-12-${10 + (n % 20)}`,
      sync_enabled: n % 10 > 0,
      reminder_enabled: n % 9 === 0,
      recurring_enabled: n % 8 === 0,
      project_id: n % 2 === 0 ? made.projects : null,
      now: `2026-11-20 12:00:${10 + (n % 50)}`,
    });
    links.link(db, "todo_categories", seq, made.categories);
  }
  return made;
}
