import { notFound } from "../contract/errors.ts";
import * as activity from "../storage/activity.ts";
import type { Caller, Operations } from "./actions.ts";
import { type Context, timestamp } from "./context.ts";

type EntityType = "todo" | "recurring_task" | "project" | "category";
type Verb = "created" | "updated" | "deleted";

/** Adds an entry to the caller's activity log; part of the caller's transaction. */
export function logActivity(
  context: Context,
  caller: Caller,
  entityType: EntityType,
  verb: Verb,
  entityId: string,
  details: { title: string } | { name: string },
): void {
  activity.insert(context.db, caller.owner, {
    id: context.newId(),
    action: `${entityType}_${verb}`,
    entity_type: entityType,
    entity_id: entityId,
    details,
    ip_address: caller.ip,
    user_agent: caller.userAgent,
    created_at: timestamp(context),
  });
}

export function createActivity({ db }: Context): Operations<"activity"> {
  return {
    list: (caller, { query }) => activity.list(db, caller.owner, query.limit),

    get(caller, { params }) {
      const entry = activity.find(db, caller.owner, params.id);
      if (entry === undefined) throw notFound("Activity log");
      return entry;
    },
  };
}
