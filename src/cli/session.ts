import type { Command } from "commander";
import type { Client } from "../client/client.ts";
import type { Flags } from "./flags.ts";
import { type Instance, openInstance } from "./instance.ts";
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
  return async (...all) => {
    const command = all.at(-1) as Command;
    const args = all.slice(0, -1) as unknown as Args;
    const flags = command.optsWithGlobals<Flags>();
    const output = createOutput(flags);
    const instance = await openInstance(flags, (message) => output.tell(message));
    try {
      await action({ client: instance.client, instance, output, flags }, ...args);
    } finally {
      await instance.close();
    }
  };
}
