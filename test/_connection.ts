import { once } from "node:events";
import { connect } from "node:net";

export interface Answer {
  status: number;
  body: string;
}

/** One kept-alive connection to a server, with next to no work of its own: for load. */
export interface Connection {
  /**
   * Sends a request and resolves to its whole answer. One at a time.
   *
   * @throws Error when the connection ends before that
   */
  request(method: string, path: string, body?: object): Promise<Answer>;
  close(): void;
}

interface Waiting {
  resolve(answer: Answer): void;
  reject(error: Error): void;
}

/** Opens a connection whose requests carry the key, with paths below `/api/v1`. */
export async function openConnection(url: string, key: string): Promise<Connection> {
  const { hostname, port, host } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), noDelay: true });
  await once(socket, "connect");
  let received = Buffer.alloc(0);
  let waiting: Waiting | undefined;

  socket.on("data", (chunk) => {
    received = received.length === 0 ? chunk : Buffer.concat([received, chunk]);
    const answer = parseAnswer(received);
    if (answer === undefined) return;
    received = Buffer.alloc(0);
    waiting?.resolve(answer);
  });
  socket.on("error", () => {});
  socket.on("close", () => waiting?.reject(new Error("The connection ended")));

  return {
    request(method, path, body) {
      const text = body === undefined ? "" : JSON.stringify(body);
      return new Promise((resolve, reject) => {
        waiting = { resolve, reject };
        if (socket.destroyed) reject(new Error("The connection ended"));
        socket.write(
          `${method} /api/v1${path} HTTP/1.1\r\nHost: ${host}\r\nX-API-Key: ${key}\r\n` +
            `Content-Length: ${Buffer.byteLength(text)}\r\n\r\n${text}`,
        );
      });
    },
    close: () => socket.destroy(),
  };
}

/** Undefined until all of it is there. Every answer of the server states its length. */
function parseAnswer(received: Buffer): Answer | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const head = received.toString("latin1", 0, end);
  const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
  const body = received.subarray(end + 4);
  if (body.length < length) return undefined;
  return { status: Number(head.slice(9, 12)), body: body.toString("utf8") };
}
