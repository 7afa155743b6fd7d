import type { IncomingMessage, ServerResponse } from "node:http";
import type { Server as HttpsServer } from "node:https";
import type { AddressInfo } from "node:net";
import { type H3, toNodeHandler } from "h3";
import type { Certificate } from "./certificate.ts";
import { type CloseConnections, trackConnections } from "./connections.ts";
import type { Log } from "./log.ts";
import { isWildcard, openListener } from "./open-listener.ts";
import { refusePlainHttp } from "./plain-http.ts";
import { refuseInShape } from "./refuse.ts";

/** Slow or idle clients hold nothing for long, and never more than so many connections. */
export interface ConnectionLimits {
  /** Milliseconds for the handshake of TLS; Node's own limit, 120 s, cannot be set through listhen. */
  handshakeTimeout: number;
  /** Milliseconds for the head of a request to arrive. */
  headersTimeout: number;
  /** Milliseconds for the whole request to arrive. */
  requestTimeout: number;
  /** Milliseconds that a connection may wait for its next request. */
  keepAliveTimeout: number;
  /** Milliseconds between two looks for requests that take too long. */
  connectionsCheckingInterval: number;
  maxConnections: number;
}

const defaultLimits: ConnectionLimits = {
  handshakeTimeout: 15_000,
  headersTimeout: 15_000,
  requestTimeout: 60_000,
  // Longer than the usual 60 s of proxies, so that they do not send into a closing connection.
  keepAliveTimeout: 65_000,
  connectionsCheckingInterval: 5_000,
  maxConnections: 2000,
};

export interface ListenOptions {
  /** An address of this machine, or a name of one. */
  host: string;
  /** 0 takes a free one. */
  port: number;
  limits?: Partial<ConnectionLimits>;
  /** Serves https with it, and nothing else; without it, plain http. */
  certificate?: Certificate | undefined;
  /** Told of connections and requests that never reach the app. */
  log?: Pick<Log, "warn" | "error">;
}

export interface Listener {
  /** Where the service can be reached, without a trailing slash. */
  url: string;
  /**
   * Stops accepting and lets requests in flight finish; after the grace period
   * (milliseconds) they are cut off.
   */
  close: CloseConnections;
  /** Shows another certificate to clients that connect from now on; those that are there stay. */
  useCertificate(certificate: Certificate): void;
}

const silent: Pick<Log, "warn" | "error"> = { warn: () => {}, error: () => {} };

/**
 * Serves the app on exactly that address: a port that is taken is an error, never another port.
 *
 * @throws an error with the system's `code`: EADDRINUSE, EACCES, EADDRNOTAVAIL, ENOTFOUND, …
 * @throws RangeError for a port that browsers refuse, or an address with a zone (`%eth0`)
 */
export async function listen(app: H3, options: ListenOptions): Promise<Listener> {
  const { host, port, certificate, log = silent } = options;
  const limits = { ...defaultLimits, ...options.limits };
  const handle = toNodeHandler(app);
  const { server, address } = await openListener(
    (request: IncomingMessage, response: ServerResponse) => {
      dropAuthority(request);
      // A client that is gone has no address any more, and takes no answer.
      if (!request.socket.destroyed) void handle(request, response);
    },
    {
      host,
      port,
      settings: { ...limits, requireHostHeader: false },
      ...(certificate && { https: { cert: certificate.cert, key: certificate.key } }),
    },
  );
  server.on("error", (error) => log.error("A connection could not be accepted", error));
  if (certificate) refusePlainHttp(server as HttpsServer, limits.handshakeTimeout, log);
  refuseInShape(server, log);
  return {
    url: urlOf(address, certificate ? "https" : "http"),
    close: trackConnections(server),
    useCertificate: ({ cert, key }) => (server as HttpsServer).setSecureContext({ cert, key }),
  };
}

function urlOf({ address, port }: AddressInfo, scheme: string): string {
  const host = isWildcard(address) ? "127.0.0.1" : address;
  return `${scheme}://${host.includes(":") ? `[${host}]` : host}:${port}`;
}

/**
 * Takes the host's name out of a request: the service answers for any, and h3,
 * which makes it part of a URL, throws on one that is no host.
 */
function dropAuthority(request: IncomingMessage): void {
  request.headers.host = "localhost";
  // The absolute form of the target (RFC 9112, 3.2.2).
  const [origin] = /^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i.exec(request.url ?? "") ?? [];
  if (origin === undefined) return;
  const target = request.url!.slice(origin.length);
  request.url = target.startsWith("/") ? target : `/${target}`;
}
