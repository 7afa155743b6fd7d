import { type KindName, kindNames, kinds } from "./kinds.ts";
import type { Entry, World } from "./world.ts";
import type { Writer } from "./writer.ts";

/** A request that changes something, and what it leads to. */
export interface Change {
  method: "POST" | "PUT" | "DELETE";
  path: string;
  body?: object;
  /** Of success. */
  status: number;
  after: World;
  /** The key of the record with which it is answered. */
  record?: string;
}

/** A writer keeps about so many records. */
const plenty = 30;

/** Some records fill more than a page of the database. */
const longest = 6000;

/** Chooses one of the changes that are possible, at random. */
export function chooseChange(writer: Writer): Change {
  const { world } = writer;
  const key = oneOf([...world.keys()]);
  const isFew = Math.random() * plenty * 2 > world.size;
  if (key === undefined || (isFew && Math.random() < 0.4)) return create(writer);
  if (!isFew && Math.random() < 0.4) return remove(writer, key);
  const entry = world.get(key)!;
  const category = oneOf([...world.keys()].filter((each) => world.get(each)!.kind === "category"));
  if (entry.kind !== "category" && category !== undefined && Math.random() < 0.4) {
    return entry.links.includes(category)
      ? unlink(writer, key, category)
      : link(writer, key, category);
  }
  return update(writer, key, category);
}

function create(writer: Writer): Change {
  const kind = oneOf(kindNames)!;
  writer.made += 1;
  const record = `${writer.number}.${writer.made}`;
  const entry = { ...randomFields(kind, record), links: [] };
  const { path } = kinds[kind];
  const after = new Map(writer.world).set(record, entry);
  return { method: "POST", path, body: toBody(entry), status: 201, after, record };
}

/** Sets all fields; of a task the links, too, which are then one or none. */
function update(writer: Writer, record: string, category: string | undefined): Change {
  const { kind } = writer.world.get(record)!;
  const links = kind === "category" || category === undefined ? [] : [category];
  const entry = { ...randomFields(kind, record), links };
  const categoryId = category === undefined ? null : writer.ids.get(category)!;
  const body = { ...toBody(entry), ...(kinds[kind].isTask && { category_id: categoryId }) };
  const after = new Map(writer.world).set(record, entry);
  return { method: "PUT", path: pathOf(writer, record), body, status: 200, after, record };
}

/** With a category go its links. */
function remove(writer: Writer, record: string): Change {
  const left = [...writer.world].filter(([key]) => key !== record);
  const after = new Map(left.map(([key, entry]) => [key, withoutLink(entry, record)]));
  return { method: "DELETE", path: pathOf(writer, record), status: 200, after };
}

function link(writer: Writer, record: string, category: string): Change {
  const entry = writer.world.get(record)!;
  const links = [...entry.links, category].toSorted();
  return {
    method: "POST",
    path: `${pathOf(writer, record)}/categories`,
    body: { category_id: writer.ids.get(category) },
    status: 201,
    after: new Map(writer.world).set(record, { ...entry, links }),
  };
}

function unlink(writer: Writer, record: string, category: string): Change {
  const path = `${pathOf(writer, record)}/categories/${writer.ids.get(category)}`;
  const entry = withoutLink(writer.world.get(record)!, category);
  return { method: "DELETE", path, status: 200, after: new Map(writer.world).set(record, entry) };
}

function withoutLink(entry: Entry, category: string): Entry {
  if (!entry.links.includes(category)) return entry;
  return { ...entry, links: entry.links.filter((key) => key !== category) };
}

function randomFields(kind: KindName, record: string): Omit<Entry, "links"> {
  const { choices, isTask } = kinds[kind];
  const title = `${record} ${Math.random()}`;
  const length = Math.random() ** 3 * longest;
  const description = isTask ? `${title} `.repeat(length / title.length) : null;
  return { kind, title, choice: oneOf<string>(choices)!, description };
}

function toBody({ kind, title, choice, description }: Entry): Record<string, unknown> {
  const fields = kinds[kind];
  return {
    [fields.title]: title,
    [fields.choice]: choice,
    ...(fields.isTask && { description }),
  };
}

/** The path of a record below the API's. */
export function pathOf({ world, ids }: Writer, record: string): string {
  return `${kinds[world.get(record)!.kind].path}/${ids.get(record)}`;
}

/** @returns undefined when there is none */
export function oneOf<T>(values: readonly T[]): T | undefined {
  return values[Math.floor(Math.random() * values.length)];
}
