/** What restricts a list, as fixed SQL with its values. */
export interface ListConditions {
  where: string;
  params: (string | number)[];
  statuses: string[] | undefined;
  /** Whether the schema's counts by status say how many rows there are. */
  isCounted: boolean;
}

const flags = ["sync_enabled", "reminder_enabled", "recurring_enabled"];

/** The conditions of the peer's list of todos. */
export function listConditions(owner: number, query: Record<string, string>): ListConditions {
  const conditions = ["owner = ?+0"];
  const params: (string | number)[] = [owner];

  function add(name: string, sql: string): void {
    const value = query[name];
    if (value === undefined) return;
    conditions.push(sql);
    params.push(value);
  }

  const statuses = query["status"]?.split(",");
  if (statuses !== undefined) {
    conditions.push(`status IN (${statuses.map(() => "?").join(", ")})`);
    params.push(...statuses);
  }
  const isCounted = Object.keys(query).every((name) =>
    ["status", "sort", "page", "per_page"].includes(name),
  );
  add("project_id", "project_id = ?");
  for (const flag of flags) {
    const value = query[flag];
    if (value !== undefined) {
      conditions.push(`${flag} = ${value === "true" || value === "1" ? 1 : 0}`);
    }
  }
  if (query["category_id"] !== undefined) {
    conditions.push(
      `seq IN (SELECT record FROM todo_categories WHERE category_id =
         (SELECT id FROM categories WHERE owner = ? AND id = ?))`,
    );
    params.push(owner, query["category_id"]);
  }
  add("due_from", "due_date >= ?");
  add("due_to", "due_date <= ?");
  if (query["id"] !== undefined) {
    conditions.push("id >= ? AND id < ?");
    params.push(query["id"], `${query["id"]}g`);
  }
  if (query["q"] !== undefined) {
    conditions.push("(instr(title_folded, ?) > 0 OR instr(description_folded, ?) > 0)");
    const text = query["q"].toUpperCase();
    params.push(text, text);
  }
  return { where: conditions.join(" AND "), params, statuses, isCounted };
}

const columns = new Map([
  ["title", "title_folded"],
  ["status", "status"],
  ["due_date", "due_date"],
  ["due_time", "due_time"],
  ["created_at", "created_at"],
  ["updated_at", "updated_at"],
]);

/** The order of the peer's list of todos: missing values last, ties broken by creation. */
export function listOrder(query: Record<string, string>): string {
  const keys = (query["sort"] ?? "-created_at").split(",").map((text) => {
    const descending = text.startsWith("-");
    return { column: columns.get(descending ? text.slice(1) : text), descending };
  });
  const terms = keys.map(
    ({ column, descending }) => `${column} ${descending ? "DESC" : "ASC NULLS LAST"}`,
  );
  return [...terms, `seq ${keys[0]!.descending ? "DESC" : "ASC"}`].join(", ");
}
