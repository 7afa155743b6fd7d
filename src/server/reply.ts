import { STATUS_CODES } from "node:http";
import { FastResponse } from "srvx";
import { ApiError, errorStatus } from "../contract/errors.ts";
import { StorageError } from "../storage/errors.ts";

/** An answer before it becomes bytes. */
export interface Reply {
  status: number;
  /** Sent as JSON; nothing is sent when undefined. */
  body?: object;
  /** Sent in place of `body`, as it comes; a failure of it breaks the answer off. */
  stream?: ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

/** An answer in the parts that HTTP is made of. */
export interface EncodedReply {
  status: number;
  /** The reason phrase. */
  statusText: string;
  headers: Record<string, string>;
  text: string | null;
}

/** On every answer; no cookies are used, so any page may read what it has a key for. */
const commonHeaders = {
  "access-control-allow-origin": "*",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

/** The one place where answers get their headers, also those that no handler gives. */
export function encodeReply({ status, body, headers }: Reply): EncodedReply {
  const statusText = STATUS_CODES[status] ?? "";
  if (body === undefined) {
    const all = { ...commonHeaders, "content-length": "0", ...headers };
    return { status, statusText, headers: all, text: null };
  }
  const text = JSON.stringify(body);
  const all = {
    ...commonHeaders,
    "content-type": "application/json;charset=UTF-8",
    "content-length": String(Buffer.byteLength(text)),
    ...headers,
  };
  return { status, statusText, headers: all, text };
}

/** The answer as h3 sends it; on HEAD, h3 leaves the body out and the headers as they are. */
export function toResponse(reply: Reply): Response {
  const { status, stream, headers } = reply;
  if (stream !== undefined) {
    const all = { ...commonHeaders, "content-type": "application/octet-stream", ...headers };
    return new FastResponse(stream, { status, headers: all });
  }
  const { text, ...head } = encodeReply(reply);
  return new FastResponse(text, head);
}

/** What a failure means to the caller; anything unexpected is `internal`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageError && error.code === "full") {
    const message =
      "The server's disk is full: nothing was changed. Reading and deleting still work.";
    return new ApiError("storage_full", message, { cause: error });
  }
  return new ApiError("internal", "Internal server error", { cause: error });
}

/**
 * The body of a failure (interface.md, section 1). Key-protected routes answer
 * missing credentials in a shape of their own.
 */
export function errorReply(error: ApiError, auth: "public" | "key" | "bearer"): Reply {
  const { code, message, errors, retryAfter } = error;
  const status = errorStatus[code];
  const headers: Record<string, string> = {};
  if (retryAfter !== undefined) headers["retry-after"] = String(retryAfter);
  if (code === "unauthorized") {
    const scheme = auth === "bearer" ? "Bearer" : auth === "key" ? "ApiKey" : "Login";
    headers["www-authenticate"] = `${scheme} realm="todo"`;
  }
  if (auth === "key" && (code === "unauthorized" || code === "forbidden")) {
    const name = code === "unauthorized" ? "Unauthorized" : "Forbidden";
    return { status, headers, body: { error: name, message } };
  }
  const body = { success: false, message, ...(errors !== undefined && { errors }) };
  return { status, headers, body };
}
