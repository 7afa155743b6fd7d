import type { BodyOf, Model, Page, QueryOf } from "../contract/schemas.ts";
import type { Connection } from "./connection.ts";
import { fold } from "./fold.ts";
import { linkedCategories, linksColumn } from "./links.ts";
import {
  type Condition,
  count,
  flagIs,
  idIs,
  orderBy,
  ownedBy,
  removeRow,
  selectPage,
  textIs,
  toFlag,
  updateRow,
} from "./list.ts";
import type { Owner } from "./owner.ts";

export type Todo = Model<"Todo">;
export type TodoRecord = { seq: number; todo: Todo };
export type TodoQuery = QueryOf<"todos", "list">;

interface TodoRow {
  seq: number;
  id: string;
  title: string;
  description: string | null;
  status: Todo["status"];
  due_date: string | null;
  due_time: string | null;
  sync_enabled: number;
  reminder_enabled: number;
  recurring_enabled: number;
  project_id: string | null;
  created_at: string;
  updated_at: string;
  category_ids: string | null;
}

const table = "todos";
const ownColumns = `seq, id, title, description, status, due_date, due_time, sync_enabled,
  reminder_enabled, recurring_enabled, project_id, created_at, updated_at`;
const columns = `${ownColumns}, ${linksColumn("todo_categories", "todos")}`;
/** Made once: what a statement is found by had better be the same text each time. */
const selectOne = `SELECT ${columns} FROM ${table} WHERE owner = ? AND id = ?`;

const sortColumns = {
  title: "title_folded",
  status: "status",
  due_date: "due_date",
  due_time: "due_time",
  created_at: "created_at",
  updated_at: "updated_at",
};

function toTodo(db: Connection, owner: Owner, row: TodoRow): Todo {
  return {
    id: row.id,
    user_id: owner.id,
    title: row.title,
    description: row.description,
    status: row.status,
    due_date: row.due_date,
    due_time: row.due_time,
    sync_enabled: row.sync_enabled === 1,
    reminder_enabled: row.reminder_enabled === 1,
    recurring_enabled: row.recurring_enabled === 1,
    project_id: row.project_id,
    created_at: row.created_at,
    updated_at: row.updated_at,
    categories: linkedCategories(db, owner, row.category_ids),
  };
}

/** The owner's todo with its categories. */
export function find(db: Connection, owner: Owner, id: string): TodoRecord | undefined {
  const row = db.get<TodoRow>(selectOne, [owner.seq, id]);
  return row && { seq: row.seq, todo: toTodo(db, owner, row) };
}

function conditions(owner: Owner, query: TodoQuery): Condition[] {
  const all: Condition[] = [ownedBy(owner)];
  if (query.id !== undefined) all.push(idIs(query.id));
  if (query.status !== undefined) {
    const places = query.status.map(() => "?").join(", ");
    all.push({ sql: `status IN (${places})`, params: query.status });
  }
  if (query.project_id !== undefined) all.push(textIs("project_id", query.project_id));
  for (const flag of ["sync_enabled", "reminder_enabled", "recurring_enabled"] as const) {
    if (query[flag] !== undefined) all.push(flagIs(flag, query[flag]));
  }
  if (query.category_id !== undefined) {
    all.push({
      sql: `seq IN (SELECT record FROM todo_categories WHERE category_id =
        (SELECT id FROM categories WHERE owner = ? AND id = ?))`,
      params: [owner.seq, query.category_id],
    });
  }
  if (query.due_from !== undefined) all.push({ sql: "due_date >= ?", params: [query.due_from] });
  if (query.due_to !== undefined) all.push({ sql: "due_date <= ?", params: [query.due_to] });
  if (query.q !== undefined) {
    const text = fold(query.q);
    all.push({
      sql: "(instr(title_folded, ?) > 0 OR instr(description_folded, ?) > 0)",
      params: [text, text],
    });
  }
  return all;
}

/** Counts by status are kept; what other filters leave has to be counted. */
function total(db: Connection, owner: Owner, query: TodoQuery, all: readonly Condition[]): number {
  const byStatus = all.length === (query.status === undefined ? 1 : 2);
  if (!byStatus) return count(db, "todos", all);
  const rows = db.all<{ status: Todo["status"]; total: number }>(
    "SELECT status, total FROM todo_totals WHERE owner = ?",
    [owner.seq],
  );
  return rows
    .filter((row) => query.status?.includes(row.status) ?? true)
    .reduce((sum, row) => sum + row.total, 0);
}

/** A page of the owner's todos with their categories. */
export function list(db: Connection, owner: Owner, query: TodoQuery): Page<Todo> {
  const all = conditions(owner, query);
  const rows = selectPage<TodoRow>(
    db,
    { table, columns },
    all,
    orderBy(query.sort, sortColumns),
    query,
  );
  return {
    items: rows.map((row) => toTodo(db, owner, row)),
    total: total(db, owner, query, all),
  };
}

type NewTodo = Omit<BodyOf<"todos", "create">, "category_id"> & { id: string; now: string };

/** Adds a todo without categories. */
export function insert(db: Connection, owner: Owner, todo: NewTodo): TodoRecord {
  const description = todo.description ?? null;
  const row = db.get<Omit<TodoRow, "category_ids">>(
    `INSERT INTO todos (id, owner, title, title_folded, description, description_folded, status,
       due_date, due_time, sync_enabled, reminder_enabled, recurring_enabled, project_id,
       created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     RETURNING ${ownColumns}`,
    [
      todo.id,
      owner.seq,
      todo.title,
      fold(todo.title),
      description,
      description === null ? null : fold(description),
      todo.status,
      todo.due_date ?? null,
      todo.due_time ?? null,
      Number(todo.sync_enabled),
      Number(todo.reminder_enabled),
      Number(todo.recurring_enabled),
      todo.project_id ?? null,
      todo.now,
      todo.now,
    ],
  );
  return { seq: row!.seq, todo: toTodo(db, owner, { ...row!, category_ids: null }) };
}

type TodoChanges = Omit<BodyOf<"todos", "update">, "category_id"> & { now: string };

/** Changes the given fields and `updated_at`. */
export function update(db: Connection, owner: Owner, id: string, changes: TodoChanges): void {
  const { title, description } = changes;
  updateRow(db, "todos", owner.seq, id, {
    title,
    title_folded: title === undefined ? undefined : fold(title),
    description,
    description_folded: description == null ? description : fold(description),
    status: changes.status,
    due_date: changes.due_date,
    due_time: changes.due_time,
    sync_enabled: toFlag(changes.sync_enabled),
    reminder_enabled: toFlag(changes.reminder_enabled),
    recurring_enabled: toFlag(changes.recurring_enabled),
    project_id: changes.project_id,
    updated_at: changes.now,
  });
}

/** Removes the todo and its links; false when there was none. */
export function remove(db: Connection, owner: Owner, id: string): boolean {
  return removeRow(db, "todos", owner.seq, id);
}

/** Takes the todos of a project out of it; they keep their `updated_at`. */
export function leaveProject(db: Connection, owner: Owner, projectId: string): void {
  db.run("UPDATE todos SET project_id = NULL WHERE owner = ? AND project_id = ?", [
    owner.seq,
    projectId,
  ]);
}
