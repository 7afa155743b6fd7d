import { statuses } from "../../../src/contract/values.ts";
import type { Answer, Http } from "../http.ts";
import { oneOf } from "../load/changes.ts";
import { type Experiment, type Todo, readList, readOne } from "./reads.ts";
import type { Write } from "./register.ts";
import type { Running } from "./restarting.ts";
import { type Slot, type Value, isShown, nextValue, toFields } from "./slot.ts";

/** Lists show all slots half of the time, otherwise those whose todo has one status. */
const filters = [undefined, undefined, undefined, undefined, ...statuses];

/** Writes the slot, and reads all slots, in random turns. */
export async function runClient(
  experiment: Experiment,
  slot: Slot,
  isOver: () => boolean,
): Promise<void> {
  const { slots } = experiment;
  while (!isOver()) {
    const server = await experiment.server.current();
    const choice = Math.random();
    if (choice < 0.4) await write(experiment, slot, server);
    else if (choice < 0.8)
      await untilEnd(server, () => readOne(experiment, server.http, oneOf(slots)!));
    else await untilEnd(server, () => readList(experiment, server.http, oneOf(filters)));
  }
}

/** @returns undefined when the server was killed before it had answered */
async function untilEnd<T>(server: Running, work: () => Promise<T>): Promise<T | undefined> {
  try {
    return await work();
  } catch (error) {
    // Otherwise the answer was not one that can be understood.
    if (!(error instanceof Error && "code" in error)) throw error;
    await server.ended;
    return undefined;
  }
}

async function write(experiment: Experiment, slot: Slot, server: Running): Promise<void> {
  const value = nextValue(slot);
  const pending: Write<Value> = { value, start: performance.now(), end: Infinity };
  // Others may see it before it is answered.
  slot.history.writes.push(pending);
  const answer = await untilEnd(server, () => sendWrite(experiment, slot, value, server.http));
  if (answer === undefined) {
    await findOut(experiment, slot, pending, performance.now());
    return;
  }
  pending.end = performance.now();
  experiment.operations += 1;
  const expected = slot.value.isThere ? 200 : 201;
  const { data } = JSON.parse(answer.text) as { data: Todo | null };
  const isRight = answer.status === expected && isShown(slot, value, data ?? undefined);
  if (!isRight) experiment.wrong.push(`${answer.status} ${answer.text} to a write`);
  slot.value = value;
  slot.id = data?.id;
}

function sendWrite({ key }: Experiment, slot: Slot, value: Value, http: Http): Promise<Answer> {
  const method = !slot.value.isThere ? "POST" : value.isThere ? "PUT" : "DELETE";
  const target = `/api/v1/todos${slot.value.isThere ? `/${slot.id}` : ""}`;
  const body = value.isThere ? JSON.stringify(toFields(slot, value)) : undefined;
  return http.send({ method, target, headers: { "x-api-key": key }, body });
}

/**
 * After a kill: whether the write under way has happened. The server is dead, so nothing happens
 * any more; what the first read shows is what every other one must show.
 */
async function findOut(
  experiment: Experiment,
  slot: Slot,
  pending: Write<Value>,
  diedAt: number,
): Promise<void> {
  for (;;) {
    const server = await experiment.server.current();
    const todos = await untilEnd(server, () => readList(experiment, server.http));
    if (todos === undefined) continue;
    const todo = todos.get(slot.number);
    if (isShown(slot, pending.value, todo)) {
      pending.end = diedAt;
      slot.value = pending.value;
      experiment.happened += 1;
    } else {
      // Whoever has seen it nevertheless finds it in no version.
      slot.history.writes.pop();
      experiment.absent += 1;
    }
    slot.id = todo?.id;
    return;
  }
}
