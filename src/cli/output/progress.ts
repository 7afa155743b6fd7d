import type { Output } from "./output.ts";

/** Nobody wonders about less. */
const patienceMs = 1000;
const pauseMs = 100;

/** Shows how far a long task is. */
export interface Progress extends Disposable {
  /** So many steps are done. */
  report(done: number): void;
}

/**
 * Shows how far a task is, in place, once it has taken over a second. Only in a terminal: a script
 * or a log has no use for it. Says nothing with `--quiet`.
 *
 * @param doing what is being done, such as "Adding"
 * @param total steps, if known yet
 */
export function startProgress(
  output: Pick<Output, "quiet">,
  doing: string,
  total?: number,
): Progress {
  const { stderr } = process;
  const isShown = !output.quiet && stderr.isTTY;
  let shownAt = Date.now() + patienceMs - pauseMs;
  let isOnScreen = false;
  return {
    report(done) {
      if (!isShown || Date.now() - shownAt < pauseMs) return;
      shownAt = Date.now();
      const steps = total === undefined ? `${done}` : `${done} of ${total}`;
      stderr.write(`\r${doing}: ${steps}\u001b[K`);
      isOnScreen = true;
    },
    [Symbol.dispose]() {
      if (isOnScreen) stderr.write("\r\u001b[K");
    },
  };
}
