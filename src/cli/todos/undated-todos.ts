import type { Client } from "../../client/client.ts";
import { limits } from "../../contract/limits.ts";
import type { Model } from "../../contract/schemas.ts";
import type { TodoQuery } from "./todo-query.ts";

type Todo = Model<"Todo">;

/** Before every day that a todo can be due. */
const firstDay = "0000-01-01";

/**
 * The first todos without a date, and how many there are. The API has no filter for them, but
 * sorts them behind all others: after as many as have a date, which it counts. Two requests where
 * a page can be found that holds them all.
 *
 * @param query filters, and a sort without dates
 * @param read counts what was read
 */
export async function listUndated(
  client: Client,
  query: TodoQuery & { sort: string },
  wanted: number,
  read: (todos: readonly Todo[]) => void,
): Promise<{ records: Todo[]; total: number }> {
  const dated = { ...query, due_from: firstDay, per_page: 1 };
  const before = (await client.todos.list({ query: dated })).pagination.total;
  const per_page = pageSize(before, wanted);
  const sort = `due_date,${query.sort}`;
  const records: Todo[] = [];
  for (let page = Math.floor(before / per_page) + 1; ; page += 1) {
    const { data, pagination } = await client.todos.list({
      query: { ...query, sort, page, per_page },
    });
    records.push(...data.filter(({ due_date }) => due_date === null));
    read(data);
    if (pagination.has_more && records.length < wanted) continue;
    // Never fewer than were seen, whatever other commands have changed in between.
    const total = Math.max(pagination.total - before, records.length);
    return { records: records.slice(0, wanted), total };
  }
}

/** The largest page that holds all that is wanted after so many others; else the largest. */
function pageSize(before: number, wanted: number): number {
  const { max } = limits.perPage;
  for (let size = max; size >= wanted; size -= 1) {
    if ((before % size) + wanted <= size) return size;
  }
  return max;
}
