/**
 * What can go wrong, as codes. The domain throws a code, the server maps it to
 * a status, the client maps the status back, the command line maps it to an
 * exit code: nobody throws a status.
 */
export const errorStatus = {
  bad_request: 400,
  unauthorized: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  too_large: 413,
  invalid: 422,
  too_many_requests: 429,
  headers_too_large: 431,
  internal: 500,
  busy: 503,
  storage_full: 507,
} as const;

export type ErrorCode = keyof typeof errorStatus;

/** The code of an HTTP status; statuses outside the contract count as `internal`. */
export function errorCodeOf(status: number): ErrorCode {
  for (const [code, known] of Object.entries(errorStatus)) {
    if (known === status) return code as ErrorCode;
  }
  return status >= 400 && status < 500 ? "bad_request" : "internal";
}

export interface ApiErrorOptions {
  /** Field name → what is wrong with it (the contract's `errors`). */
  errors?: Record<string, string> | undefined;
  /** Seconds after which trying again makes sense. */
  retryAfter?: number | undefined;
  cause?: unknown;
}

/** A failure that the caller of the API is told about, in the words of `message`. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly errors: Record<string, string> | undefined;
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, message: string, options: ApiErrorOptions = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.retryAfter = options.retryAfter;
  }
}

/** The 422 of the contract: field name → message. */
export function invalid(errors: Record<string, string>): ApiError {
  return new ApiError("invalid", "Validation failed", { errors });
}

/** The 404 of a record that is missing or another user's: nobody can tell which. */
export function notFound(record: string): ApiError {
  return new ApiError("not_found", `${record} not found`);
}
