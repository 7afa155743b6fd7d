import type { BodyOf, Model } from "../contract/schemas.ts";
import type { Connection } from "./connection.ts";
import { fromJson, removeRow, toFlag, toJson, updateRow } from "./list.ts";
import type { Owner } from "./owner.ts";

export type UserTheme = Model<"UserTheme">;

interface UserThemeRow {
  id: string;
  theme_id: string;
  is_active: number;
  custom_settings: string | null;
  created_at: string;
}

const select = "SELECT id, theme_id, is_active, custom_settings, created_at FROM user_themes";

function toUserTheme(row: UserThemeRow, owner: Owner): UserTheme {
  return {
    id: row.id,
    user_id: owner.id,
    theme_id: row.theme_id,
    is_active: row.is_active === 1,
    custom_settings: fromJson(row.custom_settings),
    created_at: row.created_at,
  };
}

/** The owner's installation. */
export function find(db: Connection, owner: Owner, id: string): UserTheme | undefined {
  const row = db.get<UserThemeRow>(`${select} WHERE owner = ? AND id = ?`, [owner.seq, id]);
  return row && toUserTheme(row, owner);
}

/** The owner's installation of a theme of the catalogue. */
export function findByTheme(db: Connection, owner: Owner, themeId: string): UserTheme | undefined {
  const row = db.get<UserThemeRow>(`${select} WHERE owner = ? AND theme_id = ?`, [
    owner.seq,
    themeId,
  ]);
  return row && toUserTheme(row, owner);
}

/** The owner's installed themes, newest first. */
export function list(db: Connection, owner: Owner): UserTheme[] {
  const rows = db.all<UserThemeRow>(`${select} WHERE owner = ? ORDER BY seq DESC`, [owner.seq]);
  return rows.map((row) => toUserTheme(row, owner));
}

type NewUserTheme = BodyOf<"userThemes", "create"> & { id: string; now: string };

export function insert(db: Connection, owner: Owner, theme: NewUserTheme): void {
  db.run(
    `INSERT INTO user_themes (id, owner, theme_id, is_active, custom_settings, created_at)
     VALUES (?, ?, ?, ?, ?, ?)`,
    [
      theme.id,
      owner.seq,
      theme.theme_id,
      Number(theme.is_active ?? false),
      toJson(theme.custom_settings) ?? null,
      theme.now,
    ],
  );
}

/** Changes the given fields. */
export function update(
  db: Connection,
  owner: Owner,
  id: string,
  changes: BodyOf<"userThemes", "update">,
): void {
  updateRow(db, "user_themes", owner.seq, id, {
    is_active: toFlag(changes.is_active),
    custom_settings: toJson(changes.custom_settings),
  });
}

/** Uninstalls the theme; false when there was none. */
export function remove(db: Connection, owner: Owner, id: string): boolean {
  return removeRow(db, "user_themes", owner.seq, id);
}
