import assert from "node:assert/strict";
import { once } from "node:events";
import { type Socket, connect } from "node:net";
import { connect as connectTls } from "node:tls";

/** An answer as it came over the wire. */
export interface RawAnswer {
  status: number;
  reason: string;
  /** By name in lower case. */
  headers: Record<string, string>;
  body: string;
}

export interface RawConnection extends Disposable {
  socket: Socket;
  /** The next answer; undefined when the connection ends without one. */
  answer(options?: { head: boolean }): Promise<RawAnswer | undefined>;
  /** Settles when the connection is closed, whichever way. */
  closed: Promise<void>;
}

function parse(
  received: Buffer,
  isHead: boolean,
): { answer: RawAnswer; length: number } | undefined {
  const end = received.indexOf("\r\n\r\n");
  if (end === -1) return undefined;
  const [statusLine = "", ...lines] = received.toString("latin1", 0, end).split("\r\n");
  const [, status, reason] = /^HTTP\/1\.1 (\d{3}) (.*)$/.exec(statusLine) ?? [];
  assert.ok(status !== undefined && reason !== undefined, `not a status line: ${statusLine}`);
  const headers = Object.fromEntries(
    lines.map((line) => {
      const colon = line.indexOf(":");
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
    }),
  );
  const start = end + 4;
  const length = start + (isHead ? 0 : Number(headers["content-length"] ?? 0));
  if (received.length < length) return undefined;
  const body = received.toString("utf8", start, length);
  return { answer: { status: Number(status), reason, headers, body }, length };
}

/** A connection that sends whatever it is told to. */
export async function connectRaw(url: string): Promise<RawConnection> {
  const { protocol, hostname, port } = new URL(url);
  const target = { port: Number(port), host: hostname.replace(/^\[|\]$/g, "") };
  const isEncrypted = protocol === "https:";
  // Whether a certificate is to be trusted is the subject of other tests.
  const socket = isEncrypted
    ? connectTls({ ...target, rejectUnauthorized: false })
    : connect(target);
  let received = Buffer.alloc(0);
  let isClosed = false;
  // A server may reset a connection that it has answered.
  socket.on("error", () => {});
  socket.on("data", (chunk) => (received = Buffer.concat([received, chunk])));
  const closed = new Promise<void>((resolve) => {
    socket.once("close", () => {
      isClosed = true;
      resolve();
    });
  });
  await once(socket, isEncrypted ? "secureConnect" : "connect");
  return {
    socket,
    closed,
    async answer({ head } = { head: false }) {
      for (;;) {
        const next = parse(received, head);
        if (next !== undefined) {
          received = received.subarray(next.length);
          return next.answer;
        }
        if (isClosed) return undefined;
        await Promise.race([closed, once(socket, "data").catch(() => {})]);
      }
    },
    [Symbol.dispose]: () => socket.destroy(),
  };
}

/**
 * The answer to one request, written out in full; undefined when there is none.
 *
 * @param options.isFinal passes over the interim answer to `Expect: 100-continue`
 */
export async function sendRaw(
  url: string,
  request: string | Buffer,
  { isFinal = false } = {},
): Promise<RawAnswer | undefined> {
  using connection = await connectRaw(url);
  connection.socket.write(request);
  const options = { head: request.toString("latin1", 0, 5) === "HEAD " };
  let answer = await connection.answer(options);
  if (isFinal) while (answer?.status === 100) answer = await connection.answer(options);
  return answer;
}
