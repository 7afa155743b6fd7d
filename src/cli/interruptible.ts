import { runInNewContext } from "node:vm";
import { CliError } from "./errors.ts";

/**
 * Does work that keeps the process busy for long, so that Ctrl-C ends it at once all the same: a
 * signal's listener would be called only when the work is done. It ends without its `finally`.
 *
 * @throws CliError `interrupted`, and whatever the work throws
 */
export function interruptible<T>(work: () => T): T {
  try {
    return runInNewContext("work()", { work }, { breakOnSigint: true }) as T;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== "ERR_SCRIPT_EXECUTION_INTERRUPTED") throw error;
    throw new CliError("interrupted", "Interrupted.", { cause: error });
  }
}
