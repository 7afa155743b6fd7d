import { notFound } from "../contract/errors.ts";
import * as users from "../storage/users.ts";
import type { Caller, Operations } from "./actions.ts";
import { type Context, timestamp } from "./context.ts";

const fields = ["name", "avatar_url", "settings"] as const;

export function createProfile(context: Context): Operations<"profile"> {
  const { db } = context;

  function find(caller: Caller): users.User {
    const record = users.find(db, caller.owner.id);
    if (record === undefined) throw notFound("User");
    return record.user;
  }

  return {
    get: (caller) => find(caller),

    update: (caller, { body }) =>
      db.transaction(() => {
        if (fields.some((field) => body[field] !== undefined)) {
          users.update(db, caller.owner.id, { ...body, now: timestamp(context) });
        }
        return find(caller);
      }),
  };
}
