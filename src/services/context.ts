import { formatTimestamp } from "../contract/time.ts";
import type { BatchedConnection } from "../storage/batch.ts";

/** What every service works with. Time and ids are passed in, so that tests fix them. */
export interface Context {
  db: BatchedConnection;
  /** Milliseconds since 1970 (UTC). */
  now: () => number;
  /** A new UUID, version 4. */
  newId: () => string;
}

/** The current moment as the contract writes it. */
export function timestamp(context: Context): string {
  return formatTimestamp(context.now());
}
