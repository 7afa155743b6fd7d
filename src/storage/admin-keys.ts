import type { AdminKey } from "../contract/admin-schemas.ts";
import type { Connection } from "./connection.ts";
import { type ApiKeyRow, toApiKey } from "./keys.ts";

type AdminKeyRow = ApiKeyRow & Pick<AdminKey, "expires_at" | "user_id" | "email">;

/** The keys of all users, or of the one of that id, newest first, inactive ones too. */
export function list(db: Connection, userId: string | undefined): AdminKey[] {
  const rows = db.all<AdminKeyRow>(
    `SELECT key.id, key.prefix, key.name, key.scopes, key.is_active, key.last_used_at,
       key.created_at, key.expires_at, user.id AS user_id, user.email
      FROM api_keys AS key JOIN users AS user ON user.seq = key.owner
      WHERE ?1 IS NULL OR user.id = ?1
      ORDER BY key.seq DESC`,
    [userId ?? null],
  );
  return rows.map((row) => {
    const { expires_at, user_id, email } = row;
    return Object.assign(toApiKey(row), { expires_at, user_id, email });
  });
}

/** Makes the key inactive for good; false when there is no such key. */
export function deactivate(db: Connection, id: string): boolean {
  return db.run("UPDATE api_keys SET is_active = 0 WHERE id = ?", [id]) > 0;
}

/** Makes all keys of the user of that `seq` inactive; how many worked until now. */
export function deactivateAll(db: Connection, owner: number, now: string): number {
  const usable = "owner = ? AND is_active = 1 AND (expires_at IS NULL OR expires_at > ?)";
  const ended = db.run(`UPDATE api_keys SET is_active = 0 WHERE ${usable}`, [owner, now]);
  db.run("UPDATE api_keys SET is_active = 0 WHERE owner = ?", [owner]);
  return ended;
}
