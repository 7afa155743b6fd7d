import type { Model } from "../src/contract/schemas.ts";

type Todo = Model<"Todo">;

/** A query string as a client writes it, by parameter. */
export type RawQuery = Record<string, string>;

/**
 * The rulings on lists, written down once more and as plainly as possible: no SQL, no index, no
 * kept totals.
 *
 * @param todos one user's todos, in the order of their creation
 */
export function modelPage(
  todos: readonly Todo[],
  query: RawQuery,
): { items: Todo[]; total: number } {
  const numbered = todos.map((todo, order) => ({ todo, order }));
  const matching = numbered.filter(({ todo }) => matches(todo, query));
  const compare = comparison(query["sort"] ?? "");
  const sorted = matching.toSorted((a, b) => compare(a.todo, b.todo) || tie(query, a, b));
  const size = clamp(query["per_page"], 50, 200);
  const start = (clamp(query["page"], 1, Infinity) - 1) * size;
  return {
    items: sorted.slice(start, start + size).map(({ todo }) => todo),
    total: matching.length,
  };
}

function matches(todo: Todo, query: RawQuery): boolean {
  const checks: Record<string, (value: string) => boolean> = {
    id: (value) => todo.id.startsWith(value.toLowerCase()),
    status: (value) => value.split(",").includes(todo.status),
    project_id: (value) => todo.project_id === value.toLowerCase(),
    category_id: (value) => todo.categories.some(({ id }) => id === value.toLowerCase()),
    sync_enabled: (value) => todo.sync_enabled === isTrue(value),
    reminder_enabled: (value) => todo.reminder_enabled === isTrue(value),
    recurring_enabled: (value) => todo.recurring_enabled === isTrue(value),
    due_from: (value) => todo.due_date !== null && todo.due_date >= value,
    due_to: (value) => todo.due_date !== null && todo.due_date <= value,
    q: (value) =>
      [todo.title, todo.description ?? ""].some((text) => anyCase(text).includes(anyCase(value))),
  };
  return Object.entries(query).every(([name, value]) => checks[name]?.(value) ?? true);
}

function isTrue(value: string): boolean {
  return value === "true" || value === "1";
}

/** The alphabet of the tests has no character for which this would not do. */
function anyCase(text: string): string {
  return text.toUpperCase();
}

function clamp(text: string | undefined, fallback: number, max: number): number {
  const number = text === undefined || text === "" ? Number.NaN : Math.trunc(Number(text));
  return Number.isNaN(number) ? fallback : Math.min(Math.max(number, 1), max);
}

const sortable = ["title", "status", "due_date", "due_time", "created_at", "updated_at"] as const;
type Sortable = (typeof sortable)[number];

function sortKeys(sort: string): { field: Sortable; sign: 1 | -1 }[] {
  const keys = sort.split(",").flatMap((part) => {
    const field = sortable.find((name) => name === part || `-${name}` === part);
    return field === undefined ? [] : [{ field, sign: part.startsWith("-") ? -1 : 1 } as const];
  });
  return keys.length > 0 ? keys : [{ field: "created_at", sign: -1 }];
}

function comparison(sort: string): (a: Todo, b: Todo) => number {
  return (a, b) => {
    for (const { field, sign } of sortKeys(sort)) {
      const [one, other] = [a[field], b[field]];
      if (one === null || other === null) {
        if (one !== other) return one === null ? 1 : -1;
      } else if (anyCase(one) !== anyCase(other)) {
        // By code points, as UTF-8 sorts.
        return sign * Buffer.compare(Buffer.from(anyCase(one)), Buffer.from(anyCase(other)));
      }
    }
    return 0;
  };
}

function tie(query: RawQuery, a: { order: number }, b: { order: number }): number {
  const keys = sortKeys(query["sort"] ?? "");
  const key = keys.find(({ field }) => field === "created_at") ?? keys[0]!;
  return key.sign * (a.order - b.order);
}
