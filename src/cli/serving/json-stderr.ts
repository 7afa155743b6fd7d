import type { Log } from "../../server/log.ts";
import { exitCodes } from "../errors.ts";

/** Makes lines of the log of what would stand between them in words: readers expect JSON there. */
export function keepStderrJson(log: Log): { onFatal: (error: Error) => void } {
  function end(reason: unknown): void {
    log.error("The server stops", reason);
    process.exit(exitCodes.failed);
  }
  // Node's own listener prints them.
  process.removeAllListeners("warning");
  process.on("warning", ({ name, message }) => log.warn(`${name}: ${message}`));
  process.on("uncaughtException", end);
  return { onFatal: ({ message }) => end(message) };
}
