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

/** Takes about a tenth of a second. Fewer at a time would write the pages of the indexes too often. */
const rowsAtOnce = 5000;

/**
 * Removes the oldest of what a user may have many of.
 *
 * @returns whether that was all
 */
export function removeMuch(db: Connection, owner: number): boolean {
  const params = [owner, rowsAtOnce];
  const todos = db.run(
    `DELETE FROM todos WHERE seq IN
       (SELECT seq FROM todos WHERE owner = ? ORDER BY created_at LIMIT ?)`,
    params,
  );
  if (todos === rowsAtOnce) return false;
  const entries = db.run(
    `DELETE FROM activity_logs WHERE seq IN
       (SELECT seq FROM activity_logs WHERE owner = ? ORDER BY seq LIMIT ?)`,
    params,
  );
  return entries < rowsAtOnce;
}
