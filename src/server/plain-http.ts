import type { Server } from "node:https";
import type { Socket } from "node:net";
import { ApiError } from "../contract/errors.ts";
import { clientOf } from "./connections.ts";
import type { Log } from "./log.ts";
import { refuse } from "./refuse.ts";

/** The first byte of every TLS connection: a handshake record (RFC 8446, 5.1). */
const handshakeRecord = 0x16;

/**
 * Tells who speaks plain HTTP to an https port that it is one; Node only closes the connection. It
 * redirects nobody: a key that came in the clear must not seem to have arrived well.
 *
 * @param patienceMs within which a client must have shaken hands
 */
export function refusePlainHttp(server: Server, patienceMs: number, log: Pick<Log, "warn">): void {
  const accept = server.listeners("connection") as ((socket: Socket) => void)[];
  const patiences = new Map<string | Socket, NodeJS.Timeout>();
  server.removeAllListeners("connection");
  server.on("connection", (socket: Socket) => {
    const client = clientOf(socket);
    const patience = setTimeout(() => socket.destroy(), patienceMs);
    patiences.set(client, patience);
    socket.once("close", () => {
      clearTimeout(patience);
      // The client may have come again from the same port.
      if (patiences.get(client) === patience) patiences.delete(client);
    });
    const ignore = () => {};
    socket.on("error", ignore);
    socket.once("readable", () => {
      const start = socket.read() as Buffer | null;
      if (start === null) return;
      if (start[0] !== handshakeRecord) {
        clearTimeout(patience);
        refuse(socket, new ApiError("bad_request", "This port speaks https, not http"), log);
        return;
      }
      socket.unshift(start);
      socket.off("error", ignore);
      for (const listener of accept) listener.call(server, socket);
    });
  });
  server.on("secureConnection", (socket) => clearTimeout(patiences.get(clientOf(socket))));
  server.on("tlsClientError", (error: NodeJS.ErrnoException) => {
    log.warn(`A client did not come to terms on encryption: ${error.code ?? error.message}`);
  });
}
