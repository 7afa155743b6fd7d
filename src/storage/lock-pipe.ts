import { createHash } from "node:crypto";

import type { Claim, Neighbour } from "./lock-folder.ts";
import { ask, openLockSocket, type LockSocket } from "./lock-socket.ts";

/**
 * Windows: one attempt to take a data folder by a named pipe. The system lets one process listen
 * on a pipe and frees it with the process, so there is nothing to look round for or to tidy up.
 *
 * @throws the system's error when the pipe cannot be made.
 */
export async function claimPipe(folder: string): Promise<Claim> {
  const address = pipeOf(folder);
  let socket: LockSocket;
  try {
    socket = await openLockSocket(address);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EADDRINUSE") throw error;
    return { won: false, neighbours: await askPipe(folder) };
  }
  let held = true;
  socket.say({ state: "holding" });
  return {
    won: true,
    socket,
    stands: () => held,
    release() {
      held = false;
      socket.close();
    },
  };
}

/** Windows: asks the process that listens on the data folder's pipe. */
export async function askPipe(folder: string): Promise<Neighbour[]> {
  const name = pipeOf(folder);
  return [{ name, probe: await ask(name) }];
}

/** Windows: the pipe by which the holder of a data folder takes its operator's commands. */
export function adminPipe(folder: string): string {
  // Others may read from a pipe that Node makes, but only its owner may write to it.
  return `${pipeOf(folder)}-admin`;
}

function pipeOf(folder: string): string {
  // Windows compares paths without regard to case.
  const hash = createHash("sha256").update(folder.toLowerCase()).digest("hex");
  return `\\\\.\\pipe\\todo-${hash}`;
}
