/** Why no answer of the API came. */
export type ConnectionFailure = "unreachable" | "timeout" | "redirect" | "not_the_api";

/** No answer of the API came: there is no server, it is slow, or it is another one. */
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
