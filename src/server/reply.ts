import { HTTPResponse } from "h3";
import { ApiError, errorStatus } from "../contract/errors.ts";
import { StorageError } from "../storage/errors.ts";

/** An answer before it becomes bytes. */
export interface Reply {
  status: number;
  /** Sent as JSON; nothing is sent when undefined. */
  body?: object;
  headers?: Record<string, string>;
}

/** On every answer; no cookies are used, so any page may read what it has a key for. */
const commonHeaders = {
  "access-control-allow-origin": "*",
  "cache-control": "no-store",
  "x-content-type-options": "nosniff",
};

export function toResponse({ status, body, headers }: Reply): HTTPResponse {
  if (body === undefined) {
    return new HTTPResponse("", { status, headers: { ...commonHeaders, ...headers, "content-length": "0" } });
  }
  const text = JSON.stringify(body);
  return new HTTPResponse(text, {
    status,
    headers: {
      ...commonHeaders,
      "content-type": "application/json;charset=UTF-8",
      "content-length": String(Buffer.byteLength(text)),
      ...headers,
    },
  });
}

/** What a failure means to the caller; anything unexpected is `internal`. */
export function toApiError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  if (error instanceof StorageError && error.code === "full") {
    const message = "The server's disk is full: nothing was changed. Reading and deleting still work.";
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
