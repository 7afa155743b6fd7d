import type { Server } from "node:http";
import type { Duplex } from "node:stream";
import { ApiError, type ErrorCode } from "../contract/errors.ts";
import { limits } from "../contract/limits.ts";
import type { Log } from "./log.ts";
import { type Reply, encodeReply, errorReply } from "./reply.ts";

/** A refused client has so long to read why, in milliseconds. */
const lingerMs = 2000;

/** What Node's parser calls its errors; all others are a malformed request. */
const parserErrors: Record<string, [ErrorCode, string]> = {
  HPE_HEADER_OVERFLOW: ["headers_too_large", "Request headers are too large"],
  ERR_HTTP_REQUEST_TIMEOUT: ["timeout", "The request took too long to arrive"],
};

/**
 * Gives the envelope to requests that never reach the app: Node would answer
 * those that its parser refuses with an empty body, or none at all.
 */
export function refuseInShape(http: Server, log: Pick<Log, "warn">): void {
  http.on("clientError", (error: NodeJS.ErrnoException, socket: Duplex) => {
    const [code, message] = parserErrors[error.code ?? ""] ?? [
      "bad_request",
      "Malformed HTTP request",
    ];
    refuse(socket, new ApiError(code, message), log);
  });
  http.on("connect", (_request, socket: Duplex) => {
    // The server has let go of this socket: without a listener its failure ended the process.
    socket.on("error", () => socket.destroy());
    refuse(socket, new ApiError("method_not_allowed", "Method not allowed"), log, {
      allow: "GET, POST, PUT, DELETE, HEAD, OPTIONS",
    });
  });
  http.on("checkContinue", (request, response) => {
    // A body that will be refused need not be sent; Node closes the connection then.
    const declared = Number(request.headers["content-length"] ?? 0);
    if (declared <= limits.bodyBytes) response.writeContinue();
    http.emit("request", request, response);
  });
  // Nothing but 100-continue is to be expected; RFC 9110, 10.1.1 lets us ignore the rest.
  http.on("checkExpectation", (request, response) => {
    http.emit("request", request, response);
  });
}

/** Answers a connection on which no further request will be understood, and ends it. */
export function refuse(
  socket: Duplex,
  error: ApiError,
  log: Pick<Log, "warn">,
  extraHeaders: Reply["headers"] = {},
): void {
  // It is being told already; the parser complains about every further chunk.
  if (socket.writableEnded) return;
  // Nobody is there any more.
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  const { status, statusText, headers, text } = encodeReply(errorReply(error, "public"));
  log.warn(`Refused before it reached the API: ${status} ${error.message}`);
  const lines = Object.entries({ ...headers, ...extraHeaders, connection: "close" }).map(
    ([name, value]) => `${name}: ${value}\r\n`,
  );
  socket.end(`HTTP/1.1 ${status} ${statusText}\r\n${lines.join("")}\r\n${text ?? ""}`);
  // What the client still sends is read and dropped: resetting the connection could
  // take the answer from it.
  socket.resume();
  setTimeout(() => socket.destroy(), lingerMs).unref();
}
