import { exitCodes } from "./errors.ts";

/**
 * Sees to it that nothing half-made stays behind: at the end of the scope, and when the command is
 * ended by Ctrl-C or another signal.
 *
 * @param discard removes it; must be harmless when there is nothing (any more)
 */
export function discardAtExit(discard: () => void): Disposable {
  const quietly = () => {
    try {
      discard();
    } catch {
      // Something else has failed already, and is said.
    }
  };
  // Ctrl-C ends every command in this way; see session.ts.
  const onSignal = () => process.exit(exitCodes.interrupted);
  process.on("exit", quietly);
  for (const name of signals) process.on(name, onSignal);
  return {
    [Symbol.dispose]() {
      process.off("exit", quietly);
      for (const name of signals) process.off(name, onSignal);
      quietly();
    },
  };
}

const signals = ["SIGTERM", "SIGHUP"] as const;
