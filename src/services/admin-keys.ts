import { notFound } from "../contract/errors.ts";
import * as adminKeys from "../storage/admin-keys.ts";
import type { AdminOperations } from "./actions.ts";
import type { Context } from "./context.ts";

/** What an operator does with the API keys of all users. */
export function createAdminKeys({ db }: Context): AdminOperations<"keys"> {
  return {
    list: (_operator, { query }) => adminKeys.list(db, query.user_id),

    revoke: (_operator, { params }) =>
      db.transaction(() => {
        if (!adminKeys.deactivate(db, params.id)) throw notFound("API key");
        return null;
      }),
  };
}
