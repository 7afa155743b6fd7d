import type { Generated } from "./generated.ts";
import type { Operation } from "./call.ts";
import { clamp } from "./lists.ts";
import { notFound } from "./refusal.ts";
import type { JsonObject, LogEntry, User } from "./world.ts";

/** Sections 4.8 and 6. */

/** An entry's id and moment become known when it is first shown. */
function shownEntry(user: User, entry: LogEntry, data: unknown, generated: Generated) {
  const { action, entity_type, entity_id, details, user_agent } = entry;
  const answered = data as JsonObject | undefined;
  const id = entry.id ?? generated.id(answered?.["id"]);
  const created_at = generated.within(answered?.["created_at"], entry.made);
  if (!id.startsWith("<")) entry.id = id;
  if (!created_at.startsWith("<")) entry.made = { from: created_at, to: created_at };
  return {
    id,
    user_id: user.profile.id,
    action,
    entity_type,
    entity_id,
    details,
    ip_address: "127.0.0.1",
    user_agent,
    created_at,
  };
}

export const listActivity: Operation = ({ user, query, data, generated }) => {
  const newest = user.log.toReversed().slice(0, clamp(query["limit"], 50, 200));
  const answered = data as unknown[] | undefined;
  return newest.map((entry, index) => shownEntry(user, entry, answered?.[index], generated));
};

export const getActivity: Operation = ({ user, params, data, generated }) => {
  const entry = user.log.find(({ id }) => id === params.id);
  if (entry === undefined) throw notFound("Activity log");
  return shownEntry(user, entry, data, generated);
};
