import { notFound } from "../contract/errors.ts";
import * as recurring from "../storage/recurring.ts";
import type { Caller, Operations } from "./actions.ts";
import { logActivity } from "./activity.ts";
import { type Context, timestamp } from "./context.ts";
import { createLinks } from "./links.ts";

const fields = [
  "title",
  "description",
  "schedule",
  "custom_days",
  "favorite",
  "category_id",
] as const;

export function createRecurring(context: Context): Operations<"recurring"> {
  const { db } = context;

  function find(caller: Caller, id: string): recurring.RecurringTaskRecord {
    const record = recurring.find(db, caller.owner, id);
    if (record === undefined) throw notFound("Recurring task");
    return record;
  }

  const links = createLinks(
    context,
    "recurring_task_categories",
    "task",
    (caller, id) => find(caller, id).seq,
  );

  return {
    list: (caller, { query }) => recurring.list(db, caller.owner, query),

    get: (caller, { params }) => find(caller, params.id).task,

    create: (caller, { body }) =>
      db.transaction(() => {
        const id = context.newId();
        const now = timestamp(context);
        const { seq, task } = recurring.insert(db, caller.owner, { ...body, id, now });
        const categories = links.linkOwn(caller, seq, body.category_id);
        logActivity(context, caller, "recurring_task", "created", id, { title: body.title });
        return { ...task, categories };
      }),

    update: (caller, { params, body }) =>
      db.transaction(() => {
        const { seq, task } = find(caller, params.id);
        if (fields.some((field) => body[field] !== undefined)) {
          recurring.update(db, caller.owner, params.id, { ...body, now: timestamp(context) });
        }
        if (body.category_id !== undefined) links.replace(caller, seq, body.category_id);
        logActivity(context, caller, "recurring_task", "updated", params.id, { title: task.title });
        return find(caller, params.id).task;
      }),

    remove: (caller, { params }) =>
      db.removal(() => {
        const { task } = find(caller, params.id);
        recurring.remove(db, caller.owner, params.id);
        logActivity(context, caller, "recurring_task", "deleted", params.id, { title: task.title });
        return null;
      }),

    link: links.link,
    unlink: links.unlink,
  };
}
