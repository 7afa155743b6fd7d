import { ApiError, errorCodeOf } from "../contract/errors.ts";
import { toConnectionError, unexpectedAnswer } from "./connection-error.ts";
import { adminPrefix, adminRoutes } from "../contract/admin-routes.ts";
import type { AdminApi } from "../contract/admin-schemas.ts";
import { apiPrefix, namedRoutes, routes } from "../contract/routes.ts";
import type { Action, Resource, Route, RouteTable } from "../contract/routes.ts";
import type { Api, Pagination } from "../contract/schemas.ts";
import { type PlainRequest, type PlainResponse, PlainHeaders, nodeFetch } from "./node-fetch.ts";
import { FetchError, createFetch } from "./ofetch.ts";

/** What the client needs of a fetch. */
export type Fetch = (input: string, init?: PlainRequest) => Promise<PlainResponse | Response>;

export interface ClientOptions {
  /** The server's URL, without `/api/v1`. */
  server: string;
  /** Sent as `X-API-Key`. */
  key?: string;
  /** A JWT, sent as `Authorization: Bearer`. */
  token?: string;
  /** Default: over the network; an app's own answers in process. */
  fetch?: Fetch;
  /** Milliseconds until a request is given up. */
  timeout?: number;
}

type QueryValue = string | number | boolean | readonly string[];

/** The types of an operation, as `OperationTypes` derives them. */
interface AnyTypes {
  params: string;
  queryNames: string;
  bodyInput: unknown;
  data: unknown;
  isPaged: boolean;
}

type Params<T extends AnyTypes> = [T["params"]] extends [never]
  ? { params?: never }
  : { params: { [P in T["params"]]: string } };
type Query<T extends AnyTypes> = { query?: { [N in T["queryNames"]]?: QueryValue } };
type Body<T extends AnyTypes> = T["bodyInput"] extends undefined
  ? { body?: never }
  : Given<T["bodyInput"]>;
type Given<B> = Partial<B> extends B ? { body?: B } : { body: B };

/** What an operation is called with. */
type RequestFor<T extends AnyTypes> = Params<T> & Query<T> & Body<T>;
export type RequestOf<R extends Resource, A extends Action<R>> = RequestFor<Api[R][A]>;

/** The success envelope of an operation. */
type AnswerFor<T extends AnyTypes> = {
  success: true;
  message: string;
  data: T["data"];
} & (T["isPaged"] extends true ? { pagination: Pagination } : unknown);

type Call<T extends AnyTypes> =
  Partial<RequestFor<T>> extends RequestFor<T>
    ? (request?: RequestFor<T>) => Promise<AnswerFor<T>>
    : (request: RequestFor<T>) => Promise<AnswerFor<T>>;

/** Every operation of a table, by resource. */
export type ClientOf<Types extends { [R in keyof Types]: { [A in keyof Types[R]]: AnyTypes } }> = {
  [R in keyof Types]: { [A in keyof Types[R]]: Call<Types[R][A]> };
};

/** Every operation of the API, by resource. */
export type Client = ClientOf<Api>;

/** Every operation of the administration, by resource. */
export type AdminClient = ClientOf<AdminApi>;

interface AnyRequest {
  params?: Record<string, string>;
  query?: Record<string, QueryValue>;
  body?: object;
}

interface Failure {
  success?: unknown;
  message?: unknown;
  errors?: Record<string, string>;
}

/**
 * A client of the API. Its operations throw `ApiError` when the server refuses,
 * and `ConnectionError` when no answer of the API comes.
 */
export function createClient(options: ClientOptions): Client {
  return callAll(options, apiPrefix, routes) as Client;
}

/** The same for the operations by which an operator administers a data folder. */
export function createAdminClient(options: ClientOptions): AdminClient {
  return callAll(options, adminPrefix, adminRoutes) as AdminClient;
}

function callAll(options: ClientOptions, prefix: string, table: RouteTable): unknown {
  const request = createFetch({
    // The standard's own classes take Node long to load.
    fetch: (options.fetch ?? nodeFetch) as typeof fetch,
    Headers: PlainHeaders as unknown as typeof Headers,
    defaults: {
      baseURL: options.server + prefix,
      headers: {
        ...(options.key !== undefined && { "x-api-key": options.key }),
        ...(options.token !== undefined && { authorization: `Bearer ${options.token}` }),
      },
      // A write is not repeated behind the caller's back.
      retry: 0,
      ignoreResponseError: true,
      // ofetch's own parser is lenient, and changes what it does not like.
      parseResponse: parseJson,
      ...(options.timeout !== undefined && { timeout: options.timeout }),
    },
  });

  async function send(path: string, init: object) {
    try {
      return await request.raw<unknown>(path, init);
    } catch (error) {
      throw error instanceof FetchError ? toConnectionError(error.cause, options.server) : error;
    }
  }

  async function call(route: Route, { params = {}, query = {}, body }: AnyRequest = {}) {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name]!),
    );
    const response = await send(path, {
      method: route.method,
      query: Object.fromEntries(
        Object.entries(query).map(([name, value]) => [name, String(value)]),
      ),
      // As text: of anything else ofetch asks whether it is a form, which makes Node load its fetch.
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const answer = response._data as Failure | null | undefined;
    if (response.ok && answer?.success === true) return answer;
    if (response.ok || typeof answer?.message !== "string") {
      throw unexpectedAnswer(options.server, response.status, response.headers.get("location"));
    }
    const retryAfter = Number(response.headers.get("retry-after") ?? NaN);
    throw new ApiError(errorCodeOf(response.status), answer.message, {
      errors: answer.errors,
      retryAfter: Number.isFinite(retryAfter) ? retryAfter : undefined,
    });
  }

  const client: Record<string, Record<string, (input?: AnyRequest) => Promise<unknown>>> = {};
  for (const { resource, action, route } of namedRoutes(table)) {
    (client[resource] ??= {})[action] = (input) => call(route, input);
  }
  return client;
}

/** Undefined for what is not JSON: its status says more than where the parser stopped. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
