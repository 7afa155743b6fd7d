// Makes test/fixtures/schema-N.db: a database of each version of the schema, as the program of that
// time has left it. Those that are there stay as they are: a released schema never changes. A new
// version of the schema brings what is new in it into `contents`, then run
//
//   node --import tsx build/fixtures.ts
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { migrations } from "../migrations/index.ts";
import { type Database, openDatabase } from "../src/storage/database.ts";

const folder = fileURLToPath(new URL("../test/fixtures/", import.meta.url));

/** The key of the fixtures' user, who is nobody; test/upgrades.test.ts knows it, too. */
const key = "todo_Pe2ZmBWfpq5VV4GArqxvrzwZ5juXO0dE4FUoZS";

/** Of the password "correct horse", as services/passwords.ts hashes it. */
const passwordHash = "$2b$04$6T.R/eDBy/2Dwqf54xTRHOLDneRgBkM8rLjSlkVzSgOGajsva2G4O";

const at = "2026-11-20 12:00:00";
const id = (number: number) => `00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;

/** What is written at a version, after what was written at those before it: in its own words. */
const contents: Record<number, (db: Database) => void> = {
  1(db) {
    db.run("INSERT INTO settings (name, value) VALUES ('jwt_secret', ?)", [new Uint8Array(32)]);
    db.run(
      `INSERT INTO users (id, email, email_folded, name, password_hash, settings, created_at,
         updated_at) VALUES (?, 'Ada@example.org', 'ADA@EXAMPLE.ORG', 'Ada', ?, ?, ?, ?)`,
      [id(1), passwordHash, '{"language":"en"}', at, at],
    );
    db.run(
      `INSERT INTO api_keys (id, owner, hash, prefix, name, scopes, created_at)
         VALUES (?, 1, ?, ?, 'laptop', 'read,write', ?)`,
      [id(2), createHash("sha256").update(key).digest("hex"), key.slice(0, 12), at],
    );
    db.run(
      `INSERT INTO categories (id, owner, name, name_folded, color, favorite, created_at)
         VALUES (?, 1, 'Bills', 'BILLS', '#ff0000', 1, ?)`,
      [id(3), at],
    );
    db.run(
      `INSERT INTO projects (id, owner, name, name_folded, description, color, created_at)
         VALUES (?, 1, 'Home', 'HOME', 'Everything at home', '#00ff00', ?)`,
      [id(4), at],
    );
    for (const [number, title, folded, status] of [
      [5, "Pay rent", "PAY RENT", "open"],
      [6, "Grüße schreiben", "GRÜSSE SCHREIBEN", "done"],
    ] as const) {
      db.run(
        `INSERT INTO todos (id, owner, title, title_folded, status, due_date, due_time,
           sync_enabled, reminder_enabled, recurring_enabled, project_id, created_at, updated_at)
           VALUES (?, 1, ?, ?, ?, '2026-11-30', '09:00', 1, 1, 0, ?, ?, ?)`,
        [id(number), title, folded, status, id(4), at, at],
      );
    }
    db.run("INSERT INTO todo_categories (record, category_id) VALUES (1, ?)", [id(3)]);
    db.run(
      `INSERT INTO recurring_tasks (id, owner, title, title_folded, schedule, custom_days, favorite,
         created_at, updated_at) VALUES (?, 1, 'Water plants', 'WATER PLANTS', 'weekly', '[]', 0, ?, ?)`,
      [id(7), at, at],
    );
    db.run(
      `INSERT INTO activity_logs (id, owner, action, entity_type, entity_id, details, ip_address,
         user_agent, created_at)
         VALUES (?, 1, 'todo_created', 'todo', ?, '{"title":"Pay rent"}', '127.0.0.1', 'curl', ?)`,
      [id(8), id(5), at],
    );
  },
  2(db) {
    db.run(
      `INSERT INTO user_themes (id, owner, theme_id, is_active, created_at)
         SELECT ?, 1, id, 1, ? FROM themes WHERE name = 'nord'`,
      [id(9), at],
    );
  },
};

mkdirSync(folder, { recursive: true });
for (const { version } of migrations) {
  const fixture = join(folder, `schema-${version}.db`);
  if (!existsSync(fixture)) {
    await make(version, fixture);
    console.log(`made ${fixture}`);
  }
}

async function make(version: number, fixture: string): Promise<void> {
  const data = mkdtempSync(join(tmpdir(), "todo-fixture-"));
  try {
    for (const step of migrations.filter((migration) => migration.version <= version)) {
      const upTo = migrations.filter((migration) => migration.version <= step.version);
      const db = await openDatabase({ folder: data, migrations: upTo });
      db.transaction(() => contents[step.version]?.(db));
      await db.close();
    }
    copyFileSync(join(data, "todo.db"), fixture);
  } finally {
    rmSync(data, { recursive: true });
  }
}
