import { exitCodes } from "./errors.ts";

/**
 * A signal that is aborted by the first SIGTERM or SIGINT, so that the caller can stop in order. A
 * second one of either ends the process at once: what was acknowledged is safe either way.
 */
export function onceToldToStop(): AbortSignal {
  const told = new AbortController();
  for (const name of ["SIGTERM", "SIGINT"] as const) {
    process.on(name, () => {
      if (told.signal.aborted) process.exit(exitCodes.interrupted);
      told.abort();
    });
  }
  return told.signal;
}
