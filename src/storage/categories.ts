import type { BodyOf, Model, Page, QueryOf } from "../contract/schemas.ts";
import type { Connection } from "./connection.ts";
import { fold } from "./fold.ts";
import {
  type Condition,
  count,
  flagIs,
  idIs,
  orderBy,
  ownedBy,
  removeRow,
  selectPage,
  toFlag,
  updateRow,
} from "./list.ts";
import type { Owner } from "./owner.ts";

export type Category = Model<"Category">;
export type CategoryQuery = QueryOf<"categories", "list">;

interface CategoryRow {
  id: string;
  name: string;
  color: string;
  favorite: number;
  created_at: string;
}

const table = "categories";
const columns = "id, name, color, favorite, created_at";
const select = `SELECT ${columns} FROM ${table}`;
const sortColumns = { name: "name_folded", favorite: "favorite", created_at: "created_at" };

function toCategory(row: CategoryRow, owner: Owner): Category {
  return {
    id: row.id,
    user_id: owner.id,
    name: row.name,
    color: row.color,
    favorite: row.favorite === 1,
    created_at: row.created_at,
  };
}

/** The owner's category. */
export function find(db: Connection, owner: Owner, id: string): Category | undefined {
  const row = db.get<CategoryRow>(`${select} WHERE owner = ? AND id = ?`, [owner.seq, id]);
  return row && toCategory(row, owner);
}

/** The owner's category of that name, compared without regard to case. */
export function findByName(db: Connection, owner: Owner, name: string): Category | undefined {
  const row = db.get<CategoryRow>(`${select} WHERE owner = ? AND name_folded = ?`, [
    owner.seq,
    fold(name),
  ]);
  return row && toCategory(row, owner);
}

/** A page of the owner's categories. */
export function list(db: Connection, owner: Owner, query: CategoryQuery): Page<Category> {
  const all: Condition[] = [ownedBy(owner)];
  if (query.id !== undefined) all.push(idIs(query.id));
  if (query.favorite !== undefined) all.push(flagIs("favorite", query.favorite));
  const order = orderBy(query.sort, sortColumns);
  const rows = selectPage<CategoryRow>(db, { table, columns }, all, order, query);
  return {
    items: rows.map((row) => toCategory(row, owner)),
    total: count(db, "categories", all),
  };
}

type NewCategory = BodyOf<"categories", "create"> & { id: string; now: string };

export function insert(db: Connection, owner: Owner, category: NewCategory): void {
  db.run(
    `INSERT INTO categories (id, owner, name, name_folded, color, favorite, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [
      category.id,
      owner.seq,
      category.name,
      fold(category.name),
      category.color,
      Number(category.favorite),
      category.now,
    ],
  );
}

/** Changes the given fields. */
export function update(
  db: Connection,
  owner: Owner,
  id: string,
  changes: BodyOf<"categories", "update">,
): void {
  const { name } = changes;
  updateRow(db, "categories", owner.seq, id, {
    name,
    name_folded: name === undefined ? undefined : fold(name),
    color: changes.color,
    favorite: toFlag(changes.favorite),
  });
}

/** Removes the category and every link to it; false when there was none. */
export function remove(db: Connection, owner: Owner, id: string): boolean {
  if (!removeRow(db, "categories", owner.seq, id)) return false;
  db.run("DELETE FROM todo_categories WHERE category_id = ?", [id]);
  db.run("DELETE FROM recurring_task_categories WHERE category_id = ?", [id]);
  return true;
}
