import { once } from "node:events";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";

/** What a server was asked. */
export interface SeenRequest {
  method: string;
  path: string;
  headers: IncomingMessage["headers"];
}

/** A server that is not ours, and answers as the test wants. */
export interface FakeServer extends AsyncDisposable {
  url: string;
  requests: SeenRequest[];
  /** Resolves with the next request. */
  asked(): Promise<void>;
}

/** Starts it on a free port of loopback. */
export async function startFakeServer(
  answer: (response: ServerResponse, request: IncomingMessage) => void,
  host = "127.0.0.1",
): Promise<FakeServer> {
  const requests: SeenRequest[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const { method = "", url = "", headers } = request;
    requests.push({ method, path: url, headers });
    server.emit("asked");
    request.resume();
    answer(response, request);
  });
  // A client that waits for an idle connection to end is seen to hang.
  server.keepAliveTimeout = 600_000;
  server.on("connection", (socket) => sockets.add(socket));
  server.listen(0, host);
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${port}`,
    requests,
    async asked() {
      if (requests.length === 0) await once(server, "asked");
    },
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}

/** An answer with that body. */
export function answering(
  status: number,
  body: string,
  headers: Record<string, string> = {},
): (response: ServerResponse) => void {
  return (response) => response.writeHead(status, headers).end(body);
}
