/** Resolves when an answer may leave; takes the moment, in milliseconds of `performance.now()`. */
export type Departure = (now: number) => Promise<void>;

/** No answer waits longer for those that follow it, in milliseconds. */
const patienceMs = 1;

/**
 * Lets the answers that are ready in one turn of the event loop leave together. Each that leaves
 * wakes a client, and on a small machine the client then takes turns with the server for the
 * processor: once for all of them is cheaper than once for each.
 */
export function createDepartures(): Departure {
  let next: { since: number; promise: Promise<void>; leave: () => void } | undefined;

  function begin(now: number): NonNullable<typeof next> {
    let resolve = () => {};
    const promise = new Promise<void>((done) => {
      resolve = done;
    });
    const leave = () => {
      clearImmediate(endOfTurn);
      next = undefined;
      resolve();
    };
    const endOfTurn = setImmediate(leave);
    return { since: now, promise, leave };
  }

  return (now) => {
    const { since, promise, leave } = (next ??= begin(now));
    if (now - since >= patienceMs) leave();
    return promise;
  };
}
