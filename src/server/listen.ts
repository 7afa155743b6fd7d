import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { type H3, toNodeHandler } from "h3";
import { listen as listhen } from "listhen";
import { ApiError, type ErrorCode, errorStatus } from "../contract/errors.ts";

export interface ListenOptions {
  host: string;
  /** 0 takes a free one. */
  port: number;
}

export interface Listener {
  /** Where the service can be reached, without a trailing slash. */
  url: string;
  /** Stops accepting, lets requests in flight finish, ends what is left after the grace period. */
  close(graceMs: number): Promise<void>;
}

/** Slow or idle clients hold nothing for long, and never more than so many connections. */
const timeouts = { headersTimeout: 15_000, requestTimeout: 60_000, keepAliveTimeout: 65_000 };
const maxConnections = 2000;

/** A port that is taken is an error, never another port. */
export async function listen(app: H3, { host, port }: ListenOptions): Promise<Listener> {
  const isPublic = host === "0.0.0.0" || host === "::";
  const { server } = await listhen(toNodeHandler(app), {
    hostname: host,
    // A plain 0 would become listhen's default port.
    port: port === 0 ? { random: true } : port,
    public: isPublic,
    isProd: true,
    showURL: false,
    autoClose: false,
  });
  const http = server as Server;
  Object.assign(http, timeouts, { maxConnections, requireHostHeader: false });
  refuseInShape(http);
  const address = http.address() as { address: string; port: number };
  const name = address.address.includes(":") ? `[${address.address}]` : address.address;
  return {
    url: `http://${isPublic ? "127.0.0.1" : name}:${address.port}`,
    close: (graceMs) => close(http, graceMs),
  };
}

/** What Node's HTTP parser refuses gets the envelope as well. */
function refuseInShape(http: Server): void {
  const codes: Record<string, [ErrorCode, string]> = {
    HPE_HEADER_OVERFLOW: ["headers_too_large", "Request headers are too large"],
    ERR_HTTP_REQUEST_TIMEOUT: ["timeout", "The request took too long to arrive"],
  };
  http.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const [code, message] = codes[error.code ?? ""] ?? ["bad_request", "Malformed HTTP request"];
    refuse(socket, new ApiError(code, message));
  });
  http.on("connect", (_request, socket: Duplex) => {
    refuse(socket, new ApiError("method_not_allowed", "Method not allowed"));
  });
  http.on("checkExpectation", (_request, response) => {
    const body = toBody(new ApiError("expectation_failed", "Expect is not supported"));
    response.writeHead(errorStatus.expectation_failed, { "content-type": jsonType });
    response.end(body);
  });
}

const jsonType = "application/json;charset=UTF-8";

function toBody({ message }: ApiError): string {
  return JSON.stringify({ success: false, message });
}

function refuse(socket: Duplex, error: ApiError): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const body = toBody(error);
  const status = errorStatus[error.code];
  socket.end(
    `HTTP/1.1 ${status} ${error.message}\r\nConnection: close\r\n` +
      `Content-Type: ${jsonType}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
}

async function close(http: Server, graceMs: number): Promise<void> {
  const closed = new Promise<void>((resolve) => http.close(() => resolve()));
  // A connection that finishes its request becomes idle, and is closed then.
  const idle = setInterval(() => http.closeIdleConnections(), 50);
  const grace = setTimeout(() => http.closeAllConnections(), graceMs);
  try {
    await closed;
  } finally {
    clearInterval(idle);
    clearTimeout(grace);
  }
}
