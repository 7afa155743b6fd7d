import { once } from "node:events";
import type { IncomingMessage, RequestListener, Server } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { type H3, toNodeHandler } from "h3";
import { listen as listhen } from "listhen";
import { type CloseConnections, trackConnections } from "./connections.ts";
import { refuseInShape } from "./refuse.ts";

/** Slow or idle clients hold nothing for long, and never more than so many connections. */
export interface ConnectionLimits {
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
}

export interface Listener {
  /** Where the service can be reached, without a trailing slash. */
  url: string;
  /**
   * Stops accepting and lets requests in flight finish; after the grace period
   * (milliseconds) they are cut off.
   */
  close: CloseConnections;
}

/**
 * Serves the app on exactly that address: a port that is taken is an error, never another port.
 *
 * @throws an error with the system's `code`: EADDRINUSE, EACCES, EADDRNOTAVAIL, ENOTFOUND, …
 */
export async function listen(app: H3, { host, port, limits }: ListenOptions): Promise<Listener> {
  const wanted = await probe(host, port);
  const http = await openServer(wanted, { ...defaultLimits, ...limits });
  const handle = toNodeHandler(app);
  const close = trackConnections(http);
  refuseInShape(http);
  http.on("request", (request, response) => {
    dropAuthority(request);
    // A client that is gone has no address any more, and takes no answer.
    if (!request.socket.destroyed) void handle(request, response);
  });
  return { url: urlOf(wanted), close };
}

/**
 * Finds out whether the address can be had, and which port 0 becomes. listhen
 * says only that it found none, and names no reason.
 */
async function probe(host: string, port: number): Promise<AddressInfo> {
  const server = createServer().listen({ host, port });
  await once(server, "listening");
  const address = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return address;
}

async function openServer(
  { address, port }: AddressInfo,
  { maxConnections, ...timeouts }: ConnectionLimits,
): Promise<Server> {
  // listhen hands its first argument to `http.createServer` as it is, which takes options
  // there as well: the only way to set what must be known before the server listens.
  const options = { ...timeouts, requireHostHeader: false };
  const { server } = await listhen(options as unknown as RequestListener, {
    hostname: address,
    port,
    public: isWildcard(address),
    // Otherwise it takes another port when this one is taken, and prints what it does.
    isProd: true,
    isTest: true,
    showURL: false,
    // We close it ourselves; it would end the process.
    autoClose: false,
  });
  const http = server as Server;
  http.maxConnections = maxConnections;
  const taken = (http.address() as AddressInfo).port;
  if (taken === port) return http;
  // It has a list of ports that browsers refuse (6000, 10080, …) and takes 3000 instead.
  http.close();
  throw new RangeError(`Port ${port} cannot be used: browsers refuse it. Choose another.`);
}

function isWildcard(address: string): boolean {
  return address === "0.0.0.0" || address === "::";
}

function urlOf({ address, port }: AddressInfo): string {
  const host = isWildcard(address) ? "127.0.0.1" : address;
  return `http://${host.includes(":") ? `[${host}]` : host}:${port}`;
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
