import type { Http } from "../http.ts";
import { type KindName, kindNames, kinds } from "./kinds.ts";

/** All of a record that writers set, or that others of their writes change. */
export interface Entry {
  kind: KindName;
  title: string;
  choice: string;
  description: string | null;
  /** The keys of the categories that it is linked to, sorted. */
  links: readonly string[];
}

/**
 * The records of one writer. A record's key is the first word of its title, which stays as it is:
 * it is known before the id, and begins with the writer's number.
 */
export type World = ReadonlyMap<string, Entry>;

export interface Found {
  /** By the numbers of the writers. */
  worlds: Map<number, World>;
  /** The ids of the records by their keys. */
  ids: Map<string, string>;
}

export function keyOf(title: string): string {
  return title.split(" ", 1)[0]!;
}

interface Page {
  data: Record<string, unknown>[];
  pagination: { has_more: boolean; total: number };
}

/**
 * Reads all records of a user.
 *
 * @throws Error when the server does not list them, or lists more or fewer than it counts
 */
export async function readWorlds(http: Http, key: string): Promise<Found> {
  const found: Found = { worlds: new Map(), ids: new Map() };
  for (const kind of kindNames) {
    for (const record of await readAll(http, key, kind)) {
      const entry = toEntry(kind, record);
      const recordKey = keyOf(entry.title);
      const writer = Number(recordKey.split(".", 1)[0]);
      const world = new Map(found.worlds.get(writer)).set(recordKey, entry);
      found.worlds.set(writer, world);
      found.ids.set(recordKey, String(record["id"]));
    }
  }
  return found;
}

async function readAll(http: Http, key: string, kind: KindName): Promise<Page["data"]> {
  const records: Page["data"] = [];
  for (let number = 1; ; number += 1) {
    const target = `/api/v1${kinds[kind].path}?per_page=200&sort=created_at&page=${number}`;
    const answer = await http.send({ method: "GET", target, headers: { "x-api-key": key } });
    if (answer.status !== 200) throw new Error(`${target} was answered ${answer.status}`);
    const page = JSON.parse(answer.text) as Page;
    records.push(...page.data);
    if (page.pagination.has_more) continue;
    if (records.length === page.pagination.total) return records;
    throw new Error(`${target}: ${records.length} of ${page.pagination.total} records`);
  }
}

/** The record, as an answer shows it, in the form in which writers remember it. */
export function toEntry(kind: KindName, record: Record<string, unknown>): Entry {
  const { title, choice, isTask } = kinds[kind];
  const categories = (record["categories"] ?? []) as { name: string }[];
  return {
    kind,
    title: String(record[title]),
    choice: String(record[choice]),
    description: isTask ? (record["description"] as string | null) : null,
    links: categories.map(({ name }) => keyOf(name)).toSorted(),
  };
}

export function isSameEntry(one: Entry | undefined, other: Entry | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** The keys of the records that are not the same in both. */
export function differingKeys(one: World, other: World): string[] {
  const keys = new Set([...one.keys(), ...other.keys()]);
  return [...keys].filter((key) => !isSameEntry(one.get(key), other.get(key)));
}
