import type { Command } from "commander";
import { ConnectionError } from "../client/connection-error.ts";
import { CliError } from "./errors.ts";
import { type Flags, localProfile } from "./flags.ts";
import { type AdminInstance, openAdmin } from "./instance/admin-instance.ts";
import type { Output } from "./output/output.ts";
import { withFlags } from "./session.ts";

/**
 * Makes a commander action of one that administers the local data folder; see `administer`.
 *
 * @throws CliError `usage` when another instance was typed
 */
export function withAdmin<Args extends unknown[]>(
  action: (flags: Flags, output: Output, ...args: Args) => Promise<void>,
): (...args: [...Args, Command]) => Promise<void> {
  const run = withFlags(action);
  return async (...all) => {
    checkIsLocal(all.at(-1) as Command);
    await run(...all);
  };
}

/** What the environment names is for other commands; what was typed is meant. */
function checkIsLocal(command: Command): void {
  const { profile } = command.optsWithGlobals<Flags>();
  const typed = (["server", "profile"] as const).find(
    (name) => command.getOptionValueSourceWithGlobals(name) === "cli",
  );
  if (typed === undefined || (typed === "profile" && profile === localProfile)) return;
  throw new CliError(
    "usage",
    `--${typed}: a server is administered on its own machine, never over the network. Run the command there, and choose the data folder with --data.`,
  );
}

/**
 * Works with the administration of the local data folder: at the server that runs on it, else in
 * process. Nothing is asked meanwhile, as others wait for the folder.
 *
 * @param creates whether a database is made where there is none
 * @throws CliError
 */
export async function administer<T>(
  flags: Flags,
  action: (admin: AdminInstance) => Promise<T>,
  { creates = false } = {},
): Promise<T> {
  const admin = await openAdmin(flags, { creates }).catch((error: unknown) => {
    throw explainRefusal(error, flags);
  });
  try {
    return await action(admin);
  } catch (error) {
    throw explainEnd(error, flags);
  } finally {
    await admin.close();
  }
}

function explainRefusal(error: unknown, { data }: Flags): unknown {
  if (!(error instanceof Error) || !("code" in error)) return error;
  if (error.code === "not_writable") {
    const message = `${error.message} Only the owner of a data folder, and root, may administer it.`;
    return new CliError("not_allowed", message, { cause: error });
  }
  if (error.code !== "locked") return error;
  const message = `The process that uses the data folder ${data} takes no commands: it is about to stop, or is busy. Try again in a moment.`;
  return new CliError("failed", message, { cause: error });
}

function explainEnd(error: unknown, { data }: Flags): unknown {
  if (!(error instanceof ConnectionError)) return error;
  const what =
    error.failure === "timeout"
      ? `The server on ${data} did not answer in time. Look whether it was done; --timeout waits longer.`
      : `The server on ${data} ended before it had answered (${error.message}). Look whether it was done, then try again.`;
  return new CliError("unreachable", what, { cause: error });
}
