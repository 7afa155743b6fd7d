import type { Connection, SqlValue } from "./connection.ts";
import { createMemory } from "./memory.ts";
import type { Owner } from "./owner.ts";

/** A condition as fixed SQL text with its values. */
export interface Condition {
  sql: string;
  params?: readonly SqlValue[];
}

export interface ListQuery {
  page: number;
  per_page: number;
  sort: readonly { field: string; descending: boolean }[];
  id?: string;
}

// A parameter that stands by itself beside an ORDER BY, or in LIMIT, makes SQLite (3.54) prepare the
// statement again for each execution: two thirds of the time of a short list. Within an expression
// it does not, hence the sums and concatenations.

/** The owner's rows: what every list begins with. */
export function ownedBy(owner: Owner): Condition {
  return { sql: "owner = ?+0", params: [owner.seq] };
}

/** Rows whose column holds that text. */
export function textIs(column: string, text: string): Condition {
  return { sql: `${column} = ?||''`, params: [text] };
}

/** `WHERE` of rows that meet every condition. */
export function where(conditions: readonly Condition[]): string {
  return `WHERE ${conditions.map((condition) => condition.sql).join(" AND ")}`;
}

/** The values of the conditions, in the order of their text. */
export function paramsOf(conditions: readonly Condition[]): SqlValue[] {
  return conditions.flatMap((condition) => condition.params ?? []);
}

/**
 * The order of a list: missing values last in both directions, ties broken by
 * creation in the direction of `created_at` where it is sorted by, else of the
 * first field, so that pages never overlap.
 *
 * @param columns the column of each sortable field
 */
export function orderBy(sort: ListQuery["sort"], columns: Record<string, string>): string {
  const keys = sort.length > 0 ? sort : [{ field: "created_at", descending: true }];
  const terms = keys.map(({ field, descending }) => {
    // NULL is the smallest value: only an ascending order must be told.
    return `${columns[field]} ${descending ? "DESC" : "ASC NULLS LAST"}`;
  });
  const tie = keys.find(({ field }) => field === "created_at") ?? keys[0]!;
  return `ORDER BY ${[...terms, tie.descending ? "seq DESC" : "seq ASC"].join(", ")}`;
}

/** Rows whose id is, or starts with, the given text (lower case). */
export function idIs(prefix: string): Condition {
  // "g" follows every digit of an id, and the hyphen sorts before all of them.
  return { sql: "id >= ? AND id < ?", params: [prefix, `${prefix}g`] };
}

/** A boolean column's condition; the value is part of the text, for partial indexes. */
export function flagIs(column: string, value: boolean): Condition {
  return { sql: `${column} = ${value ? 1 : 0}` };
}

/**
 * One page of the rows that meet the conditions. Which rows these are is found out first, from an
 * index alone where there is one: rows that are skipped or sorted are never read as a whole. CROSS
 * JOIN says which of the two leads, and so keeps the order.
 */
export function selectPage<Row extends object>(
  db: Connection,
  { table, columns }: { table: string; columns: string },
  conditions: readonly Condition[],
  order: string,
  query: ListQuery,
): Row[] {
  return db.all<Row>(
    `SELECT ${columns}
       FROM (SELECT seq AS found FROM ${table} ${where(conditions)} ${order} LIMIT ?+0 OFFSET ?+0) AS page
      CROSS JOIN ${table} ON seq = found`,
    [...paramsOf(conditions), query.per_page, (query.page - 1) * query.per_page],
  );
}

/** Every table that conditions are about: each count is remembered until one of them changes. */
const counted = ["todos", "recurring_tasks", "categories", "projects", "todo_categories", "users"];

const remember = createMemory<number>(counted, 1000);

/** How many rows of the table meet the conditions. */
export function count(db: Connection, table: string, conditions: readonly Condition[]): number {
  const sql = `SELECT COUNT(*) AS total FROM ${table} ${where(conditions)}`;
  const params = paramsOf(conditions);
  return remember(
    db,
    JSON.stringify([sql, params]),
    () => db.get<{ total: number }>(sql, params)!.total,
  );
}

/** Sets the given columns of one owned row; does nothing when there are none. */
export function updateRow(
  db: Connection,
  table: string,
  owner: number,
  id: string,
  changes: Record<string, SqlValue | undefined>,
): void {
  const given = Object.entries(changes).filter(
    (change): change is [string, SqlValue] => change[1] !== undefined,
  );
  if (given.length === 0) return;
  const columns = given.map(([column]) => `${column} = ?`).join(", ");
  db.run(`UPDATE ${table} SET ${columns} WHERE owner = ? AND id = ?`, [
    ...given.map(([, value]) => value),
    owner,
    id,
  ]);
}

/** Removes one owned row; false when there was none. */
export function removeRow(db: Connection, table: string, owner: number, id: string): boolean {
  return db.run(`DELETE FROM ${table} WHERE owner = ? AND id = ?`, [owner, id]) > 0;
}

/** A boolean as a column holds it; undefined stays undefined (not given). */
export function toFlag(value: boolean | undefined): number | undefined {
  return value === undefined ? undefined : Number(value);
}

/** A value as a JSON column holds it; undefined stays undefined (not given). */
export function toJson(value: unknown): string | null | undefined {
  return value === undefined ? undefined : value === null ? null : JSON.stringify(value);
}

/** The object of a JSON column. */
export function fromJson(text: string | null): { [name: string]: unknown } | null {
  return text === null ? null : (JSON.parse(text) as { [name: string]: unknown });
}
