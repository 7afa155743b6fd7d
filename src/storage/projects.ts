import type { BodyOf, Model, Page, QueryOf } from "../contract/schemas.ts";
import type { Connection } from "./connection.ts";
import { fold } from "./fold.ts";
import {
  type Condition,
  count,
  idIs,
  orderBy,
  ownedBy,
  removeRow,
  selectPage,
  updateRow,
} from "./list.ts";
import { createMemory } from "./memory.ts";
import type { Owner } from "./owner.ts";

export type Project = Model<"Project">;
export type ProjectQuery = QueryOf<"projects", "list">;

type ProjectRow = Omit<Project, "user_id">;

const table = "projects";
const columns = "id, name, description, color, created_at";
const select = `SELECT ${columns} FROM ${table}`;
const sortColumns = { name: "name_folded", created_at: "created_at" };

function toProject(row: ProjectRow, owner: Owner): Project {
  return {
    id: row.id,
    user_id: owner.id,
    name: row.name,
    description: row.description,
    color: row.color,
    created_at: row.created_at,
  };
}

/** The owner's project. */
export function find(db: Connection, owner: Owner, id: string): Project | undefined {
  const row = db.get<ProjectRow>(`${select} WHERE owner = ? AND id = ?`, [owner.seq, id]);
  return row && toProject(row, owner);
}

const remember = createMemory<true>(["projects", "users"], 10_000);

/** Whether the owner has such a project. */
export function exists(db: Connection, owner: Owner, id: string): boolean {
  const found = remember(db, `${owner.seq} ${id}`, () => (find(db, owner, id) ? true : undefined));
  return found === true;
}

/** A page of the owner's projects. */
export function list(db: Connection, owner: Owner, query: ProjectQuery): Page<Project> {
  const all: Condition[] = [ownedBy(owner)];
  if (query.id !== undefined) all.push(idIs(query.id));
  const order = orderBy(query.sort, sortColumns);
  const rows = selectPage<ProjectRow>(db, { table, columns }, all, order, query);
  return { items: rows.map((row) => toProject(row, owner)), total: count(db, "projects", all) };
}

type NewProject = BodyOf<"projects", "create"> & { id: string; now: string };

export function insert(db: Connection, owner: Owner, project: NewProject): void {
  db.run(
    `INSERT INTO projects (id, owner, name, name_folded, description, color, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?)`,
    [
      project.id,
      owner.seq,
      project.name,
      fold(project.name),
      project.description ?? null,
      project.color,
      project.now,
    ],
  );
}

/** Changes the given fields. */
export function update(
  db: Connection,
  owner: Owner,
  id: string,
  changes: BodyOf<"projects", "update">,
): void {
  const { name } = changes;
  updateRow(db, "projects", owner.seq, id, {
    name,
    name_folded: name === undefined ? undefined : fold(name),
    description: changes.description,
    color: changes.color,
  });
}

/** Removes the project; its todos are the caller's business. False when there was none. */
export function remove(db: Connection, owner: Owner, id: string): boolean {
  return removeRow(db, "projects", owner.seq, id);
}
