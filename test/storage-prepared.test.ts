import assert from "node:assert/strict";
import { describe, test, type TestContext } from "node:test";
import { migrations } from "../migrations/index.ts";
import * as activity from "../src/storage/activity.ts";
import * as categories from "../src/storage/categories.ts";
import { type Connection, openConnection } from "../src/storage/connection.ts";
import { createHostFiles } from "../src/storage/host-files.ts";
import { nodeFs } from "../src/storage/host-fs.ts";
import { migrate } from "../src/storage/migrate.ts";
import type { Owner } from "../src/storage/owner.ts";
import * as projects from "../src/storage/projects.ts";
import * as recurring from "../src/storage/recurring.ts";
import { loadSqliteModule } from "../src/storage/sqlite-module.ts";
import { startSqlite } from "../src/storage/sqlite.ts";
import * as todos from "../src/storage/todos.ts";
import { makeFolder } from "./_storage.ts";

/**
 * A connection that notices when SQLite prepares a statement again by itself: the names of its
 * columns are then in another place.
 */
function watchedConnection(t: TestContext): { db: Connection; again: () => number } {
  const files = createHostFiles({ fs: nodeFs, folder: makeFolder(t), onSyncFailure() {} });
  t.after(() => files.abandon());
  const sqlite = startSqlite(loadSqliteModule(), files);
  let again = 0;
  const place = (statement: number) => sqlite.sqlite3_column_name(statement, 0);
  const watched = {
    ...sqlite,
    sqlite3_step(statement: number) {
      const before = place(statement);
      const result = sqlite.sqlite3_step(statement);
      if (place(statement) !== before) again += 1;
      return result;
    },
  };
  const connection = openConnection(watched, ":memory:");
  migrate(connection, migrations);
  return { db: connection, again: () => again };
}

const owners: readonly Owner[] = [1, 2].map((seq) => ({ seq, id: `user-${seq}` }));
const page = { page: 1, per_page: 50, sort: [] };
const uuids = ["00000000-0000-4000-8000-000000000001", "00000000-0000-4000-8000-000000000002"];

/** The values of each filter, two of them, that are parameters of SQL. */
const filters: readonly (readonly [Partial<todos.TodoQuery>, Partial<todos.TodoQuery>])[] = [
  [{}, { page: 3, per_page: 20 }],
  [{ id: "0000" }, { id: "1a" }],
  [{ status: ["open"] }, { status: ["completed"] }],
  [{ status: ["open", "in_progress"] }, { status: ["archived", "open"] }],
  [{ project_id: uuids[0]! }, { project_id: uuids[1]! }],
  [{ category_id: uuids[0]! }, { category_id: uuids[1]! }],
  [{ sync_enabled: false }, { sync_enabled: false }],
  [{ due_from: "2026-01-01" }, { due_from: "2026-11-30" }],
  [{ due_to: "2026-01-01" }, { due_to: "2026-11-30" }],
  [{ q: "milk" }, { q: "river" }],
];
const orders = ["title", "status", "due_date", "due_time", "created_at", "updated_at"] as const;

describe("a statement of a list", () => {
  test("is prepared once, whatever the values", (t) => {
    const { db, again } = watchedConnection(t);
    for (const order of [undefined, ...orders]) {
      const sort = order === undefined ? [] : [{ field: order, descending: false }];
      for (const values of filters) {
        for (const [index, filter] of [...values, ...values].entries()) {
          todos.list(db, owners[index % 2]!, { ...page, sort, ...filter });
        }
        assert.equal(again(), 0, `${JSON.stringify(values[0])} by ${order}`);
      }
    }
    for (const owner of [...owners, ...owners]) {
      recurring.list(db, owner, { ...page, schedule: owner.seq === 1 ? "daily" : "weekly" });
      projects.list(db, owner, page);
      categories.list(db, owner, page);
      activity.list(db, owner, 10 * owner.seq);
    }
    assert.equal(again(), 0);
  });

  test("would be seen to be prepared again", (t) => {
    const { db, again } = watchedConnection(t);
    for (const limit of [1, 2]) db.all("SELECT seq FROM todos ORDER BY title LIMIT ?", [limit]);
    assert.ok(again() > 0);
  });
});
