import { H3, type H3Event } from "h3";
import { ApiError } from "../contract/errors.ts";
import { openApiDocument } from "../contract/openapi.ts";
import { apiPrefix, routes } from "../contract/routes.ts";
import { schemas } from "../contract/schemas.ts";
import type { Services } from "../services/actions.ts";
import type { Credentials } from "../services/credentials.ts";
import type { Subjects } from "../services/services.ts";
import type { Database } from "../storage/database.ts";
import { type TrustedProxies, clientAddress } from "./client-address.ts";
import type { Endpoint } from "./exchange.ts";
import { createHandler, failOutside } from "./handler.ts";
import { createIdentify } from "./identify.ts";
import type { Log } from "./log.ts";
import { byMethod, preflight } from "./methods.ts";
import { mountRoutes, untyped } from "./mount.ts";

export interface AppOptions {
  db: Pick<Database, "durable" | "get">;
  services: Services;
  subjects: Subjects;
  credentials: Credentials;
  log: Log;
  proxies: TrustedProxies;
  /** The program's version. */
  version: string;
}

/** The whole service as one h3 app: `app.fetch` answers in process, without a socket. */
export function createApp(options: AppOptions): H3 {
  const { credentials, db, log, proxies, services, subjects } = options;
  const app = new H3({
    silent: true,
    // What cannot be decoded names nothing: 404, and OPTIONS is answered all the same.
    allowMalformedURL: true,
    onError: failOutside(log),
  });
  const addressOf = ({ req }: H3Event) =>
    clientAddress(req.ip, req.headers.get("x-forwarded-for"), proxies);
  const mount = (path: string, endpoint: Endpoint) => {
    app.all(path, createHandler({ db, log, addressOf }, endpoint));
  };
  const table = { prefix: apiPrefix, routes, schemas, services: untyped(services), subjects };
  const endpoints = mountRoutes({ ...table, identify: createIdentify(credentials) });
  for (const { path, endpoint } of endpoints) mount(path, endpoint);
  mount(`${apiPrefix}/openapi.json`, openApiEndpoint(options));
  mount("/health", healthEndpoint(options));
  mount("/", indexEndpoint(options));
  mount("/**", unknownEndpoint);
  return app;
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
