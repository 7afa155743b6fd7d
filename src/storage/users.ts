import type { BodyOf, Model } from "../contract/schemas.ts";
import type { Connection } from "./connection.ts";
import { fold } from "./fold.ts";
import { fromJson, toJson } from "./list.ts";

export type User = Model<"User">;
/** A user as the service knows it; the password hash never leaves the service. */
export type UserRecord = { seq: number; passwordHash: string; user: User };

interface UserRow {
  seq: number;
  id: string;
  email: string;
  name: string;
  password_hash: string;
  avatar_url: string | null;
  settings: string | null;
  created_at: string;
  updated_at: string;
}

const select = `SELECT seq, id, email, name, password_hash, avatar_url, settings, created_at,
  updated_at FROM users`;

function toRecord(row: UserRow): UserRecord {
  return {
    seq: row.seq,
    passwordHash: row.password_hash,
    user: {
      id: row.id,
      email: row.email,
      name: row.name,
      avatar_url: row.avatar_url,
      settings: fromJson(row.settings),
      created_at: row.created_at,
      updated_at: row.updated_at,
    },
  };
}

/** The user of that id. */
export function find(db: Connection, id: string): UserRecord | undefined {
  const row = db.get<UserRow>(`${select} WHERE id = ?`, [id]);
  return row && toRecord(row);
}

/** The user of that e-mail address, compared without regard to case. */
export function findByEmail(db: Connection, email: string): UserRecord | undefined {
  const row = db.get<UserRow>(`${select} WHERE email_folded = ?`, [fold(email)]);
  return row && toRecord(row);
}

export interface NewUser {
  id: string;
  email: string;
  name: string;
  passwordHash: string;
  avatar_url: string | null;
  settings: User["settings"];
  now: string;
}

export function insert(db: Connection, user: NewUser): void {
  db.run(
    `INSERT INTO users (id, email, email_folded, name, password_hash, avatar_url, settings,
       created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      user.id,
      user.email,
      fold(user.email),
      user.name,
      user.passwordHash,
      user.avatar_url,
      toJson(user.settings) ?? null,
      user.now,
      user.now,
    ],
  );
}

type UserChanges = BodyOf<"profile", "update"> & { now: string };

/** Changes the given fields and `updated_at`; the row is the user's own. */
export function update(db: Connection, id: string, changes: UserChanges): void {
  const settings = toJson(changes.settings);
  db.run(
    `UPDATE users SET name = coalesce(?, name),
       avatar_url = CASE WHEN ? THEN ? ELSE avatar_url END,
       settings = CASE WHEN ? THEN ? ELSE settings END,
       updated_at = ?
     WHERE id = ?`,
    [
      changes.name ?? null,
      Number(changes.avatar_url !== undefined),
      changes.avatar_url ?? null,
      Number(settings !== undefined),
      settings ?? null,
      changes.now,
      id,
    ],
  );
}

/** Replaces the password's hash. */
export function setPassword(db: Connection, seq: number, passwordHash: string, now: string): void {
  const params = [passwordHash, now, seq];
  db.run("UPDATE users SET password_hash = ?, updated_at = ? WHERE seq = ?", params);
}

/** Removes the user with everything that is the user's. */
export function remove(db: Connection, seq: number): void {
  db.run("DELETE FROM users WHERE seq = ?", [seq]);
  // Kept by triggers, these refer to nobody.
  db.run("DELETE FROM todo_totals WHERE owner = ?", [seq]);
}
