import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import * as fc from "fast-check";
import { type Model, schemas } from "../src/contract/schemas.ts";
import { validate } from "../src/contract/validate.ts";
import { statuses } from "../src/contract/values.ts";
import * as categories from "../src/storage/categories.ts";
import * as links from "../src/storage/links.ts";
import type { Owner } from "../src/storage/owner.ts";
import * as todos from "../src/storage/todos.ts";
import { type TestStore, openStore } from "./_store.ts";
import { type RawQuery, modelPage } from "./_todo-model.ts";

const now = "2026-11-20 12:00:00";

/** Of Ada's todos; Grace's have others. */
const ids = Array.from({ length: 120 }, () => randomUUID());
const projectIds = [randomUUID(), randomUUID(), randomUUID()];
/** The last is Grace's. */
const categoryIds = [randomUUID(), randomUUID(), randomUUID()];

// Few values of each kind, so that ties and matches are frequent.
const letter = fc.constantFrom("a", "A", "b", "ä", "Ä", "ж", "Ж", "%", "_", " ", "👣", "\uff21");
const text = fc.array(letter, { maxLength: 3 }).map((letters) => letters.join(""));
const date = fc.constantFrom("2026-11-30", "2026-12-01", "2026-12-02", "2027-01-01");
const time = fc.constantFrom("00:00:00", "09:30:00", "23:59:59");
const second = fc.nat(3).map((seconds) => `2026-11-20 12:00:0${seconds}`);
const status = fc.constantFrom(...statuses);
const projectId = fc.constantFrom(...projectIds);
const categoryId = fc.constantFrom(...categoryIds);

const newTodo = fc.record({
  title: text.map((letters) => `t${letters}`),
  description: fc.option(text),
  status,
  due_date: fc.option(date),
  due_time: fc.option(time),
  sync_enabled: fc.boolean(),
  reminder_enabled: fc.boolean(),
  recurring_enabled: fc.boolean(),
  project_id: fc.option(projectId),
  linked: fc.uniqueArray(categoryId),
  // Not always later than what was made before: clocks are set back, too.
  created_at: second,
  updated_at: fc.option(second),
});
type NewTodo = typeof newTodo extends fc.Arbitrary<infer T> ? T : never;

const flag = fc.constantFrom("true", "false", "1", "0");
const sortField = fc.constantFrom(
  "title",
  "status",
  "due_date",
  "due_time",
  "created_at",
  "updated_at",
  "nonsense",
  "",
);
const sort = fc
  .array(
    fc.tuple(fc.constantFrom("", "-"), sortField).map((parts) => parts.join("")),
    { maxLength: 3 },
  )
  .map((fields) => fields.join(","));
const paging = fc.record(
  {
    page: fc.oneof(
      fc.integer({ min: -1, max: 8 }).map(String),
      fc.constantFrom("", "x", "2.5", "1e9"),
    ),
    per_page: fc.oneof(
      fc.integer({ min: 1, max: 20 }).map(String),
      fc.constantFrom("", "0", "-5", "x", "1000", "200"),
    ),
    sort,
  },
  { requiredKeys: [] },
);
/** A value for each filter. */
const filters: Record<string, fc.Arbitrary<string>> = {
  id: fc
    .tuple(fc.constantFrom(...ids), fc.integer({ min: 4, max: 36 }))
    .map(([id, length]) => id.slice(0, length)),
  status: fc.array(status, { minLength: 1, maxLength: 3 }).map((some) => some.join(",")),
  project_id: projectId,
  category_id: categoryId,
  sync_enabled: flag,
  reminder_enabled: flag,
  recurring_enabled: flag,
  due_from: date,
  due_to: date,
  q: text,
};
/** At most three, since more of them leave nothing to compare. */
const filtering: fc.Arbitrary<RawQuery> = fc
  .subarray(Object.keys(filters), { maxLength: 3 })
  .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, filters[name]!]))));

describe("a list of todos", () => {
  let store: TestStore;
  let ada: Owner;
  /** Ada's todos, in the order of their creation. */
  let records: Model<"Todo">[];

  before(async () => {
    store = await openStore();
    ada = store.owner();
    const grace = store.owner();
    for (const [index, id] of categoryIds.entries()) {
      const fields = { id, name: id, color: "#112233", favorite: false, now };
      categories.insert(store.db, index < 2 ? ada : grace, fields);
    }
    const bodies = fc.sample(newTodo, ids.length);
    store.db.transaction(() => {
      records = bodies.map((body, index) => {
        add(grace, randomUUID(), body);
        return add(ada, ids[index]!, body);
      });
      // What is gone leaves no trace, in the totals neither.
      for (const gone of records.splice(20, 10)) todos.remove(store.db, ada, gone.id);
    });
  });
  after(() => store[Symbol.asyncDispose]());

  function add(owner: Owner, id: string, body: NewTodo): Model<"Todo"> {
    const { db } = store;
    const { linked, created_at, updated_at, ...fields } = body;
    const { seq } = todos.insert(db, owner, { ...fields, id, now: created_at });
    for (const category of linked) links.link(db, "todo_categories", seq, category);
    if (updated_at !== null) todos.update(db, owner, id, { now: updated_at });
    return todos.find(db, owner, id)!.todo;
  }

  function ask(raw: RawQuery) {
    const parsed: todos.TodoQuery = validate(schemas.todos.list.query, raw);
    return todos.list(store.db, ada, parsed);
  }

  test("shows what the rulings say, for any query", () => {
    let shown = 0;
    fc.assert(
      fc.property(paging, filtering, (page, filter) => {
        const raw = { ...page, ...filter };
        const expected = modelPage(records, raw);
        assert.deepEqual(ask(raw), expected);
        shown += expected.items.length;
      }),
      { numRuns: 1500 },
    );
    // Queries that find nothing prove nothing.
    assert.ok(shown > 3000, `only ${shown} records were shown`);
  });

  test("shows every record on exactly one page, for any order", () => {
    fc.assert(
      fc.property(sort, fc.integer({ min: 1, max: 50 }), (fields, size) => {
        const shown = [];
        for (let page = 1; page <= Math.ceil(records.length / size); page += 1) {
          const raw = { sort: fields, per_page: String(size), page: String(page) };
          shown.push(...ask(raw).items.map((item) => item.id));
        }
        assert.equal(shown.length, records.length);
        assert.equal(new Set(shown).size, records.length);
      }),
      { numRuns: 100 },
    );
  });
});
