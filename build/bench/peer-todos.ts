import { randomUUID } from "node:crypto";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { listConditions, listOrder } from "./peer-list.ts";

interface Caller {
  owner: number;
  id: string;
}

interface TodoRow {
  seq: number;
  id: string;
  title: string;
  description: string | null;
  status: string;
  due_date: string | null;
  due_time: string | null;
  sync_enabled: number;
  reminder_enabled: number;
  recurring_enabled: number;
  project_id: string | null;
  created_at: string;
  updated_at: string;
}

type Category = { id: string; name: string; color: string };

/** A field of a body that is text, or missing. */
function textOf(value: unknown): string | null {
  return typeof value === "string" ? value : null;
}

function toTodo(row: Omit<TodoRow, "seq">, userId: string, categories: readonly Category[]) {
  return {
    id: row.id,
    user_id: userId,
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
    categories,
  };
}

/** The peer's todos: what a list, one of them and a new one need. */
export function createPeerTodos(db: DatabaseSync) {
  const statements = new Map<string, StatementSync>();

  function prepare(sql: string): StatementSync {
    const known = statements.get(sql) ?? db.prepare(sql);
    statements.set(sql, known);
    return known;
  }

  const columns = `seq, id, title, description, status, due_date, due_time, sync_enabled,
    reminder_enabled, recurring_enabled, project_id, created_at, updated_at`;
  const selectOne = db.prepare(`SELECT ${columns} FROM todos WHERE owner = ? AND id = ?`);
  const selectCategories = db.prepare(
    `SELECT category.id, category.name, category.color
       FROM todo_categories AS link
       JOIN categories AS category ON category.owner = ? AND category.id = link.category_id
      WHERE link.record = ? ORDER BY category.name_folded`,
  );
  const selectCategoriesOfPage = db.prepare(
    `SELECT link.record, category.id, category.name, category.color
       FROM json_each(?) AS page
      CROSS JOIN todo_categories AS link ON link.record = page.value
      CROSS JOIN categories AS category ON category.owner = ? AND category.id = link.category_id
      ORDER BY category.name_folded`,
  );
  const selectTotals = db.prepare("SELECT status, total FROM todo_totals WHERE owner = ?");
  const selectProject = db.prepare("SELECT 1 FROM projects WHERE owner = ? AND id = ?");
  const selectCategory = db.prepare(
    "SELECT id, name, color FROM categories WHERE owner = ? AND id = ?",
  );
  const insertTodo = db.prepare(
    `INSERT INTO todos (id, owner, title, title_folded, description, description_folded, status,
       due_date, due_time, sync_enabled, reminder_enabled, recurring_enabled, project_id,
       created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
  );
  const insertLink = db.prepare("INSERT INTO todo_categories (record, category_id) VALUES (?, ?)");
  const insertActivity = db.prepare(
    `INSERT INTO activity_logs (id, owner, action, entity_type, entity_id, details, ip_address,
       user_agent, created_at)
     VALUES (?, ?, 'todo_created', 'todo', ?, ?, ?, ?, ?)`,
  );

  function totalOf(owner: number, statuses: readonly string[] | undefined): number {
    const rows = selectTotals.all(owner) as { status: string; total: number }[];
    return rows
      .filter(({ status }) => statuses?.includes(status) ?? true)
      .reduce((sum, { total }) => sum + total, 0);
  }

  function countOf(where: string, params: readonly (string | number)[]): number {
    const row = prepare(`SELECT count(*) AS total FROM todos WHERE ${where}`).get(...params);
    return (row as { total: number }).total;
  }

  function find(caller: Caller, id: string) {
    const row = selectOne.get(caller.owner, id) as TodoRow | undefined;
    if (row === undefined) return undefined;
    const categories = selectCategories.all(caller.owner, row.seq) as Category[];
    return toTodo(row, caller.id, categories);
  }

  function list(caller: Caller, query: Record<string, string>) {
    const page = Number(query["page"] ?? 1);
    const per_page = Number(query["per_page"] ?? 20);
    const { where, params, statuses, isCounted } = listConditions(caller.owner, query);
    const rows = prepare(
      `SELECT ${columns} FROM todos WHERE ${where} ORDER BY ${listOrder(query)} LIMIT ?+0 OFFSET ?+0`,
    ).all(...params, per_page, (page - 1) * per_page) as TodoRow[];
    const found = new Map<number, Category[]>(rows.map(({ seq }) => [seq, []]));
    const linked = selectCategoriesOfPage.all(JSON.stringify([...found.keys()]), caller.owner);
    for (const { record, id, name, color } of linked as (Category & { record: number })[]) {
      found.get(record)!.push({ id, name, color });
    }
    const items = rows.map((row) => toTodo(row, caller.id, found.get(row.seq)!));
    const total = isCounted ? totalOf(caller.owner, statuses) : countOf(where, params);
    const last_page = Math.max(1, Math.ceil(total / per_page));
    return { items, pagination: { page, per_page, total, last_page, has_more: page < last_page } };
  }

  function create(
    caller: Caller,
    client: { ip: string; userAgent: string },
    body: Record<string, unknown> & { title: string },
  ) {
    const now = new Date().toISOString().slice(0, 19).replace("T", " ");
    const { title } = body;
    const row = {
      id: randomUUID(),
      title,
      description: textOf(body["description"]),
      status: textOf(body["status"]) ?? "open",
      due_date: textOf(body["due_date"]),
      due_time: textOf(body["due_time"]),
      sync_enabled: Number(Boolean(body["sync_enabled"] ?? true)),
      reminder_enabled: Number(Boolean(body["reminder_enabled"])),
      recurring_enabled: Number(Boolean(body["recurring_enabled"])),
      project_id: textOf(body["project_id"]),
      created_at: now,
      updated_at: now,
    };
    db.exec("BEGIN IMMEDIATE");
    try {
      if (row.project_id !== null && !selectProject.get(caller.owner, row.project_id)) {
        throw new Error("project_id must be one of your projects, or null.");
      }
      const { lastInsertRowid } = insertTodo.run(
        row.id,
        caller.owner,
        title,
        title.toUpperCase(),
        row.description,
        row.description?.toUpperCase() ?? null,
        row.status,
        row.due_date,
        row.due_time,
        row.sync_enabled,
        row.reminder_enabled,
        row.recurring_enabled,
        row.project_id,
        now,
        now,
      );
      const categoryId = textOf(body["category_id"]);
      const category = categoryId && selectCategory.get(caller.owner, categoryId);
      if (category) insertLink.run(lastInsertRowid, categoryId);
      const details = JSON.stringify({ title });
      const { ip, userAgent } = client;
      insertActivity.run(randomUUID(), caller.owner, row.id, details, ip, userAgent, now);
      db.exec("COMMIT");
      return toTodo(row, caller.id, category ? [category as Category] : []);
    } catch (error) {
      db.exec("ROLLBACK");
      throw error;
    }
  }

  return { find, list, create };
}
