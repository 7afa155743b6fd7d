import type { Model } from "../contract/schemas.ts";
import type { Connection } from "./connection.ts";
import { createMemory } from "./memory.ts";
import type { Owner } from "./owner.ts";

/** The tables that link records to categories. */
export type LinkTable = "todo_categories" | "recurring_task_categories";

export type LinkedCategory = Model<"LinkedCategory">;

/** Links a category; false when the link exists already. */
export function link(
  db: Connection,
  table: LinkTable,
  record: number,
  categoryId: string,
): boolean {
  return (
    db.run(`INSERT INTO ${table} (record, category_id) VALUES (?, ?) ON CONFLICT DO NOTHING`, [
      record,
      categoryId,
    ]) > 0
  );
}

export function unlink(db: Connection, table: LinkTable, record: number, categoryId: string): void {
  db.run(`DELETE FROM ${table} WHERE record = ? AND category_id = ?`, [record, categoryId]);
}

export function unlinkAll(db: Connection, table: LinkTable, record: number): void {
  db.run(`DELETE FROM ${table} WHERE record = ?`, [record]);
}

/** A column of the ids that each record is linked to, separated by commas; null when there are none. */
export function linksColumn(table: LinkTable, records: string): string {
  return `(SELECT group_concat(link.category_id) FROM ${table} AS link
    WHERE link.record = ${records}.seq) AS category_ids`;
}

/** A category with its place among others: the order of its folded name's UTF-8, as SQL has it. */
type Placed = { category: LinkedCategory; place: Buffer };

const remember = createMemory<Placed>(["categories", "users"], 10_000);

function findPlaced(db: Connection, owner: Owner, id: string): Placed | undefined {
  const row = db.get<LinkedCategory & { name_folded: string }>(
    "SELECT id, name, color, name_folded FROM categories WHERE owner = ? AND id = ?",
    [owner.seq, id],
  );
  if (row === undefined) return undefined;
  const { name_folded, ...category } = row;
  return { category, place: Buffer.from(name_folded) };
}

/**
 * The owner's categories behind a value of {@link linksColumn}, by name. Links to anything else than
 * a category of the owner are not shown.
 */
export function linkedCategories(
  db: Connection,
  owner: Owner,
  ids: string | null,
): LinkedCategory[] {
  if (ids === null) return [];
  const placed = ids
    .split(",")
    .map((id) => remember(db, `${owner.seq} ${id}`, () => findPlaced(db, owner, id)))
    .filter((found) => found !== undefined);
  if (placed.length > 1) placed.sort((a, b) => Buffer.compare(a.place, b.place));
  return placed.map(({ category }) => category);
}
