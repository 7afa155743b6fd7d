import { ApiError, notFound } from "../contract/errors.ts";
import * as categories from "../storage/categories.ts";
import type { Caller, Operations } from "./actions.ts";
import { logActivity } from "./activity.ts";
import { type Context, timestamp } from "./context.ts";

export function createCategories(context: Context): Operations<"categories"> {
  const { db } = context;

  function find(caller: Caller, id: string): categories.Category {
    const category = categories.find(db, caller.owner, id);
    if (category === undefined) throw notFound("Category");
    return category;
  }

  /** @param id the category that may keep the name, in whatever case */
  function checkName(caller: Caller, name: string, id?: string): void {
    const other = categories.findByName(db, caller.owner, name);
    if (other === undefined || other.id === id) return;
    throw new ApiError("conflict", "A category with this name already exists.");
  }

  return {
    list: (caller, { query }) => categories.list(db, caller.owner, query),

    get: (caller, { params }) => find(caller, params.id),

    create: (caller, { body }) =>
      db.transaction(() => {
        checkName(caller, body.name);
        const id = context.newId();
        categories.insert(db, caller.owner, { ...body, id, now: timestamp(context) });
        logActivity(context, caller, "category", "created", id, { name: body.name });
        return find(caller, id);
      }),

    update: (caller, { params, body }) =>
      db.transaction(() => {
        const { name } = find(caller, params.id);
        if (body.name === undefined && body.color === undefined && body.favorite === undefined) {
          throw new ApiError("bad_request", "No valid fields to update");
        }
        if (body.name !== undefined) checkName(caller, body.name, params.id);
        categories.update(db, caller.owner, params.id, body);
        logActivity(context, caller, "category", "updated", params.id, { name });
        return find(caller, params.id);
      }),

    remove: (caller, { params }) =>
      db.removal(() => {
        const { name } = find(caller, params.id);
        categories.remove(db, caller.owner, params.id);
        logActivity(context, caller, "category", "deleted", params.id, { name });
        return null;
      }),
  };
}
