/** Why no answer of the API came. */
export type ConnectionFailure =
  | "unreachable"
  | "not_trusted"
  | "timeout"
  | "redirect"
  | "not_the_api";

/** No answer of the API came: there is no server, it is slow, or another one. */
export class ConnectionError extends Error {
  override readonly name = "ConnectionError";
  readonly failure: ConnectionFailure;
  /** The server's URL. */
  readonly server: string;

  constructor(failure: ConnectionFailure, server: string, message: string, cause?: unknown) {
    super(message, { cause });
    this.failure = failure;
    this.server = server;
  }
}

const otherProtocol = "it does not speak this protocol: http and https may be mixed up";
const unknownIssuer = "nobody who is trusted has signed its certificate";

/** What the codes of Node and of the system mean to a user. */
const reasons: Record<string, string> = {
  ECONNREFUSED: "nothing listens there",
  ECONNRESET: "it closed the connection",
  EPIPE: "it closed the connection",
  ENOTFOUND: "no host has that name",
  EAI_AGAIN: "the host's name could not be looked up",
  EHOSTUNREACH: "no network leads there",
  ENETUNREACH: "no network leads there",
  ETIMEDOUT: "it does not react",
  EPROTO: otherProtocol,
  ERR_SSL_WRONG_VERSION_NUMBER: otherProtocol,
  HPE_INVALID_CONSTANT: otherProtocol,
};

/** What the codes of TLS mean to a user. */
const doubts: Record<string, string> = {
  CERT_HAS_EXPIRED: "its certificate has expired",
  CERT_NOT_YET_VALID: "its certificate is not valid yet",
  ERR_TLS_CERT_ALTNAME_INVALID: "its certificate is another host's",
  DEPTH_ZERO_SELF_SIGNED_CERT: unknownIssuer,
  SELF_SIGNED_CERT_IN_CHAIN: unknownIssuer,
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: unknownIssuer,
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: unknownIssuer,
};

/** What a rejected fetch means. */
export function toConnectionError(cause: unknown, server: string): ConnectionError {
  const { name, code, message } = cause as NodeJS.ErrnoException;
  if (name === "TimeoutError" || name === "AbortError") {
    return new ConnectionError("timeout", server, message, cause);
  }
  if (cause instanceof RangeError) {
    return new ConnectionError("not_the_api", server, message, cause);
  }
  const doubt = doubts[code ?? ""];
  if (doubt !== undefined) {
    return new ConnectionError("not_trusted", server, `${doubt} (${code})`, cause);
  }
  const reason = code === undefined ? message : `${reasons[code] ?? message} (${code})`;
  return new ConnectionError("unreachable", server, reason, cause);
}

/** An answer of that status which is not one of the API. */
export function unexpectedAnswer(
  server: string,
  status: number,
  location: string | null,
): ConnectionError {
  return status >= 300 && status < 400 && location !== null
    ? new ConnectionError("redirect", server, location)
    : new ConnectionError("not_the_api", server, `status ${status}`);
}
