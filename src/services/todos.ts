import { invalid, notFound } from "../contract/errors.ts";
import * as projects from "../storage/projects.ts";
import * as todos from "../storage/todos.ts";
import type { Caller, Operations } from "./actions.ts";
import { logActivity } from "./activity.ts";
import { type Context, timestamp } from "./context.ts";
import { createLinks } from "./links.ts";

const fields = [
  "title",
  "description",
  "status",
  "due_date",
  "due_time",
  "sync_enabled",
  "reminder_enabled",
  "recurring_enabled",
  "project_id",
  "category_id",
] as const;

export function createTodos(context: Context): Operations<"todos"> {
  const { db } = context;

  function find(caller: Caller, id: string): todos.TodoRecord {
    const record = todos.find(db, caller.owner, id);
    if (record === undefined) throw notFound("Todo");
    return record;
  }

  function checkProject(caller: Caller, projectId: string | null | undefined): void {
    if (projectId == null || projects.exists(db, caller.owner, projectId)) return;
    throw invalid({ project_id: "project_id must be one of your projects, or null." });
  }

  const links = createLinks(
    context,
    "todo_categories",
    "todo",
    (caller, id) => find(caller, id).seq,
  );

  return {
    list: (caller, { query }) => todos.list(db, caller.owner, query),

    get: (caller, { params }) => find(caller, params.id).todo,

    create: (caller, { body }) =>
      db.transaction(() => {
        checkProject(caller, body.project_id);
        const id = context.newId();
        const now = timestamp(context);
        const { seq, todo } = todos.insert(db, caller.owner, { ...body, id, now });
        const categories = links.linkOwn(caller, seq, body.category_id);
        logActivity(context, caller, "todo", "created", id, { title: body.title });
        return { ...todo, categories };
      }),

    update: (caller, { params, body }) =>
      db.transaction(() => {
        const { seq, todo } = find(caller, params.id);
        checkProject(caller, body.project_id);
        if (fields.some((field) => body[field] !== undefined)) {
          todos.update(db, caller.owner, params.id, { ...body, now: timestamp(context) });
        }
        if (body.category_id !== undefined) links.replace(caller, seq, body.category_id);
        logActivity(context, caller, "todo", "updated", params.id, { title: todo.title });
        return find(caller, params.id).todo;
      }),

    remove: (caller, { params }) =>
      db.removal(() => {
        const { todo } = find(caller, params.id);
        todos.remove(db, caller.owner, params.id);
        logActivity(context, caller, "todo", "deleted", params.id, { title: todo.title });
        return null;
      }),

    link: links.link,
    unlink: links.unlink,
  };
}
