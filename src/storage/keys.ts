import type { Model } from "../contract/schemas.ts";
import type { Scope } from "../contract/values.ts";
import type { Connection } from "./connection.ts";
import type { Owner } from "./owner.ts";

export type ApiKey = Model<"ApiKey">;

export interface ApiKeyRow {
  id: string;
  prefix: string;
  name: string;
  scopes: string;
  is_active: number;
  last_used_at: string | null;
  created_at: string;
}

const select = "SELECT id, prefix, name, scopes, is_active, last_used_at, created_at FROM api_keys";

function toScopes(text: string): Scope[] {
  return text.split(",") as Scope[];
}

/** A row as the API shows it. */
export function toApiKey(row: ApiKeyRow): ApiKey {
  return {
    id: row.id,
    key_prefix: row.prefix,
    name: row.name,
    scopes: toScopes(row.scopes),
    is_active: row.is_active === 1,
    last_used_at: row.last_used_at,
    created_at: row.created_at,
  };
}

/** What a key, found by its hash, lets its bearer do. */
export interface Credential {
  id: string;
  owner: Owner;
  scopes: Scope[];
  lastUsedAt: string | null;
  expiresAt: string | null;
}

/** The key of that hash, when it is active; it may have expired. */
export function findActive(db: Connection, hash: string): Credential | undefined {
  const row = db.get<{
    id: string;
    owner: number;
    user_id: string;
    scopes: string;
    last_used_at: string | null;
    expires_at: string | null;
  }>(
    `SELECT key.id, key.owner, user.id AS user_id, key.scopes, key.last_used_at, key.expires_at
       FROM api_keys AS key JOIN users AS user ON user.seq = key.owner
      WHERE key.hash = ? AND key.is_active = 1`,
    [hash],
  );
  return (
    row && {
      id: row.id,
      owner: { seq: row.owner, id: row.user_id },
      scopes: toScopes(row.scopes),
      lastUsedAt: row.last_used_at,
      expiresAt: row.expires_at,
    }
  );
}

/** The owner's key. */
export function find(db: Connection, owner: Owner, id: string): ApiKey | undefined {
  const row = db.get<ApiKeyRow>(`${select} WHERE owner = ? AND id = ?`, [owner.seq, id]);
  return row && toApiKey(row);
}

/** The owner's keys, newest first, inactive ones too. */
export function list(db: Connection, owner: Owner): ApiKey[] {
  const rows = db.all<ApiKeyRow>(`${select} WHERE owner = ? ORDER BY seq DESC`, [owner.seq]);
  return rows.map(toApiKey);
}

/** The prefix of the owner's newest key that is active and not expired at `now`. */
export function newestUsablePrefix(db: Connection, owner: Owner, now: string): string | undefined {
  const row = db.get<{ prefix: string }>(
    `SELECT prefix FROM api_keys
      WHERE owner = ? AND is_active = 1 AND (expires_at IS NULL OR expires_at > ?)
      ORDER BY seq DESC LIMIT 1`,
    [owner.seq, now],
  );
  return row?.prefix;
}

export interface NewKey {
  id: string;
  hash: string;
  prefix: string;
  name: string;
  scopes: readonly Scope[];
  expiresAt: string | null;
  now: string;
}

export function insert(db: Connection, owner: Owner, key: NewKey): void {
  db.run(
    `INSERT INTO api_keys (id, owner, hash, prefix, name, scopes, expires_at, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      key.id,
      owner.seq,
      key.hash,
      key.prefix,
      key.name,
      key.scopes.join(","),
      key.expiresAt,
      key.now,
    ],
  );
}

/** Makes the key inactive for good. */
export function deactivate(db: Connection, owner: Owner, id: string): void {
  db.run("UPDATE api_keys SET is_active = 0 WHERE owner = ? AND id = ?", [owner.seq, id]);
}

/** Remembers when the owner's key was used. */
export function touch(db: Connection, owner: Owner, id: string, usedAt: string): void {
  const params = [usedAt, owner.seq, id];
  db.run("UPDATE api_keys SET last_used_at = ? WHERE owner = ? AND id = ?", params);
}
