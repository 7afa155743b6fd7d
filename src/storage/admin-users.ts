import type { AdminUser } from "../contract/admin-schemas.ts";
import type { Connection } from "./connection.ts";
import { fold } from "./fold.ts";
import { type Condition, idIs, paramsOf, where } from "./list.ts";

/**
 * All users by e-mail, or those that the operator's name for one fits.
 *
 * @param user an e-mail address, in any case, or the start of an id
 * @param now keys that have expired by then are not counted
 */
export function list(db: Connection, user: string | undefined, now: string): AdminUser[] {
  const condition: Condition = user?.includes("@")
    ? { sql: "email_folded = ?", params: [fold(user)] }
    : idIs(user?.toLowerCase() ?? "");
  return db.all<AdminUser>(
    `SELECT id, email, name, created_at,
       (SELECT coalesce(sum(total), 0) FROM todo_totals WHERE owner = users.seq) AS todos,
       (SELECT count(*) FROM api_keys WHERE owner = users.seq AND is_active = 1
         AND (expires_at IS NULL OR expires_at > ?)) AS keys
      FROM users ${where([condition])} ORDER BY email_folded`,
    [now, ...paramsOf([condition])],
  );
}
