import { Worker } from "node:worker_threads";
import { ApiError } from "../contract/errors.ts";

/** What the worker is asked: to hash a password, or to compare it with a hash. */
export type PasswordJob = { id: number; password: string } & ({ cost: number } | { hash: string });
export type PasswordAnswer = { id: number; result: string | boolean };

/** A worker takes some 20 MB: it ends when nobody has needed it for so long, in milliseconds. */
const defaultRestMs = 3000;

/** A hash of no password of anybody, by cost: compared with where there is no user. */
const nobody = "$2b$__$C6UzMDM.H6dfI/f/IKxGhuwhOZZQTIhNmbYrr3D4VdjqU1gYCpkTq";

export interface Passwords {
  /** @throws ApiError `busy` when too many wait already */
  hash(password: string): Promise<string>;
  /**
   * Whether the password belongs to the hash. Takes as long without a hash, so
   * that nobody learns from the time whether an e-mail is registered.
   *
   * @throws ApiError `busy` when too many wait already
   */
  matches(password: string, hash: string | undefined): Promise<boolean>;
  close(): Promise<void>;
}

interface Waiting {
  resolve(result: string | boolean): void;
  reject(error: unknown): void;
}

/**
 * bcrypt in a worker thread, with a bounded queue.
 *
 * @param cost bcrypt's logarithmic work factor
 * @param maxWaiting so many may be under way; the next one is told to come back
 * @param restMs how long the worker stays when there is nothing to do
 */
export function createPasswords({
  cost = 10,
  maxWaiting = 64,
  restMs = defaultRestMs,
} = {}): Passwords {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let rest: NodeJS.Timeout | undefined;
  let lastId = 0;

  function fail(error: unknown): void {
    for (const asked of waiting.values()) asked.reject(error);
    waiting.clear();
    worker = undefined;
  }

  function end(): Promise<unknown> | undefined {
    const ending = worker;
    worker = undefined;
    return ending?.terminate();
  }

  /** Started when needed: at first, after a rest, and again after a crash. */
  function start(): Worker {
    const started = new Worker(new URL("./password-worker.mjs", import.meta.url));
    started.on("message", ({ id, result }: PasswordAnswer) => {
      waiting.get(id)?.resolve(result);
      waiting.delete(id);
      if (waiting.size > 0) return;
      started.unref();
      rest = setTimeout(() => void end(), restMs).unref();
    });
    started.on("error", fail);
    started.on("exit", () => {
      if (worker === started) fail(new Error("The password worker ended unexpectedly."));
    });
    return started;
  }

  function ask<T extends string | boolean>(
    job: { password: string } & ({ cost: number } | { hash: string }),
  ): Promise<T> {
    if (waiting.size >= maxWaiting) {
      const message = "The server is checking too many passwords. Try again shortly.";
      return Promise.reject(new ApiError("busy", message, { retryAfter: 5 }));
    }
    return new Promise((resolve, reject) => {
      clearTimeout(rest);
      worker ??= start();
      lastId += 1;
      waiting.set(lastId, { resolve: (result) => resolve(result as T), reject });
      worker.ref();
      worker.postMessage({ id: lastId, ...job } satisfies PasswordJob);
    });
  }

  return {
    hash: (password) => ask<string>({ password, cost }),

    async matches(password, hash) {
      const dummy = nobody.replace("__", String(cost).padStart(2, "0"));
      const equal = await ask<boolean>({ password, hash: hash ?? dummy });
      return equal && hash !== undefined;
    },

    async close() {
      clearTimeout(rest);
      await end();
      fail(new Error("The server is stopping."));
    },
  };
}
