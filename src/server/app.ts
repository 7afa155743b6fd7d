import { randomUUID } from "node:crypto";
import { H3, type H3Event } from "h3";
import { ApiError } from "../contract/errors.ts";
import { openApiDocument } from "../contract/openapi.ts";
import { apiPrefix } from "../contract/routes.ts";
import type { Database } from "../storage/database.ts";
import { StorageError } from "../storage/errors.ts";
import { type TrustedProxies, clientAddress } from "./client-address.ts";
import type { Endpoint, Exchange } from "./exchange.ts";
import type { Log } from "./log.ts";
import { byMethod, preflight } from "./methods.ts";
import { type Mounting, mountRoutes } from "./mount.ts";
import { type Reply, errorReply, toApiError, toResponse } from "./reply.ts";

export interface AppOptions extends Mounting {
  db: Pick<Database, "durable" | "get">;
  log: Log;
  proxies: TrustedProxies;
  /** The program's version. */
  version: string;
}

/** The whole service as one h3 app: `app.fetch` answers in process, without a socket. */
export function createApp(options: AppOptions): H3 {
  const app = new H3({
    silent: true,
    // What cannot be decoded names nothing: 404, and OPTIONS is answered all the same.
    allowMalformedURL: true,
    // The last resort: what fails outside of an endpoint keeps the envelope, too.
    onError: (error) => toResponse(fail(options.log, error, "public", requestId())),
  });
  const mount = (path: string, endpoint: Endpoint) => {
    app.all(path, createHandler(options, endpoint));
  };
  for (const { path, endpoint } of mountRoutes(options)) mount(path, endpoint);
  mount(`${apiPrefix}/openapi.json`, openApiEndpoint(options));
  mount("/health", healthEndpoint(options));
  mount("/", indexEndpoint(options));
  mount("/**", unknownEndpoint);
  return app;
}

/** Every answer goes through here: durability, errors, headers and log have one place. */
function createHandler({ db, log, proxies }: AppOptions, { auth, answer }: Endpoint) {
  return async (event: H3Event) => {
    const started = performance.now();
    const { headers, method } = event.req;
    const id = requestId();
    const client = {
      ip: clientAddress(event.req.ip, headers.get("x-forwarded-for"), proxies),
      userAgent: headers.get("user-agent") ?? "",
    };
    const exchange: Exchange = { event, client };
    let reply: Reply;
    try {
      const isRead = method === "GET" || method === "HEAD";
      reply = await (isRead ? settleRead : settle)(db, () => answer(exchange));
    } catch (error) {
      reply = fail(log, error, auth, id);
    }
    const { status } = reply;
    const { pathname: path } = event.url;
    const ms = performance.now() - started;
    log.request({ id, method, path, status, ms, userId: exchange.userId });
    return toResponse(reply);
  };
}

/** Names a request in the log. */
function requestId(): string {
  return randomUUID().slice(0, 8);
}

/** The answer to a failure; an unexpected one says nothing but where to find it in the log. */
function fail(log: Log, cause: unknown, auth: Endpoint["auth"], id: string): Reply {
  const error = toApiError(cause);
  const reply = errorReply(error, auth);
  if (error.code !== "internal") return reply;
  log.error("Request failed", cause, id);
  return { ...reply, headers: { ...reply.headers, "x-request-id": id } };
}

/** No answer, a failure's neither, shows what a power cut could still take back. */
async function settle(db: AppOptions["db"], answer: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } finally {
    await db.durable();
  }
}

/** A look is in vain only when a batch of writes fails in that very moment. */
const maxLooks = 5;

/**
 * The same for a read. What it has shown may not have happened after all, when the disk was full
 * for the writes beside it: then it looks again.
 */
async function settleRead(...[db, answer]: Parameters<typeof settle>): Promise<Reply> {
  for (let look = 1; ; look += 1) {
    try {
      return await settle(db, answer);
    } catch (error) {
      if (!(error instanceof StorageError) || look === maxLooks) throw error;
    }
  }
}

function openApiEndpoint({ version }: AppOptions): Endpoint {
  let document: object | undefined;
  return byMethod("public", {
    GET: () => ({ status: 200, body: (document ??= openApiDocument({ version })) }),
  });
}

function healthEndpoint({ db, version }: AppOptions): Endpoint {
  return byMethod("public", {
    GET() {
      db.get("SELECT count(*) FROM settings");
      return { status: 200, body: { status: "ok", version } };
    },
  });
}

function indexEndpoint({ version }: AppOptions): Endpoint {
  const body = {
    name: "todo",
    version,
    api: apiPrefix,
    documentation: `${apiPrefix}/openapi.json`,
    health: "/health",
  };
  return byMethod("public", { GET: () => ({ status: 200, body }) });
}

const unknownEndpoint: Endpoint = {
  auth: "public",
  answer({ event }) {
    const { pathname } = event.url;
    const isApi = pathname === apiPrefix || pathname.startsWith(`${apiPrefix}/`);
    if (event.req.method === "OPTIONS" && isApi) return preflight;
    throw new ApiError("not_found", "Route not found");
  },
};
