import { createHash } from "node:crypto";
import { ApiError } from "../contract/errors.ts";
import { fold } from "../storage/fold.ts";
import type { Client } from "./actions.ts";
import { networkOf } from "./network.ts";

const maxFailures = 10;
const windowMs = 15 * 60 * 1000;
/** So many pairs of e-mail and address are remembered; the oldest are forgotten first. */
const maxEntries = 10_000;

/** One attempt to log in; exactly one of its methods is to be called. */
export interface Attempt {
  succeeded(): void;
  failed(): void;
  /** It came to no result: it counts for nothing. */
  abandoned(): void;
}

export interface Throttle {
  /**
   * Waits while attempts are under way that could make the tenth failure.
   *
   * @throws ApiError `too_many_requests` once 10 attempts within 15 minutes have failed
   */
  attempt(email: string, client: Client): Promise<Attempt>;
  /** Forgets all failures of that e-mail, from wherever they came. */
  forgive(email: string): void;
}

interface Entry {
  /** When attempts failed, in milliseconds. */
  failures: number[];
  pending: number;
  /** Attempts that wait for one of the pending ones to end. */
  waiting: (() => void)[];
}

/**
 * Bounds the guessing of passwords, for each e-mail (in any case) from each address; those of one
 * IPv6 network count as one.
 */
export function createThrottle(now: () => number): Throttle {
  const entries = new Map<string, Entry>();

  function entryOf(key: string): Entry {
    const entry = entries.get(key) ?? { failures: [], pending: 0, waiting: [] };
    const time = now();
    // A clock that was set back must not refuse somebody for years.
    entry.failures = entry.failures.filter((at) => at <= time && at > time - windowMs);
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
    return entry;
  }

  function refuseAfterFailures({ failures }: Entry): void {
    if (failures.length < maxFailures) return;
    throw new ApiError("too_many_requests", "Too many failed logins. Try again later.", {
      retryAfter: Math.max(1, Math.ceil((failures[0]! + windowMs - now()) / 1000)),
    });
  }

  function settle(key: string, entry: Entry): void {
    entry.pending -= 1;
    const waiting = entry.waiting.splice(0);
    const isEmpty = entry.failures.length + entry.pending + waiting.length === 0;
    if (isEmpty && entries.get(key) === entry) entries.delete(key);
    for (const proceed of waiting) proceed();
  }

  return {
    async attempt(email, client) {
      const key = keyOf(email, client);
      const entry = entryOf(key);
      refuseAfterFailures(entry);
      // Those under way may all fail: parallel attempts win nothing.
      while (entry.failures.length + entry.pending >= maxFailures) {
        await new Promise<void>((resolve) => entry.waiting.push(resolve));
        refuseAfterFailures(entry);
      }
      entry.pending += 1;
      return {
        succeeded() {
          entry.failures = [];
          settle(key, entry);
        },
        failed() {
          entry.failures.push(now());
          settle(key, entry);
        },
        abandoned() {
          settle(key, entry);
        },
      };
    },

    forgive(email) {
      const start = hash(email);
      for (const [key, entry] of entries) {
        if (key.startsWith(start)) entry.failures = [];
      }
    },
  };
}

function keyOf(email: string, { ip }: Client): string {
  return hash(email) + networkOf(ip);
}

/** As what is tried as an e-mail may be as long as a body: all take the same room. */
function hash(email: string): string {
  return createHash("sha256").update(fold(email)).digest("base64");
}
