import type { Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";

/** Ends a server; see `Listener.close`. */
export type CloseConnections = (graceMs: number) => Promise<void>;

interface Connection {
  socket: Socket;
  /** Each response from its request's arrival until it is sent. */
  responses: Set<ServerResponse>;
}

/** Follows which requests are under way on which connection, so that none is cut off needlessly. */
export function trackConnections(http: Server): CloseConnections {
  /** By the client's address: with TLS, a request has another socket than its connection. */
  const connections = new Map<string | Socket, Connection>();
  let isClosing = false;

  http.on("connection", (socket) => {
    const client = clientOf(socket);
    const connection: Connection = { socket, responses: new Set() };
    connections.set(client, connection);
    socket.once("close", () => {
      // The client may have come again from the same port.
      if (connections.get(client) === connection) connections.delete(client);
    });
  });
  http.on("request", ({ socket }, response) => {
    const connection = connections.get(clientOf(socket));
    if (connection === undefined) return;
    const { responses } = connection;
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
    for (const { socket, responses } of connections.values()) {
      // Node counts connections as busy on which nothing, or half a head, has arrived.
      if (responses.size === 0) socket.destroy();
      for (const response of responses) announceEnd(response);
    }
    const grace = setTimeout(() => {
      for (const { socket } of connections.values()) socket.destroy();
    }, graceMs);
    await closed;
    clearTimeout(grace);
  };
}

/** Who a connection is with: the same for that of TLS and for the one below it. */
export function clientOf(socket: Socket): string | Socket {
  const { remoteAddress, remotePort } = socket;
  // The clients of a local socket have no address, and no TLS.
  return remoteAddress === undefined ? socket : `${remoteAddress} ${remotePort}`;
}

function announceEnd(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader("connection", "close");
}
