import { once } from "node:events";
import { createServer } from "node:http";
import { type H3, toNodeHandler } from "h3";
import { openAdminAddress } from "../storage/admin-address.ts";
import { type CloseConnections, trackConnections } from "./connections.ts";
import { refuseInShape } from "./refuse.ts";

/** More at once are no operator's commands. */
const maxConnections = 64;

/** Read and write for the owner alone: connecting takes the right to write. */
const umask = 0o177;

/**
 * Serves the administration of a data folder that this process holds, on a socket that only the
 * folder's owner (and root) can connect to. It does not keep the process alive.
 *
 * @returns ends it, as `Listener.close` does
 * @throws the system's error when the socket cannot be bound
 */
export async function listenToOperator(app: H3, folder: string): Promise<CloseConnections> {
  const handle = toNodeHandler(app);
  const http = createServer((request, response) => void handle(request, response));
  http.maxConnections = maxConnections;
  http.unref();
  const close = trackConnections(http);
  refuseInShape(http);
  const address = await openAdminAddress(folder);
  const before = process.umask(umask);
  try {
    // Binds at once, so the mask holds for no other file.
    http.listen(address.path);
  } finally {
    process.umask(before);
  }
  try {
    await once(http, "listening");
  } finally {
    address.close();
  }
  return close;
}
