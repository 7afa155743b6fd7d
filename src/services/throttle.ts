import { ApiError } from "../contract/errors.ts";
import type { Client } from "./actions.ts";
import { fold } from "../storage/fold.ts";

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
  /** @throws ApiError `too_many_requests` once 10 attempts within 15 minutes have failed */
  attempt(email: string, client: Client): Attempt;
}

interface Entry {
  failures: number[];
  /** Attempts under way count as failures, so that parallel ones win nothing. */
  pending: number;
}

/** Bounds the guessing of passwords, for each e-mail (in any case) from each address. */
export function createThrottle(now: () => number): Throttle {
  const entries = new Map<string, Entry>();

  function entryOf(key: string): Entry {
    const entry = entries.get(key) ?? { failures: [], pending: 0 };
    entry.failures = entry.failures.filter((time) => time > now() - windowMs);
    entries.delete(key);
    entries.set(key, entry);
    if (entries.size > maxEntries) entries.delete(entries.keys().next().value!);
    return entry;
  }

  return {
    attempt(email, client) {
      const key = `${client.ip} ${fold(email)}`;
      const entry = entryOf(key);
      if (entry.failures.length + entry.pending >= maxFailures) {
        const oldest = entry.failures[0] ?? now();
        throw new ApiError("too_many_requests", "Too many failed logins. Try again later.", {
          retryAfter: Math.max(1, Math.ceil((oldest + windowMs - now()) / 1000)),
        });
      }
      entry.pending += 1;
      return {
        succeeded() {
          entry.pending -= 1;
          entry.failures = [];
        },
        failed() {
          entry.pending -= 1;
          entry.failures.push(now());
        },
        abandoned() {
          entry.pending -= 1;
        },
      };
    },
  };
}
