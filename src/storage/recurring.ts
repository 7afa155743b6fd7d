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
  toJson,
  updateRow,
} from "./list.ts";
import type { Owner } from "./owner.ts";

export type RecurringTask = Model<"RecurringTask">;
export type RecurringTaskRecord = { seq: number; task: RecurringTask };
export type RecurringTaskQuery = QueryOf<"recurring", "list">;

interface RecurringTaskRow {
  seq: number;
  id: string;
  title: string;
  description: string | null;
  schedule: RecurringTask["schedule"];
  custom_days: string;
  favorite: number;
  created_at: string;
  updated_at: string;
  category_ids: string | null;
}

const table = "recurring_tasks";
const ownColumns = `seq, id, title, description, schedule, custom_days, favorite, created_at,
  updated_at`;
const columns = `${ownColumns}, ${linksColumn("recurring_task_categories", "recurring_tasks")}`;
/** Made once: what a statement is found by had better be the same text each time. */
const selectOne = `SELECT ${columns} FROM ${table} WHERE owner = ? AND id = ?`;

const sortColumns = { title: "title_folded", schedule: "schedule", created_at: "created_at" };

function toTask(db: Connection, owner: Owner, row: RecurringTaskRow): RecurringTask {
  return {
    id: row.id,
    user_id: owner.id,
    title: row.title,
    description: row.description,
    schedule: row.schedule,
    custom_days: JSON.parse(row.custom_days) as RecurringTask["custom_days"],
    favorite: row.favorite === 1,
    created_at: row.created_at,
    updated_at: row.updated_at,
    categories: linkedCategories(db, owner, row.category_ids),
  };
}

/** The owner's recurring task with its categories. */
export function find(db: Connection, owner: Owner, id: string): RecurringTaskRecord | undefined {
  const row = db.get<RecurringTaskRow>(selectOne, [owner.seq, id]);
  return row && { seq: row.seq, task: toTask(db, owner, row) };
}

/** A page of the owner's recurring tasks with their categories. */
export function list(db: Connection, owner: Owner, query: RecurringTaskQuery): Page<RecurringTask> {
  const all: Condition[] = [ownedBy(owner)];
  if (query.id !== undefined) all.push(idIs(query.id));
  if (query.schedule !== undefined) all.push(textIs("schedule", query.schedule));
  if (query.favorite !== undefined) all.push(flagIs("favorite", query.favorite));
  const order = orderBy(query.sort, sortColumns);
  const rows = selectPage<RecurringTaskRow>(db, { table, columns }, all, order, query);
  return {
    items: rows.map((row) => toTask(db, owner, row)),
    total: count(db, "recurring_tasks", all),
  };
}

type NewTask = Omit<BodyOf<"recurring", "create">, "category_id"> & { id: string; now: string };

/** Adds a recurring task without categories. */
export function insert(db: Connection, owner: Owner, task: NewTask): RecurringTaskRecord {
  const row = db.get<Omit<RecurringTaskRow, "category_ids">>(
    `INSERT INTO recurring_tasks (id, owner, title, title_folded, description, schedule,
       custom_days, favorite, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
     RETURNING ${ownColumns}`,
    [
      task.id,
      owner.seq,
      task.title,
      fold(task.title),
      task.description ?? null,
      task.schedule,
      JSON.stringify(task.custom_days),
      Number(task.favorite),
      task.now,
      task.now,
    ],
  );
  return { seq: row!.seq, task: toTask(db, owner, { ...row!, category_ids: null }) };
}

type TaskChanges = Omit<BodyOf<"recurring", "update">, "category_id"> & { now: string };

/** Changes the given fields and `updated_at`. */
export function update(db: Connection, owner: Owner, id: string, changes: TaskChanges): void {
  const { title } = changes;
  updateRow(db, "recurring_tasks", owner.seq, id, {
    title,
    title_folded: title === undefined ? undefined : fold(title),
    description: changes.description,
    schedule: changes.schedule,
    custom_days: toJson(changes.custom_days),
    favorite: toFlag(changes.favorite),
    updated_at: changes.now,
  });
}

/** Removes the recurring task and its links; false when there was none. */
export function remove(db: Connection, owner: Owner, id: string): boolean {
  return removeRow(db, "recurring_tasks", owner.seq, id);
}
