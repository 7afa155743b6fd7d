import { exitCodes } from "./errors.ts";

/**
 * A signal that is aborted by the first of these that comes, so that the caller can stop in order. A
 * second one ends the process at once: what was acknowledged is safe either way. But a terminal that
 * is closed may send its SIGHUP more than once.
 */
export function onceToldToStop(names: readonly NodeJS.Signals[]): AbortSignal {
  const told = new AbortController();
  for (const name of names) {
    process.on(name, () => {
      if (told.signal.aborted && name !== "SIGHUP") process.exit(exitCodes.interrupted);
      told.abort();
    });
  }
  return told.signal;
}
