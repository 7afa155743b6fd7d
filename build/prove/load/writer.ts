import type { Http } from "../http.ts";
import { type Change, chooseChange } from "./changes.ts";
import { type Found, type World, differingKeys, isSameEntry, toEntry } from "./world.ts";

/** Somebody who changes records of their own, one after the other, and remembers what must be. */
export interface Writer {
  readonly number: number;
  /** What was acknowledged. */
  world: World;
  /** What it becomes with the change that is under way. */
  pending: World | undefined;
  ids: Map<string, string>;
  /** How many records it has ever begun to make. */
  made: number;
}

export function createWriter(number: number): Writer {
  return { number, world: new Map(), pending: undefined, ids: new Map(), made: 0 };
}

/**
 * Makes one change.
 *
 * @returns what is wrong with the answer, if anything is
 * @throws the socket's error when there is no answer: the change stays under way
 */
export async function makeChange(
  writer: Writer,
  http: Http,
  key: string,
): Promise<string | undefined> {
  const change = chooseChange(writer);
  const { method, path, body } = change;
  writer.pending = change.after;
  const answer = await http.send({
    method,
    target: `/api/v1${path}`,
    headers: { "x-api-key": key },
    body: body && JSON.stringify(body),
  });
  writer.pending = undefined;
  if (answer.status !== change.status) return `${method} ${path}: ${answer.status} ${answer.text}`;
  writer.world = change.after;
  return noteAnswer(writer, change, answer.text);
}

function noteAnswer(writer: Writer, { record, after }: Change, text: string): string | undefined {
  if (record === undefined) return undefined;
  const { data } = JSON.parse(text) as { data: Record<string, unknown> };
  const expected = after.get(record)!;
  writer.ids.set(record, String(data["id"]));
  const isRight = isSameEntry(toEntry(expected.kind, data), expected);
  return isRight ? undefined : `${record} was answered as ${text.slice(0, 200)}`;
}

/** What became of a writer's records when the server was killed, by their keys. */
export interface Settlement {
  /** Not as acknowledged, though nothing was changing them. */
  lost: string[];
  /** Neither as before the change under way nor as after it, of which a part does not count. */
  torn: string[];
  /** Whether the change under way has happened; undefined when there was none. */
  happened: boolean | undefined;
}

/**
 * Compares what there is with what a writer remembers: what was acknowledged must be there, and the
 * change that was under way must have happened as a whole or not at all. The writer goes on with
 * what was found.
 *
 */
export function settle(writer: Writer, { worlds, ids }: Found): Settlement {
  const { world: before, pending } = writer;
  const after = pending ?? before;
  const found: World = worlds.get(writer.number) ?? new Map();
  writer.world = found;
  writer.pending = undefined;
  writer.ids = new Map([...found.keys()].map((key) => [key, ids.get(key)!]));
  const changing = differingKeys(before, after);
  const notBefore = differingKeys(before, found);
  const notAfter = differingKeys(after, found);
  const isUndone = !changing.some((key) => notBefore.includes(key));
  const isDone = !changing.some((key) => notAfter.includes(key));
  return {
    lost: notBefore.filter((key) => !changing.includes(key)),
    torn: isUndone || isDone ? [] : changing,
    happened: pending && isDone,
  };
}
