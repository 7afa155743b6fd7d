import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { failure } from "./_expect.ts";
import { type TestServer, type TestUser, startServer } from "./_server.ts";

interface Item {
  id: string;
  [field: string]: unknown;
}
type Pagination = Record<"page" | "per_page" | "total" | "last_page", number> & {
  has_more: boolean;
};

let server: TestServer;

/** A page of a list; `query` is the query string, which some tests need to be odd. */
async function list(
  { key }: TestUser,
  path: string,
  query = "",
): Promise<{ data: Item[]; pagination: Pagination }> {
  const response = await server.request("GET", `/api/v1${path}?${query}`, { key });
  assert.equal(response.status, 200, response.text);
  return response.body;
}

async function create({ key }: TestUser, path: string, body: object): Promise<Item> {
  const response = await server.request("POST", `/api/v1${path}`, { key, body });
  assert.equal(response.status, 201, response.text);
  return response.body.data;
}

/** The given field of every record that a query finds, in order. */
async function column(user: TestUser, path: string, query: string, field: string) {
  return (await list(user, path, query)).data.map((item) => item[field]);
}

async function refuses({ key }: TestUser, path: string, name: string, value: string) {
  const query = `${name}=${encodeURIComponent(value)}`;
  const response = await server.request("GET", `/api/v1${path}?${query}`, { key });
  failure(response, 422, "Validation failed");
  assert.deepEqual(Object.keys(response.body.errors), [name], query);
}

const paginated = [
  { path: "/todos", name: "title", message: "Todos retrieved successfully" },
  { path: "/recurring-tasks", name: "title", message: "Recurring tasks retrieved successfully" },
  { path: "/categories", name: "name", message: "Categories retrieved successfully" },
  { path: "/projects", name: "name", message: "Projects retrieved successfully" },
] as const;

