import type { Output } from "./output.ts";

/** Nobody wonders about less. */
const patienceMs = 1000;
const terminalMs = 100;
const logMs = 5000;

/** Shows how far a long task is. */
export interface Progress extends Disposable {
  /** So many steps are done. */
  report(done: number): void;
}

/**
 * Shows on stderr how far a task is once it has taken over a second: in place in a terminal, else a
 * line now and then. Says nothing with `--quiet`, nor with `--json` unless stderr is a terminal.
 *
 * @param doing what is being done, such as "Adding"
 * @param total steps, if known yet
 */
export function startProgress(
  output: Pick<Output, "quiet" | "json">,
  doing: string,
  total?: number,
): Progress {
  const { stderr } = process;
  const isShown = !output.quiet && (stderr.isTTY || !output.json);
  let shownAt = Date.now() + patienceMs - (stderr.isTTY ? terminalMs : logMs);
  let isOnScreen = false;
  return {
    report(done) {
      if (!isShown || Date.now() - shownAt < (stderr.isTTY ? terminalMs : logMs)) return;
      shownAt = Date.now();
      const text = `${doing}: ${done}${total === undefined ? "" : ` of ${total}`}`;
      isOnScreen = stderr.isTTY;
      stderr.write(stderr.isTTY ? `\r${text}\u001b[K` : `${text}\n`);
    },
    [Symbol.dispose]() {
      if (isOnScreen) stderr.write("\r\u001b[K");
    },
  };
}
