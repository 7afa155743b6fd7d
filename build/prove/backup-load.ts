import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../../src/client/client.ts";

/** Writers at a server, each of which waits for its answer before it writes again. */
export interface Load {
  /** The titles of the todos whose creation was acknowledged, in that order. */
  readonly acknowledged: readonly string[];
  /** Settles when so many more have been acknowledged. */
  acknowledges(count: number): Promise<void>;
  /** Writes for as long as the work takes; its answer. */
  run<T>(work: () => Promise<T>): Promise<T>;
  /** What was measured since it was last asked for. */
  takeFigures(): { slowestMs: number; writes: number; perSecond: number };
}

/** As many as a household has devices, and then some. */
const writers = 8;

/** Makes a load of todos with distinct titles; nothing runs yet. */
export function startLoad(server: string, key: string): Load {
  const client = createClient({ server, key });
  const acknowledged: string[] = [];
  let next = 0;
  let slowestMs = 0;
  let writes = 0;
  let ranMs = 0;

  async function write(isOver: () => boolean): Promise<void> {
    while (!isOver()) {
      const title = `Written ${(next += 1)}`;
      const started = performance.now();
      await client.todos.create({ body: { title } });
      slowestMs = Math.max(slowestMs, performance.now() - started);
      writes += 1;
      acknowledged.push(title);
    }
  }

  return {
    acknowledged,
    async acknowledges(count) {
      const enough = acknowledged.length + count;
      while (acknowledged.length < enough) await sleep(1);
    },
    async run(work) {
      let isOver = false;
      const started = performance.now();
      const writing = Promise.all(Array.from({ length: writers }, () => write(() => isOver)));
      try {
        return await Promise.race([work(), writing.then(() => never())]);
      } finally {
        isOver = true;
        await writing;
        ranMs += performance.now() - started;
      }
    },
    takeFigures() {
      const taken = { slowestMs, writes, perSecond: Math.round((writes / ranMs) * 1000) };
      [slowestMs, writes, ranMs] = [0, 0, 0];
      return taken;
    },
  };
}

/** Writers end only when they are told to, or with an error. */
function never(): never {
  throw new Error("The writers ended by themselves");
}
