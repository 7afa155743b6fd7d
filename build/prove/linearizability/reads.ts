import type { Http } from "../http.ts";
import type { Interval } from "./register.ts";
import type { RestartingServer } from "./restarting.ts";
import { type Fields, type Slot, type Value, isShown, parseTitle, toFields } from "./slot.ts";
import type { Snapshot } from "./snapshots.ts";

/** What clients share: the slots, and what was seen. */
export interface Experiment {
  server: RestartingServer;
  /** The key of the user whose todos the slots hold. */
  key: string;
  slots: readonly Slot[];
  snapshots: Snapshot[];
  /** Answered requests. */
  operations: number;
  /** Answers that no state of the slots explains, as sentences. */
  wrong: string[];
  /** Writes without an answer: how many turned out to have happened, and not to have. */
  happened: number;
  absent: number;
}

export type Todo = Fields & { id: string };

/**
 * Reads the todo of a slot by its id, and notes what that shows of the slot.
 *
 * @throws the socket's error when there is no answer
 */
export async function readOne(experiment: Experiment, http: Http, slot: Slot): Promise<void> {
  const { id, value } = slot;
  if (id === undefined) return;
  const { status, text, ...times } = await get(experiment, http, `/todos/${id}`);
  if (status === 200) {
    const { data } = JSON.parse(text) as { data: Todo };
    note(slot, times, text, (held) => isShown(slot, held, data));
    return;
  }
  if (status !== 404) experiment.wrong.push(`${status} ${text} to a read`);
  const isAfter = (held: Value) => held.life > value.life || !held.isThere;
  note(slot, times, `no life ${value.life}`, (held) => held.life >= value.life && isAfter(held));
}

interface Page {
  data: Todo[];
  pagination: { total: number };
}

/**
 * Reads all slots at once, and notes what that shows of each of them, and of all together.
 *
 * @param status shows only the todos that have it
 * @returns the todos by the numbers of their slots
 * @throws the socket's error when there is no answer
 */
export async function readList(
  experiment: Experiment,
  http: Http,
  status?: string,
): Promise<Map<number, Todo>> {
  const filter = status === undefined ? "" : `&status=${status}`;
  const answer = await get(experiment, http, `/todos?per_page=200${filter}`);
  const times = { start: answer.start, end: answer.end };
  const page = answer.status === 200 ? (JSON.parse(answer.text) as Page) : undefined;
  if (page?.pagination.total !== page?.data.length || page === undefined) {
    experiment.wrong.push(`${answer.status} ${answer.text} to a list`);
  }
  const todos = new Map((page?.data ?? []).map((todo) => [parseTitle(todo.title)[0], todo]));
  for (const slot of experiment.slots) {
    const todo = todos.get(slot.number);
    const isLeftOut = (held: Value) =>
      todo === undefined && status !== undefined && toFields(slot, held).status !== status;
    note(slot, times, todo?.title ?? "nothing", (held) => {
      return isShown(slot, held, todo) || isLeftOut(held);
    });
  }
  const versions = new Map([...todos.values()].map(({ title }) => parseTitle(title)));
  experiment.snapshots.push({ ...times, versions });
  return todos;
}

function note(
  slot: Slot,
  { start, end }: Interval,
  text: string,
  shows: (value: Value) => boolean,
): void {
  slot.history.reads.push({ start, end, text: `slot ${slot.number}: ${text}`, shows });
}

async function get(experiment: Experiment, http: Http, path: string) {
  const start = performance.now();
  const headers = { "x-api-key": experiment.key };
  const answer = await http.send({ method: "GET", target: `/api/v1${path}`, headers });
  experiment.operations += 1;
  return { ...answer, start, end: performance.now() };
}
