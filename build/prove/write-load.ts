import type { TodoUser } from "./todo-user.ts";

/** Writers that go on until they are stopped or the server is gone. */
export interface WriteLoad {
  /** How many writes were confirmed that began at or after that time of `performance.now()`. */
  confirmedSince(time: number): number;
  /** Settles when every write that is under way has ended. */
  stop(): Promise<void>;
}

/** Lets several writers create, change and remove todos of a user, all the time. */
export function startWriteLoad(user: TodoUser, writers: number): WriteLoad {
  const starts: number[] = [];
  const stopped = new AbortController();
  let number = 0;

  /** Of six writes, three create, two change and one removes. */
  async function write(own: string[]): Promise<number> {
    const title = `${number++} ${"x".repeat(100)}`;
    const kind = number % 6;
    const target = own[0];
    if (target === undefined || kind < 3) {
      const { status, id } = await user.create(title);
      if (id !== undefined) own.push(id);
      return status;
    }
    if (kind < 5) return user.rename(target, title);
    own.shift();
    return user.remove(target);
  }

  async function writer(): Promise<void> {
    const own: string[] = [];
    while (!stopped.signal.aborted) {
      const started = performance.now();
      try {
        if ((await write(own)) < 300) starts.push(started);
      } catch {
        return;
      }
    }
  }

  const done = Promise.all(Array.from({ length: writers }, writer));
  return {
    confirmedSince: (time) => starts.filter((start) => start >= time).length,
    async stop() {
      stopped.abort();
      await done;
    },
  };
}