describe("lists", () => {
  before(async () => {
    server = await startServer();
  });
  after(() => server[Symbol.asyncDispose]());

  for (const { path, name, message } of paginated) {
    describe(`GET ${path}`, () => {
      let ada: TestUser;
      /** Made within one second, in this order. */
      const made: Item[] = [];
      const names = (items: readonly Item[]) => items.map((item) => item[name]);
      before(async () => {
        ada = await server.register();
        for (const text of ["d", "b", "a", "e", "c", "g", "f"]) {
          made.push(await create(ada, path, { [name]: text, color: "#112233" }));
        }
      });

      test("answers the records, newest first, and where the page lies", async () => {
        const response = await server.request("GET", `/api/v1${path}`, { key: ada.key });
        assert.equal(response.status, 200);
        assert.deepEqual(Object.keys(response.body), ["success", "message", "data", "pagination"]);
        assert.equal(response.body.message, message);
        assert.deepEqual(response.body.data, made.toReversed());
        assert.deepEqual(Object.entries(response.body.pagination), [
          ["page", 1],
          ["per_page", 50],
          ["total", 7],
          ["last_page", 1],
          ["has_more", false],
        ]);
      });

      test("is divided into pages that neither overlap nor leave a gap", async () => {
        for (const sort of ["", name, `-${name}`, "created_at", "-created_at"]) {
          const all: Item[] = [];
          for (let page = 1; page <= 4; page += 1) {
            const { data, pagination } = await list(
              ada,
              path,
              `per_page=2&page=${page}&sort=${sort}`,
            );
            assert.deepEqual(pagination, {
              page,
              per_page: 2,
              total: 7,
              last_page: 4,
              has_more: page < 4,
            });
            assert.equal(data.length, page < 4 ? 2 : 1);
            all.push(...data);
          }
          assert.deepEqual(all, (await list(ada, path, `sort=${sort}`)).data);
          assert.equal(new Set(all.map((item) => item.id)).size, 7);
        }
      });

      test("is empty past the end", async () => {
        for (const page of [3, 1_000_000_000]) {
          const { data, pagination } = await list(ada, path, `per_page=5&page=${page}`);
          assert.deepEqual(data, []);
          assert.deepEqual(pagination, {
            page,
            per_page: 5,
            total: 7,
            last_page: 2,
            has_more: false,
          });
        }
      });

      test("has one page when there is nothing", async () => {
        const { data, pagination } = await list(await server.register(), path);
        assert.deepEqual(data, []);
        assert.deepEqual(pagination, {
          page: 1,
          per_page: 50,
          total: 0,
          last_page: 1,
          has_more: false,
        });
      });

      for (const [parameter, given, expected] of [
        ["page", "2", 2],
        ["page", "0", 1],
        ["page", "-3", 1],
        ["page", "2.9", 2],
        ["page", "", 1],
        ["page", "two", 1],
        ["page", "NaN", 1],
        ["page", "-Infinity", 1],
        ["per_page", "1", 1],
        ["per_page", "0", 1],
        ["per_page", "-1", 1],
        ["per_page", "200", 200],
        ["per_page", "201", 200],
        ["per_page", "99999999999999999999", 200],
        ["per_page", "Infinity", 200],
        ["per_page", "", 50],
        ["per_page", "%20", 50],
        ["per_page", "all", 50],
        ["per_page", "5,5", 50],
      ] as const) {
        test(`takes ${parameter}=${given} as ${expected}`, async () => {
          const { pagination } = await list(ada, path, `${parameter}=${given}`);
          assert.equal(pagination[parameter], expected);
        });
      }

      test("answers a page number past every list with a page of that kind", async () => {
        const { data, pagination } = await list(ada, path, "page=1e300&per_page=200");
        assert.deepEqual(data, []);
        assert.ok(Number.isSafeInteger(pagination.page));
      });

      test("takes the first of a parameter that is given twice", async () => {
        const { pagination } = await list(ada, path, "per_page=3&per_page=4");
        assert.equal(pagination.per_page, 3);
      });

      test(`sorts by ${name}, in both directions`, async () => {
        const sorted = ["a", "b", "c", "d", "e", "f", "g"];
        assert.deepEqual(names((await list(ada, path, `sort=${name}`)).data), sorted);
        assert.deepEqual(names((await list(ada, path, `sort=-${name}`)).data), sorted.toReversed());
      });

      test("breaks ties by creation, in the direction of created_at", async () => {
        assert.deepEqual((await list(ada, path, "sort=created_at")).data, made);
        assert.deepEqual((await list(ada, path, "sort=-created_at")).data, made.toReversed());
      });

      test("ignores unknown fields, and takes the default order when none is left", async () => {
        for (const sort of [
          "id",
          "-user_id",
          "color",
          "",
          ",",
          "-",
          `--${name}`,
          "1",
          "seq",
          "%00",
          "';",
        ]) {
          assert.deepEqual((await list(ada, path, `sort=${sort}`)).data, made.toReversed(), sort);
        }
        const mixed = await list(ada, path, `sort=nonsense,-${name},color`);
        assert.equal(names(mixed.data)[0], "g");
      });

      test("lets the first of a repeated field decide", async () => {
        assert.equal(names((await list(ada, path, `sort=${name},-${name}`)).data)[0], "a");
      });

      test("sorts text without regard to case, in all scripts", async () => {
        const user = await server.register();
        const sorted = ["äb", "Äc", "äd", "ñ", "Жa", "жb", "👣"];
        for (const text of sorted.toReversed()) {
          await create(user, path, { [name]: text, color: "#112233" });
        }
        assert.deepEqual(await column(user, path, `sort=${name}`, name), sorted);
        assert.deepEqual(await column(user, path, `sort=-${name}`, name), sorted.toReversed());
      });

      test("finds one record by its id, in either case", async () => {
        const { id } = made[2]!;
        for (const given of [id, id.toUpperCase()]) {
          const { data, pagination } = await list(ada, path, `id=${given}`);
          assert.deepEqual(data, [made[2]]);
          assert.equal(pagination.total, 1);
        }
        assert.deepEqual((await list(ada, path, `id=${randomUUID()}`)).data, []);
      });

      test("finds records by the start of their id", async () => {
        for (let length = 4; length < 36; length += 1) {
          const prefix = made[4]!.id.slice(0, length);
          const expected = made.filter((item) => item.id.startsWith(prefix)).toReversed();
          assert.deepEqual((await list(ada, path, `id=${prefix.toUpperCase()}`)).data, expected);
        }
      });

      test("finds no record of another user by its id", async () => {
        const { data, pagination } = await list(await server.register(), path, `id=${made[0]!.id}`);
        assert.deepEqual(data, []);
        assert.equal(pagination.total, 0);
      });

      test("refuses an id that is too short or no id", async () => {
        for (const id of [
          "",
          "a",
          "abc",
          "abcg",
          "%",
          "____",
          "abcd%",
          `${randomUUID()}0`,
          "-abc",
        ]) {
          await refuses(ada, path, "id", id);
        }
      });

      test("ignores parameters that it does not know", async () => {
        const { pagination } = await list(ada, path, "nonsense=1&user_id=1&__proto__=1&limit=1");
        assert.equal(pagination.total, 7);
      });
    });
  }

  describe("sorting todos", () => {
    let ada: TestUser;
    before(async () => {
      ada = await server.register();
      // Titles name the records; all are made within one second.
      for (const [title, status, due_date, due_time] of [
        ["1", "open", "2026-12-24", null],
        ["2", "completed", null, "09:00:00"],
        ["3", "open", "2026-12-01", "18:00:00"],
        ["4", "archived", "2026-12-24", "18:00:00"],
        ["5", "in_progress", null, null],
      ] as const) {
        await create(ada, "/todos", { title, status, due_date, due_time });
      }
    });
    const titles = async (sort: string) =>
      (await column(ada, "/todos", `sort=${sort}`, "title")).join("");

    for (const [sort, expected] of [
      // Missing dates and times come last in both directions; ties follow the direction.
      ["due_date", "31425"],
      ["-due_date", "41352"],
      ["due_time", "23415"],
      ["-due_time", "43251"],
      // As text: archived, completed, in_progress, open.
      ["status", "42513"],
      ["-status", "31524"],
      ["due_date,due_time", "34125"],
      ["due_date,-due_time", "34125"],
      ["-due_date,due_time", "41325"],
      ["-due_date,-title", "41352"],
      ["status,-due_date", "42513"],
      ["status,due_date", "42531"],
      // `created_at` decides the direction of ties, wherever it stands.
      ["due_date,-created_at", "34152"],
      ["-due_date,created_at", "14325"],
      // All of one second: the next field decides before the order of creation does.
      ["-created_at,due_date", "34152"],
      ["updated_at", "12345"],
      ["-updated_at", "54321"],
      ["-updated_at,created_at", "12345"],
    ] as const) {
      test(`by ${sort}`, async () => {
        assert.equal(await titles(sort), expected);
      });
    }

    test("by the time of the last update", async () => {
      const user = await server.register();
      const first = await create(user, "/todos", { title: "first" });
      server.advance(1000);
      await create(user, "/todos", { title: "second" });
      server.advance(1000);
      await user.client.todos.update({ params: { id: first.id }, body: { status: "completed" } });
      assert.deepEqual(await column(user, "/todos", "sort=updated_at", "title"), [
        "second",
        "first",
      ]);
      assert.deepEqual(await column(user, "/todos", "sort=created_at", "title"), [
        "first",
        "second",
      ]);
    });

    test("keeps the order of equal records across pages", async () => {
      const user = await server.register();
      for (let index = 0; index < 9; index += 1) {
        await create(user, "/todos", {
          title: index % 2 ? "odd" : "EVEN",
          description: `${index}`,
        });
      }
      for (const [sort, expected] of [
        ["title", "024681357"],
        ["-title", "753186420"],
        ["title,-created_at", "864207531"],
        ["-title,created_at", "135702468"],
        ["due_date", "012345678"],
        ["-due_date", "876543210"],
      ] as const) {
        let found = "";
        for (const page of [1, 2, 3, 4, 5]) {
          const query = `per_page=2&page=${page}&sort=${sort}`;
          found += (await column(user, "/todos", query, "description")).join("");
        }
        assert.equal(found, expected, sort);
      }
    });
  });

  describe("sorting categories and recurring tasks", () => {
    test("by favorite", async () => {
      const ada = await server.register();
      for (const [name, favorite] of [
        ["1", true],
        ["2", false],
        ["3", true],
        ["4", false],
      ] as const) {
        await create(ada, "/categories", { name, favorite, color: "#112233" });
      }
      const names = async (sort: string) =>
        (await column(ada, "/categories", `sort=${sort}`, "name")).join("");
      assert.equal(await names("favorite"), "2413");
      assert.equal(await names("-favorite"), "3142");
      assert.equal(await names("-favorite,name"), "1324");
    });

    test("by schedule, as text", async () => {
      const ada = await server.register();
      for (const [title, schedule] of [
        ["1", "weekly"],
        ["2", "daily"],
        ["3", "monthly"],
        ["4", "custom"],
        ["5", "daily"],
      ] as const) {
        await create(ada, "/recurring-tasks", { title, schedule });
      }
      const titles = async (sort: string) =>
        (await column(ada, "/recurring-tasks", `sort=${sort}`, "title")).join("");
      assert.equal(await titles("schedule"), "42531");
      assert.equal(await titles("-schedule"), "13524");
      assert.equal(await titles("schedule,-title"), "45231");
      // Not a field to sort by.
      assert.equal(await titles("updated_at"), "54321");
    });
  });

  describe("filtering todos", () => {
    let ada: TestUser;
    let home: Item;
    let urgent: Item;
    before(async () => {
      ada = await server.register();
      home = await create(ada, "/projects", { name: "Home" });
      urgent = await create(ada, "/categories", { name: "urgent", color: "#112233" });
      const flags = (sync: boolean, reminder: boolean, recurring: boolean) => ({
        sync_enabled: sync,
        reminder_enabled: reminder,
        recurring_enabled: recurring,
      });
      const bodies = [
        { title: "1", ...flags(true, false, false), due_date: "2026-12-01" },
        { title: "2", ...flags(false, true, false), due_date: "2026-12-24", status: "completed" },
        { title: "3", ...flags(false, false, true), project_id: home.id, status: "archived" },
        { title: "4", ...flags(true, true, true), project_id: home.id, category_id: urgent.id },
        { title: "5", category_id: urgent.id, due_date: "2027-01-01", status: "in_progress" },
      ];
      for (const body of bodies) await create(ada, "/todos", body);
    });

    const titles = async (query: string) => {
      const { data, pagination } = await list(ada, "/todos", `sort=title&${query}`);
      assert.equal(pagination.total, data.length, query);
      return data.map((item) => item["title"]).join("");
    };

    for (const [query, expected] of [
      ["", "12345"],
      ["status=open", "14"],
      ["status=archived", "3"],
      ["status=open,completed", "124"],
      ["status=completed,completed", "2"],
      ["status=open,in_progress,completed,archived", "12345"],
      ["sync_enabled=true", "145"],
      ["sync_enabled=1", "145"],
      ["sync_enabled=false", "23"],
      ["sync_enabled=0", "23"],
      ["reminder_enabled=true", "24"],
      ["reminder_enabled=0", "135"],
      ["recurring_enabled=1", "34"],
      ["recurring_enabled=false", "125"],
      ["due_from=2026-12-24", "25"],
      ["due_from=2026-12-25", "5"],
      ["due_to=2026-12-24", "12"],
      ["due_to=2026-11-30", ""],
      ["due_from=2026-12-01&due_to=2026-12-24", "12"],
      ["due_from=2026-12-24&due_to=2026-12-24", "2"],
      // An inverted range.
      ["due_from=2026-12-24&due_to=2026-12-01", ""],
      ["status=open&sync_enabled=1&reminder_enabled=1&recurring_enabled=1", "4"],
      ["status=open,completed&due_to=2026-12-24", "12"],
      ["sync_enabled=0&status=open", ""],
      ["q=3&status=open", ""],
      ["q=3&status=archived", "3"],
    ] as const) {
      test(`with ${query || "nothing"} finds ${expected || "none"}`, async () => {
        assert.equal(await titles(query), expected);
      });
    }

    test("by project, in either case", async () => {
      assert.equal(await titles(`project_id=${home.id}`), "34");
      assert.equal(await titles(`project_id=${home.id.toUpperCase()}&status=open`), "4");
      assert.equal(await titles(`project_id=${randomUUID()}`), "");
    });

    test("by category, in either case", async () => {
      assert.equal(await titles(`category_id=${urgent.id}`), "45");
      assert.equal(await titles(`category_id=${urgent.id.toUpperCase()}&due_from=2027-01-01`), "5");
      assert.equal(await titles(`category_id=${urgent.id}&project_id=${home.id}`), "4");
      assert.equal(await titles(`category_id=${randomUUID()}`), "");
    });

    test("by category finds no links to what is no category of the caller", async () => {
      const grace = await server.register();
      const foreign = await create(grace, "/categories", { name: "hers", color: "#112233" });
      const todo = await create(ada, "/todos", { title: "linked blindly", status: "archived" });
      for (const category_id of [foreign.id, randomUUID()]) {
        await ada.client.todos.link({ params: { id: todo.id }, body: { category_id } });
        assert.equal(await titles(`category_id=${category_id}`), "");
      }
      await ada.client.todos.remove({ params: { id: todo.id } });
    });

    test("by the start of an id combines with the others", async () => {
      const { data } = await list(ada, "/todos", "sort=title");
      const id = data[2]!.id.slice(0, 12);
      assert.equal(await titles(`id=${id}&status=archived`), "3");
      assert.equal(await titles(`id=${id}&status=open`), "");
    });

    test("counts all that match, on whatever page", async () => {
      const { data, pagination } = await list(ada, "/todos", "sync_enabled=1&per_page=1&page=2");
      assert.equal(data.length, 1);
      assert.deepEqual(pagination, {
        page: 2,
        per_page: 1,
        total: 3,
        last_page: 3,
        has_more: true,
      });
    });

    test("shows the categories of each record", async () => {
      const { data } = await list(ada, "/todos", "sort=title&status=open");
      const { id, name, color } = urgent;
      assert.deepEqual(
        data.map((item) => item["categories"]),
        [[], [{ id, name, color }]],
      );
    });

    for (const [name, values] of [
      ["status", ["foo", "", "OPEN", "open,", "open,foo", "open, completed"]],
      ["project_id", ["1", "", "null", "abcd"]],
      ["category_id", ["1", "", "null", "abcd"]],
      ["sync_enabled", ["maybe", "", "TRUE", "yes", "2", "null"]],
      ["reminder_enabled", ["maybe", "", "01"]],
      ["recurring_enabled", ["maybe", "", "on"]],
      ["due_from", ["tomorrow", "", "2026-02-30", "2026-12-1", "2026-12-01T00:00:00"]],
      ["due_to", ["tomorrow", "", "2026-13-01", "20261201"]],
      ["q", ["a\0b"]],
    ] as const) {
      for (const value of values) {
        test(`refuses ${name}=${JSON.stringify(value)}`, async () => {
          await refuses(ada, "/todos", name, value);
        });
      }
    }

    test("names every filter that is wrong", async () => {
      const query = "status=foo&due_from=x&sync_enabled=maybe";
      const response = await server.request("GET", `/api/v1/todos?${query}`, { key: ada.key });
      failure(response, 422);
      assert.deepEqual(Object.keys(response.body.errors).toSorted(), [
        "due_from",
        "status",
        "sync_enabled",
      ]);
    });
  });

  describe("searching todos", () => {
    let ada: TestUser;
    before(async () => {
      ada = await server.register();
      for (const [title, description] of [
        ["Buy MILK", null],
        ["100% sure", "about the milk"],
        ["1000 things", "snake_case"],
        ["Füße waschen", "ΟΔΥΣΣΕΎΣ"],
        ["C:\\temp and 'quotes'", "a * b ? [c]"],
      ] as const) {
        await create(ada, "/todos", { title, description });
      }
    });
    const found = async (q: string) => {
      const query = `sort=created_at&q=${encodeURIComponent(q)}`;
      const { data, pagination } = await list(ada, "/todos", query);
      assert.equal(pagination.total, data.length);
      return data.map((item) => String(item["title"]).slice(0, 4));
    };

    for (const [q, expected] of [
      ["milk", ["Buy ", "100%"]],
      ["MiLk", ["Buy ", "100%"]],
      ["buy", ["Buy "]],
      ["the", ["100%"]],
      ["milks", []],
      // Nothing has a meaning of its own.
      ["%", ["100%"]],
      ["100%", ["100%"]],
      ["_", ["1000"]],
      ["snake_", ["1000"]],
      ["*", ["C:\\t"]],
      ["[c]", ["C:\\t"]],
      ["\\", ["C:\\t"]],
      ["'", ["C:\\t"]],
      // Neither spaces nor several words are special.
      [" ", ["Buy ", "100%", "1000", "Füße", "C:\\t"]],
      ["milk buy", []],
      // Case in all scripts.
      ["FÜSSE", ["Füße"]],
      ["füße", ["Füße"]],
      ["οδυσσεύς", ["Füße"]],
      ["σσε", ["Füße"]],
      ["fusse", []],
      ["", ["Buy ", "100%", "1000", "Füße", "C:\\t"]],
    ] as const) {
      test(`for ${JSON.stringify(q)}`, async () => {
        assert.deepEqual(await found(q), expected);
      });
    }

    test("takes at most 255 characters: each may cost another look at all text", async () => {
      assert.deepEqual(await found("𝒂".repeat(255)), []);
      const response = await server.request("GET", `/api/v1/todos?q=${"a".repeat(256)}`, {
        key: ada.key,
      });
      failure(response, 422);
      assert.deepEqual(response.body.errors, { q: "q must be at most 255 characters." });
    });

    test("follows changes", async () => {
      const { id } = await create(ada, "/todos", { title: "Before", description: "past" });
      const change = (body: object) => ada.client.todos.update({ params: { id }, body });
      await change({ title: "After" });
      assert.deepEqual(await found("before"), []);
      assert.deepEqual(await found("after"), ["Afte"]);
      await change({ description: "FUTURE" });
      assert.deepEqual(await found("past"), []);
      assert.deepEqual(await found("future"), ["Afte"]);
      await change({ description: null });
      assert.deepEqual(await found("future"), []);
    });
  });

  describe("filtering categories and recurring tasks", () => {
    let ada: TestUser;
    before(async () => {
      ada = await server.register();
      for (const [text, favorite, schedule] of [
        ["1", true, "daily"],
        ["2", false, "daily"],
        ["3", true, "custom"],
      ] as const) {
        await create(ada, "/categories", { name: text, favorite, color: "#112233" });
        await create(ada, "/recurring-tasks", { title: text, favorite, schedule });
      }
    });

    for (const [path, name, query, expected] of [
      ["/categories", "name", "favorite=true", ["3", "1"]],
      ["/categories", "name", "favorite=0", ["2"]],
      ["/categories", "name", "favorite=1&sort=name", ["1", "3"]],
      ["/recurring-tasks", "title", "favorite=1", ["3", "1"]],
      ["/recurring-tasks", "title", "favorite=false", ["2"]],
      ["/recurring-tasks", "title", "schedule=daily", ["2", "1"]],
      ["/recurring-tasks", "title", "schedule=monthly", []],
      ["/recurring-tasks", "title", "schedule=daily&favorite=true", ["1"]],
    ] as const) {
      test(`${path} with ${query}`, async () => {
        const { data, pagination } = await list(ada, path, query);
        assert.deepEqual(
          data.map((item) => item[name]),
          expected,
        );
        assert.equal(pagination.total, expected.length);
      });
    }

    for (const [path, name, value] of [
      ["/categories", "favorite", "maybe"],
      ["/categories", "favorite", ""],
      ["/recurring-tasks", "favorite", "maybe"],
      ["/recurring-tasks", "schedule", "yearly"],
      ["/recurring-tasks", "schedule", ""],
      // Only statuses can be listed.
      ["/recurring-tasks", "schedule", "daily,weekly"],
    ] as const) {
      test(`${path} refuses ${name}=${JSON.stringify(value)}`, async () => {
        await refuses(ada, path, name, value);
      });
    }

    test("shows the categories of each task", async () => {
      const [category] = (await list(ada, "/categories", "sort=name")).data;
      await create(ada, "/recurring-tasks", {
        title: "linked",
        schedule: "weekly",
        category_id: category!.id,
      });
      const { data } = await list(ada, "/recurring-tasks", "schedule=weekly");
      const { id, name, color } = category!;
      assert.deepEqual(data[0]!["categories"], [{ id, name, color }]);
    });
  });
});
