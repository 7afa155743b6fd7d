import { realpath } from "node:fs/promises";

import { ADMIN, lockFolder } from "./lock-folder.ts";
import { openSocketFolder } from "./lock-path.ts";
import { adminPipe } from "./lock-pipe.ts";

/** The address of the socket (or Windows pipe) of a data folder's administration. */
export interface AdminAddress {
  /** Short enough to bind and to connect to, until `close`. */
  path: string;
  /** Ends the address; a socket bound through it stays where it is. */
  close(): void;
}

/**
 * Where the process that holds a data folder takes its operator's commands: beside the lock's own
 * socket, with whose release it goes. Only the holder binds it.
 *
 * @throws the system's error when the folder cannot be reached.
 */
export async function openAdminAddress(folder: string): Promise<AdminAddress> {
  const path = await realpath(folder);
  if (process.platform === "win32") return { path: adminPipe(path), close() {} };
  const sockets = openSocketFolder(lockFolder(path));
  return { path: sockets.address(ADMIN), close: () => sockets.close() };
}
