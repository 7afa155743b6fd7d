import type { Migration } from "./migration.ts";

/**
 * Records are named by `id` (a UUID) towards the outside and by `seq` inside:
 * it is short in every index, and it is the order of creation that breaks ties.
 * `owner` is the user's `seq`; every index over owned rows starts with it.
 * Columns named *_folded hold text made comparable without regard to case.
 */
export const schema: Migration = {
  version: 1,
  name: "schema",
  up: `
CREATE TABLE settings (
  name  TEXT PRIMARY KEY,
  value BLOB NOT NULL
) WITHOUT ROWID;

CREATE TABLE users (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  email         TEXT NOT NULL,
  email_folded  TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL,
  password_hash TEXT NOT NULL,
  avatar_url    TEXT,
  settings      TEXT,
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL
);

CREATE TABLE api_keys (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL,
  owner        INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  hash         TEXT NOT NULL UNIQUE,
  prefix       TEXT NOT NULL,
  name         TEXT NOT NULL,
  scopes       TEXT NOT NULL,
  expires_at   TEXT,
  is_active    INTEGER NOT NULL DEFAULT 1,
  last_used_at TEXT,
  created_at   TEXT NOT NULL,
  UNIQUE (owner, id)
);

CREATE TABLE categories (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL,
  owner       INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  name        TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  color       TEXT NOT NULL,
  favorite    INTEGER NOT NULL DEFAULT 0,
  created_at  TEXT NOT NULL,
  UNIQUE (owner, id),
  UNIQUE (owner, name_folded)
);
CREATE INDEX categories_by_creation ON categories (owner, created_at);
CREATE INDEX categories_by_favorite ON categories (owner, favorite);

CREATE TABLE projects (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL,
  owner       INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  name        TEXT NOT NULL,
  name_folded TEXT NOT NULL,
  description TEXT,
  color       TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  UNIQUE (owner, id)
);
CREATE INDEX projects_by_name ON projects (owner, name_folded);
CREATE INDEX projects_by_creation ON projects (owner, created_at);

CREATE TABLE todos (
  seq                INTEGER PRIMARY KEY,
  id                 TEXT NOT NULL,
  owner              INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  title              TEXT NOT NULL,
  title_folded       TEXT NOT NULL,
  description        TEXT,
  description_folded TEXT,
  status             TEXT NOT NULL,
  due_date           TEXT,
  due_time           TEXT,
  sync_enabled       INTEGER NOT NULL,
  reminder_enabled   INTEGER NOT NULL,
  recurring_enabled  INTEGER NOT NULL,
  project_id         TEXT,
  created_at         TEXT NOT NULL,
  updated_at         TEXT NOT NULL,
  UNIQUE (owner, id)
);
CREATE INDEX todos_by_creation ON todos (owner, created_at);
CREATE INDEX todos_by_update ON todos (owner, updated_at);
CREATE INDEX todos_by_title ON todos (owner, title_folded);
CREATE INDEX todos_by_status ON todos (owner, status, created_at);
CREATE INDEX todos_by_due_date ON todos (owner, due_date);
CREATE INDEX todos_by_due_time ON todos (owner, due_time);
CREATE INDEX todos_by_project ON todos (owner, project_id, created_at) WHERE project_id IS NOT NULL;
-- Of each flag only the rarer value is worth an index.
CREATE INDEX todos_not_synced ON todos (owner, created_at) WHERE sync_enabled = 0;
CREATE INDEX todos_reminding ON todos (owner, created_at) WHERE reminder_enabled = 1;
CREATE INDEX todos_recurring ON todos (owner, created_at) WHERE recurring_enabled = 1;

-- Kept, so that the total of a list costs no scan.
CREATE TABLE todo_totals (
  owner  INTEGER NOT NULL,
  status TEXT NOT NULL,
  total  INTEGER NOT NULL,
  PRIMARY KEY (owner, status)
) WITHOUT ROWID;
CREATE TRIGGER todo_inserted AFTER INSERT ON todos BEGIN
  INSERT INTO todo_totals (owner, status, total) VALUES (new.owner, new.status, 1)
    ON CONFLICT DO UPDATE SET total = total + 1;
END;
CREATE TRIGGER todo_deleted AFTER DELETE ON todos BEGIN
  UPDATE todo_totals SET total = total - 1 WHERE owner = old.owner AND status = old.status;
END;
CREATE TRIGGER todo_moved AFTER UPDATE OF status ON todos WHEN old.status <> new.status BEGIN
  UPDATE todo_totals SET total = total - 1 WHERE owner = old.owner AND status = old.status;
  INSERT INTO todo_totals (owner, status, total) VALUES (new.owner, new.status, 1)
    ON CONFLICT DO UPDATE SET total = total + 1;
END;

CREATE TABLE recurring_tasks (
  seq          INTEGER PRIMARY KEY,
  id           TEXT NOT NULL,
  owner        INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  title        TEXT NOT NULL,
  title_folded TEXT NOT NULL,
  description  TEXT,
  schedule     TEXT NOT NULL,
  custom_days  TEXT NOT NULL,
  favorite     INTEGER NOT NULL,
  created_at   TEXT NOT NULL,
  updated_at   TEXT NOT NULL,
  UNIQUE (owner, id)
);
CREATE INDEX recurring_tasks_by_creation ON recurring_tasks (owner, created_at);
CREATE INDEX recurring_tasks_by_title ON recurring_tasks (owner, title_folded);
CREATE INDEX recurring_tasks_by_schedule ON recurring_tasks (owner, schedule, created_at);
CREATE INDEX recurring_tasks_by_favorite ON recurring_tasks (owner, favorite, created_at);

-- category_id refers to nothing on purpose: the contract accepts links to
-- categories that do not exist, and never shows them.
CREATE TABLE todo_categories (
  record      INTEGER NOT NULL REFERENCES todos (seq) ON DELETE CASCADE,
  category_id TEXT NOT NULL,
  PRIMARY KEY (record, category_id)
) WITHOUT ROWID;
CREATE INDEX todo_categories_by_category ON todo_categories (category_id);

CREATE TABLE recurring_task_categories (
  record      INTEGER NOT NULL REFERENCES recurring_tasks (seq) ON DELETE CASCADE,
  category_id TEXT NOT NULL,
  PRIMARY KEY (record, category_id)
) WITHOUT ROWID;
CREATE INDEX recurring_task_categories_by_category ON recurring_task_categories (category_id);

CREATE TABLE activity_logs (
  seq         INTEGER PRIMARY KEY,
  id          TEXT NOT NULL,
  owner       INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  action      TEXT NOT NULL,
  entity_type TEXT NOT NULL,
  entity_id   TEXT,
  details     TEXT,
  ip_address  TEXT NOT NULL,
  user_agent  TEXT NOT NULL,
  created_at  TEXT NOT NULL,
  UNIQUE (owner, id)
);
CREATE INDEX activity_logs_by_creation ON activity_logs (owner);

CREATE TABLE themes (
  seq           INTEGER PRIMARY KEY,
  id            TEXT NOT NULL UNIQUE,
  name          TEXT NOT NULL UNIQUE,
  display_name  TEXT NOT NULL,
  description   TEXT,
  author        TEXT,
  version       TEXT NOT NULL,
  thumbnail_url TEXT,
  price         REAL NOT NULL DEFAULT 0,
  is_free       INTEGER NOT NULL DEFAULT 1,
  is_published  INTEGER NOT NULL DEFAULT 1,
  palette       TEXT NOT NULL,
  created_at    TEXT NOT NULL,
  updated_at    TEXT NOT NULL
);

CREATE TABLE user_themes (
  seq             INTEGER PRIMARY KEY,
  id              TEXT NOT NULL,
  owner           INTEGER NOT NULL REFERENCES users (seq) ON DELETE CASCADE,
  theme_id        TEXT NOT NULL,
  is_active       INTEGER NOT NULL,
  custom_settings TEXT,
  created_at      TEXT NOT NULL,
  UNIQUE (owner, id),
  UNIQUE (owner, theme_id)
);
`,
};
