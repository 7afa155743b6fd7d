import { rmSync, writeFileSync } from "node:fs";
import { DatabaseSync } from "node:sqlite";
import { hashSync } from "bcryptjs";
import { migrations } from "../../migrations/index.ts";
import { statuses } from "../../src/contract/values.ts";
import { generateKey } from "../../src/services/api-key.ts";
import { APPLICATION_ID } from "../../src/storage/database-header.ts";
import { fold } from "../../src/storage/fold.ts";
import { type Content, type FixtureUser, password } from "./fixture.ts";
import { createChance } from "./chance.ts";

// Makes a database to begin with: `seed.ts DATABASE USERS.json CONTENT`.

const [path = "", usersPath = "", contentJson = ""] = process.argv.slice(2);
const content = JSON.parse(contentJson) as Content;
const chance = createChance(1);
const passwordHash = hashSync(password, 10);
const projectCount = 10;
const categoryCount = 12;
/** So many of a user's todos are named in USERS.json. */
const named = Math.max(10, Math.floor(2000 / content.users));

rmSync(path, { force: true });
const db = new DatabaseSync(path);
db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -500000;
  PRAGMA application_id = ${APPLICATION_ID}`);
for (const { up, version } of migrations) db.exec(`${up}; PRAGMA user_version = ${version}`);

const insert = {
  user: db.prepare(`INSERT INTO users (id, email, email_folded, name, password_hash, created_at,
    updated_at) VALUES (?, ?, ?, ?, ?, ?, ?) RETURNING seq`),
  key: db.prepare(`INSERT INTO api_keys (id, owner, hash, prefix, name, scopes, created_at)
    VALUES (?, ?, ?, ?, 'Registration', 'read,write', ?)`),
  project: db.prepare(`INSERT INTO projects (id, owner, name, name_folded, color, created_at)
    VALUES (?, ?, ?, ?, '#8B5CF6', ?)`),
  category: db.prepare(`INSERT INTO categories (id, owner, name, name_folded, color, created_at)
    VALUES (?, ?, ?, ?, '#22C55E', ?)`),
  todo: db.prepare(`INSERT INTO todos (id, owner, title, title_folded, description,
    description_folded, status, due_date, due_time, sync_enabled, reminder_enabled,
    recurring_enabled, project_id, created_at, updated_at)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) RETURNING seq`),
  link: db.prepare("INSERT OR IGNORE INTO todo_categories (record, category_id) VALUES (?, ?)"),
  activity: db.prepare(`INSERT INTO activity_logs (id, owner, action, entity_type, entity_id,
    details, ip_address, user_agent, created_at)
    VALUES (?, ?, 'todo_created', 'todo', ?, ?, '127.0.0.1', 'bench', ?)`),
};
const start = "2026-01-01 00:00:00";

function seqOf(row: unknown): number {
  return (row as { seq: number }).seq;
}

function addUser(number: number): FixtureUser {
  const id = chance.uuid();
  const email = `user${number}@example.org`;
  const user = insert.user.get(
    id,
    email,
    fold(email),
    `User ${number}`,
    passwordHash,
    start,
    start,
  );
  const owner = seqOf(user);
  const { key, prefix, hash } = generateKey();
  insert.key.run(chance.uuid(), owner, hash, prefix, start);
  const projects = Array.from({ length: projectCount }, chance.uuid);
  for (const [index, project] of projects.entries()) {
    insert.project.run(project, owner, `Project ${index}`, fold(`Project ${index}`), start);
  }
  const categories = Array.from({ length: categoryCount }, chance.uuid);
  for (const [index, category] of categories.entries()) {
    insert.category.run(category, owner, `Category ${index}`, fold(`Category ${index}`), start);
  }
  const todos = Array.from({ length: content.todosPerUser }, (_, index) =>
    addTodo(owner, projects, categories, index / content.todosPerUser),
  );
  return { email, key, todos: chance.sample(todos, named), projects, categories };
}

/** @param progress how much of the year has gone by, from 0 to 1 */
function addTodo(
  owner: number,
  projects: readonly string[],
  categories: readonly string[],
  progress: number,
): string {
  const id = chance.uuid();
  const title = chance.words(30);
  const description = chance.is(0.6) ? chance.words(content.description) : null;
  const status = chance.is(0.6) ? "open" : chance.pick(statuses);
  const dueDate = chance.is(0.6) ? chance.date() : null;
  const dueTime = dueDate !== null && chance.is(0.5) ? chance.time() : null;
  const project = chance.is(0.4) ? chance.pick(projects) : null;
  const created = chance.moment(progress);
  const updated = chance.moment(progress + (1 - progress) * chance.number());
  const folded = description === null ? null : fold(description);
  const flags = [chance.is(0.9), chance.is(0.2), chance.is(0.05)].map(Number);
  const fields = [description, folded, status, dueDate, dueTime, ...flags, project];
  const row = insert.todo.get(id, owner, title, fold(title), ...fields, created, updated);
  const links = Math.floor(chance.number() * 4);
  for (let link = 0; link < links; link += 1) {
    insert.link.run(seqOf(row), chance.pick(categories));
  }
  insert.activity.run(chance.uuid(), owner, id, JSON.stringify({ title }), created);
  return id;
}

db.exec("BEGIN");
const users = Array.from({ length: content.users }, (_, index) => addUser(index));
db.exec("COMMIT");
db.close();
writeFileSync(usersPath, JSON.stringify(users));
