import assert from "node:assert/strict";
import { createRequire } from "node:module";
import { before, describe, test } from "node:test";

import { schema } from "../migrations/001-schema.ts";
import { themes } from "../migrations/002-themes.ts";

type Row = Record<string, string | number | null>;
/** As much of sql.js as an empty database in memory takes. */
type InitSqlJs = () => Promise<{
  Database: new () => {
    exec(sql: string): { columns: string[]; values: (string | number | null)[][] }[];
  };
}>;

const colors = ["primary", "accent", "success", "warning", "danger"] as const;
const keys = ["background", "foreground", "muted", ...colors] as const;
type Palette = Record<(typeof keys)[number], string>;

/** Palettes whose own foreground stays below a contrast of 7. */
const softer = new Set(["solarized-dark"]);

async function migrated(): Promise<Row[]> {
  const initSqlJs = createRequire(import.meta.url)("sql.js") as InitSqlJs;
  const { Database } = await initSqlJs();
  const database = new Database();
  database.exec(schema.up);
  database.exec(themes.up);
  const [result] = database.exec("SELECT * FROM themes ORDER BY seq");
  assert.ok(result);
  return result.values.map((row) =>
    Object.fromEntries(result.columns.map((name, index) => [name, row[index] ?? null])),
  );
}

/** Relative luminance of #rrggbb: https://www.w3.org/TR/WCAG22/#dfn-relative-luminance */
function luminance(color: string): number {
  const linear = (start: number) => {
    const channel = Number.parseInt(color.slice(start, start + 2), 16) / 255;
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4;
  };
  return 0.2126 * linear(1) + 0.7152 * linear(3) + 0.0722 * linear(5);
}

/** Contrast ratio, 1 to 21: https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio */
function contrast(one: string, other: string): number {
  const [darker, lighter] = [luminance(one), luminance(other)].toSorted((a, b) => a - b);
  return (lighter! + 0.05) / (darker! + 0.05);
}

describe("the theme catalogue", () => {
  let rows: Row[];
  const palettes = () =>
    rows.map((row) => [row.name as string, JSON.parse(row.palette as string) as Palette] as const);
  before(async () => {
    rows = await migrated();
  });

  test("holds twelve free, published themes of version 1.0.0", () => {
    assert.equal(rows.length, 12);
    for (const row of rows) {
      const { price, is_free, is_published, version, thumbnail_url } = row;
      assert.deepEqual([price, is_free, is_published, version], [0, 1, 1, "1.0.0"]);
      assert.equal(thumbnail_url, null);
    }
  });

  test("names every theme by a UUID of version 4 and by a kebab-case name", () => {
    for (const { id, name } of rows) {
      assert.match(
        String(id),
        /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/,
      );
      assert.match(String(name), /^[a-z0-9]+(-[a-z0-9]+)*$/);
    }
  });

  test("has no id, name or display name twice", () => {
    for (const column of ["id", "name", "display_name"]) {
      assert.equal(new Set(rows.map((row) => row[column])).size, rows.length, column);
    }
  });

  test("says of every theme in one sentence what it looks like, and who made it", () => {
    for (const { author, description } of rows) {
      assert.match(String(author), /^\S/);
      assert.match(String(description), /^[A-Z][^.]+\.$/);
    }
  });

  test("gives every palette the same keys, each a colour", () => {
    for (const [name, palette] of palettes()) {
      assert.deepEqual(Object.keys(palette), [...keys], name);
      for (const color of Object.values(palette)) assert.match(color, /^#[0-9a-f]{6}$/, name);
    }
  });

  test("keeps text readable on its background", () => {
    for (const [name, palette] of palettes()) {
      const least = softer.has(name) ? 4.5 : 7;
      const ratio = contrast(palette.foreground, palette.background);
      assert.ok(ratio >= least, `${name}: ${ratio.toFixed(2)}`);
    }
  });

  test("keeps every other colour visible on its background", () => {
    for (const [name, palette] of palettes()) {
      for (const key of ["muted", ...colors] as const) {
        const ratio = contrast(palette[key], palette.background);
        assert.ok(ratio >= 3, `${name}, ${key}: ${ratio.toFixed(2)}`);
      }
    }
  });
});
