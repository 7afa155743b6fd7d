import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Ends a server; see `Listener.close`. */
export type CloseConnections = (graceMs: number) => Promise<void>;

/** Follows which requests are under way on which connection, so that none is cut off needlessly. */
export function trackConnections(http: Server): CloseConnections {
  /** Each response from its request's arrival until it is sent. */
  const connections = new Map<Socket, Set<ServerResponse>>();
  let isClosing = false;

  http.on("connection", (socket) => {
    connections.set(socket, new Set());
    socket.once("close", () => connections.delete(socket));
  });
  http.on("request", ({ socket }, response) => {
    const responses = connections.get(socket);
    if (responses === undefined) return;
    responses.add(response);
    if (isClosing) announceEnd(response);
    response.once("close", () => {
      responses.delete(response);
      if (isClosing && responses.size === 0) socket.destroy();
    });
  });

  return async (graceMs) => {
    isClosing = true;
    const closed = new Promise<void>((resolve) => {
      http.close(() => resolve());
    });
    for (const [socket, responses] of connections) {
      // Node counts connections as busy on which nothing, or half a head, has arrived.
      if (responses.size === 0) socket.destroy();
      for (const response of responses) announceEnd(response);
    }
    const grace = setTimeout(() => {
      for (const socket of connections.keys()) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(grace);
  };
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
