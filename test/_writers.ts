import assert from "node:assert/strict";
import { type Connection, openConnection } from "./_connection.ts";

/** What the server may hold for one todo after a crash: titles, or undefined for no such todo. */
type Possible = ReadonlySet<string | undefined>;

/** What writers have been told, and what they have asked without an answer. */
export interface Ledger {
  /** Acknowledged: the title of each todo by its id. */
  titles: Map<string, string>;
  /** Changes under way: what each todo becomes when the change was made. */
  changing: Map<string, string | undefined>;
  /** The titles of todos that are being created, whose ids nobody knows yet. */
  creating: Set<string>;
}

export function createLedger(): Ledger {
  return { titles: new Map(), changing: new Map(), creating: new Set() };
}

/**
 * Lets writers create, change and delete todos, each on a connection of its own, and notes what is
 * acknowledged the moment it is. Settles when the server has ended all connections.
 *
 * @param onAcknowledged called with the number of acknowledged writes so far
 */
export async function writeUntilTheEnd(
  ledger: Ledger,
  server: { url: string; key: string; writers: number; label: string },
  onAcknowledged: (count: number) => void,
): Promise<void> {
  const { url, key, writers, label } = server;
  const ids = [...ledger.titles.keys()];
  let acknowledged = 0;

  async function writer(number: number): Promise<void> {
    const connection = await openConnection(url, key);
    const own = ids.filter((_, index) => index % writers === number);
    try {
      for (let step = 0; ; step += 1) {
        await write(ledger, connection, own, `${label}-${number}-${step}`);
        acknowledged += 1;
        onAcknowledged(acknowledged);
      }
    } catch (error) {
      assert.equal((error as Error).message, "The connection ended");
    }
  }

  await Promise.all(Array.from({ length: writers }, (_, number) => writer(number)));
}

/** One write: of five, two create, two change and one deletes. */
async function write(
  ledger: Ledger,
  connection: Connection,
  own: string[],
  title: string,
): Promise<void> {
  const kind = Math.floor(Math.random() * 5);
  const id = own[Math.floor(Math.random() * own.length)];
  if (kind < 2 || id === undefined) {
    ledger.creating.add(title);
    const { status, body } = await connection.request("POST", "/todos", { title });
    assert.equal(status, 201, body);
    const created = (JSON.parse(body) as { data: { id: string } }).data.id;
    ledger.titles.set(created, title);
    ledger.creating.delete(title);
    own.push(created);
  } else if (kind < 4) {
    ledger.changing.set(id, title);
    const { status, body } = await connection.request("PUT", `/todos/${id}`, { title });
    assert.equal(status, 200, body);
    ledger.titles.set(id, title);
    ledger.changing.delete(id);
  } else {
    own.splice(own.indexOf(id), 1);
    ledger.changing.set(id, undefined);
    const { status, body } = await connection.request("DELETE", `/todos/${id}`);
    assert.equal(status, 200, body);
    ledger.titles.delete(id);
    ledger.changing.delete(id);
  }
}

/**
 * Compares what a server holds with the ledger: what was acknowledged must be there, what was under
 * way may be, and nothing else. The ledger then holds what was found.
 *
 * @returns what is wrong, as sentences
 */
export function settle(ledger: Ledger, found: ReadonlyMap<string, string>): string[] {
  const wrong: string[] = [];
  for (const id of new Set([...ledger.titles.keys(), ...found.keys()])) {
    const title = found.get(id);
    if (possible(ledger, id).has(title)) continue;
    if (!ledger.titles.has(id) && title !== undefined && ledger.creating.has(title)) continue;
    wrong.push(`${id} is "${title}", acknowledged was "${ledger.titles.get(id)}"`);
  }
  ledger.titles = new Map(found);
  ledger.changing.clear();
  ledger.creating.clear();
  return wrong;
}

function possible({ titles, changing }: Ledger, id: string): Possible {
  return new Set([titles.get(id), ...(changing.has(id) ? [changing.get(id)] : [])]);
}
