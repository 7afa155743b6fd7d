import type { Model } from "../contract/schemas.ts";
import type { Connection } from "./connection.ts";
import { fromJson, toJson } from "./list.ts";
import type { Owner } from "./owner.ts";

export type ActivityLogEntry = Model<"ActivityLogEntry">;

type ActivityRow = Omit<ActivityLogEntry, "user_id" | "details"> & { details: string | null };

const select = `SELECT id, action, entity_type, entity_id, details, ip_address, user_agent, created_at
  FROM activity_logs`;

function toEntry(row: ActivityRow, owner: Owner): ActivityLogEntry {
  return {
    id: row.id,
    user_id: owner.id,
    action: row.action,
    entity_type: row.entity_type,
    entity_id: row.entity_id,
    details: fromJson(row.details),
    ip_address: row.ip_address,
    user_agent: row.user_agent,
    created_at: row.created_at,
  };
}

/** The owner's entry. */
export function find(db: Connection, owner: Owner, id: string): ActivityLogEntry | undefined {
  const row = db.get<ActivityRow>(`${select} WHERE owner = ? AND id = ?`, [owner.seq, id]);
  return row && toEntry(row, owner);
}

/** The owner's newest entries, newest first. */
export function list(db: Connection, owner: Owner, limit: number): ActivityLogEntry[] {
  const rows = db.all<ActivityRow>(`${select} WHERE owner = ?+0 ORDER BY seq DESC LIMIT ?+0`, [
    owner.seq,
    limit,
  ]);
  return rows.map((row) => toEntry(row, owner));
}

export type NewActivity = Omit<ActivityLogEntry, "user_id">;

export function insert(db: Connection, owner: Owner, entry: NewActivity): void {
  db.run(
    `INSERT INTO activity_logs (id, owner, action, entity_type, entity_id, details, ip_address,
       user_agent, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      entry.id,
      owner.seq,
      entry.action,
      entry.entity_type,
      entry.entity_id,
      toJson(entry.details) ?? null,
      entry.ip_address,
      entry.user_agent,
      entry.created_at,
    ],
  );
}
