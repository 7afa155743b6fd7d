import type { Model } from "../contract/schemas.ts";
import type { Connection } from "./connection.ts";
import type { Owner } from "./owner.ts";

/** The tables that link records to categories. */
export type LinkTable = "todo_categories" | "recurring_task_categories";

type Linked = Model<"LinkedCategory">;

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

/**
 * The owner's categories that each of the records is linked to, by name. Links
 * to anything else than a category of the owner are not shown.
 */
export function linkedCategories(
  db: Connection,
  table: LinkTable,
  owner: Owner,
  records: readonly number[],
): Map<number, Linked[]> {
  const found = new Map<number, Linked[]>(records.map((record) => [record, []]));
  if (records.length === 0) return found;
  // CROSS JOIN keeps the order of the tables: from few records to their links. SQLite would go from
  // the owner's categories through all links to them.
  const rows = db.all<Linked & { record: number }>(
    `SELECT link.record, category.id, category.name, category.color
       FROM json_each(?) AS page
      CROSS JOIN ${table} AS link ON link.record = page.value
      CROSS JOIN categories AS category ON category.owner = ? AND category.id = link.category_id
      ORDER BY category.name_folded`,
    [JSON.stringify(records), owner.seq],
  );
  for (const { record, id, name, color } of rows) found.get(record)!.push({ id, name, color });
  return found;
}
