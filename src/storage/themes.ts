import type { Model } from "../contract/schemas.ts";
import type { Connection } from "./connection.ts";
import { fold } from "./fold.ts";

export type Theme = Model<"Theme">;

type ThemeRow = Omit<Theme, "is_free"> & { is_free: number };

const select = `SELECT id, name, display_name, description, author, version, thumbnail_url, price,
  is_free, created_at, updated_at FROM themes WHERE is_published = 1`;

function toTheme(row: ThemeRow): Theme {
  return { ...row, is_free: row.is_free === 1 };
}

/** The published theme of that id. */
export function findPublished(db: Connection, id: string): Theme | undefined {
  const row = db.get<ThemeRow>(`${select} AND id = ?`, [id]);
  return row && toTheme(row);
}

/** Every published theme, by display name. */
export function listPublished(db: Connection): Theme[] {
  return byDisplayName(db.all<ThemeRow>(`${select} ORDER BY seq`)).map(toTheme);
}

/** Sorts by display name without regard to case: SQLite's NOCASE knows that of ASCII only. */
export function byDisplayName<T extends { display_name: string }>(themes: readonly T[]): T[] {
  return themes
    .map((theme) => ({ theme, place: Buffer.from(fold(theme.display_name)) }))
    .toSorted((a, b) => Buffer.compare(a.place, b.place))
    .map(({ theme }) => theme);
}
