import type { Command } from "commander";
import type { Client } from "../client/client.ts";
import { ApiError } from "../contract/errors.ts";
import { activePalette } from "./themes/active-theme.ts";
import { CliError, exitCodes } from "./errors.ts";
import { sentence } from "./failures.ts";
import { type Flags, readFlags } from "./flags.ts";
import { type Instance, openInstance } from "./instance/instance.ts";
import { type Output, createOutput } from "./output/output.ts";

/** What a command works with. */
export interface Session {
  client: Client;
  instance: Instance;
  output: Output;
  flags: Flags;
}

/**
 * Makes a commander action of one that works with an instance.
 *
 * @param action gets the session, then what commander passes: arguments, options
 */
export function withSession<Args extends unknown[]>(
  action: (session: Session, ...args: Args) => Promise<void>,
): (...args: [...Args, Command]) => Promise<void> {
  return withFlags(async (flags, plain, ...args: Args) => {
    const instance = await openInstance(flags, (message) => plain.tell(message));
    // The theme is that of the account.
    const output = createOutput(flags, activePalette(instance.key));
    try {
      await action({ client: instance.client, instance, output, flags }, ...args);
    } catch (error) {
      throw explainRefusal(error, instance);
    } finally {
      await instance.close();
    }
  });
}

/** The same for an action that finds its instance itself, or needs none. */
export function withFlags<Args extends unknown[]>(
  action: (flags: Flags, output: Output, ...args: Args) => Promise<void>,
): (...args: [...Args, Command]) => Promise<void> {
  return async (...all) => {
    const command = all.at(-1) as Command;
    const args = all.slice(0, -1) as unknown as Args;
    const flags = readFlags(command);
    endOnInterrupt();
    await action(flags, createOutput(flags), ...args);
  };
}

/**
 * Ctrl-C ends a command at once, with the exit code of an interruption. Whatever was written is
 * safe, and locks end with the process.
 */
function endOnInterrupt(): void {
  process.once("SIGINT", () => process.exit(exitCodes.interrupted));
}

/** A key that is refused is replaced in another way for each kind of instance. */
function explainRefusal(error: unknown, { whenRefused }: Instance): unknown {
  if (!(error instanceof ApiError) || error.code !== "unauthorized") return error;
  const message = `${sentence(error.message)} ${whenRefused}`;
  return new CliError("not_allowed", message, { cause: error });
}
