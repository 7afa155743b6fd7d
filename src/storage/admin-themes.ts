import type { AdminTheme } from "../contract/admin-schemas.ts";
import type { Connection } from "./connection.ts";
import { byDisplayName } from "./themes.ts";

type Flags = "is_free" | "is_published";
type AdminThemeRow = Omit<AdminTheme, Flags> & Record<Flags, number>;

const select = `SELECT id, name, display_name, description, author, version, thumbnail_url, price,
  is_free, created_at, updated_at, is_published,
  (SELECT count(*) FROM user_themes WHERE theme_id = themes.id) AS installations FROM themes`;

function toAdminTheme(row: AdminThemeRow): AdminTheme {
  return { ...row, is_free: row.is_free === 1, is_published: row.is_published === 1 };
}

/** The catalogue with what is not published, by display name. */
export function list(db: Connection): AdminTheme[] {
  return byDisplayName(db.all<AdminThemeRow>(`${select} ORDER BY seq`)).map(toAdminTheme);
}

/** The theme of that name, published or not. */
export function findByName(db: Connection, name: string): AdminTheme | undefined {
  const row = db.get<AdminThemeRow>(`${select} WHERE name = ?`, [name]);
  return row && toAdminTheme(row);
}

export interface NewTheme {
  id: string;
  name: string;
  display_name: string;
  description: string | null;
  author: string | null;
  version: string;
  thumbnail_url: string | null;
  price: number;
  isPublished: boolean;
  palette: object;
  now: string;
}

export function insert(db: Connection, theme: NewTheme): void {
  db.run(
    `INSERT INTO themes (id, name, display_name, description, author, version, thumbnail_url,
       price, is_free, is_published, palette, created_at, updated_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    [
      theme.id,
      theme.name,
      theme.display_name,
      theme.description,
      theme.author,
      theme.version,
      theme.thumbnail_url,
      theme.price,
      Number(theme.price === 0),
      Number(theme.isPublished),
      JSON.stringify(theme.palette),
      theme.now,
      theme.now,
    ],
  );
}

/** Removes the theme from the catalogue; false when there was none. */
export function remove(db: Connection, id: string): boolean {
  return db.run("DELETE FROM themes WHERE id = ?", [id]) > 0;
}
