import { notFound } from "../contract/errors.ts";
import * as activity from "../storage/activity.ts";
import type { Caller, Operations } from "./actions.ts";
import { type Context, timestamp } from "./context.ts";

type EntityType = "todo" | "recurring_task" | "project" | "category";
type Verb = "created" | "updated" | "deleted";

/**
 * A UUID, version 4, that begins with the moment (COMB): the entries of one user then follow each
 * other in the index by id, so that a new one seldom writes a page of its own.
 */
function orderedId({ newId, now }: Context): string {
  const time = now().toString(16).padStart(12, "0");
  return `${time.slice(0, 8)}-${time.slice(8)}${newId().slice(13)}`;
}

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
    id: orderedId(context),
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
