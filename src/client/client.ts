import { ApiError, errorCodeOf } from "../contract/errors.ts";
import { toConnectionError, unexpectedAnswer } from "./connection-error.ts";
import { apiPrefix, routes } from "../contract/routes.ts";
import type { Action, Resource, Route, Routes } from "../contract/routes.ts";
import { type PlainRequest, type PlainResponse, PlainHeaders, nodeFetch } from "./node-fetch.ts";
import { FetchError, createFetch } from "./ofetch.ts";
import type {
  BodyInputOf,
  DataOf,
  Pagination,
  ParamsOf,
  QueryNamesOf,
} from "../contract/schemas.ts";

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
type Params<R extends Resource, A extends Action<R>> = [ParamsOf<R, A>] extends [never]
  ? { params?: never }
  : { params: { [P in ParamsOf<R, A>]: string } };
type Query<R extends Resource, A extends Action<R>> = {
  query?: { [N in QueryNamesOf<R, A>]?: QueryValue };
};
type Body<R extends Resource, A extends Action<R>> =
  BodyInputOf<R, A> extends undefined
    ? { body?: never }
    : Partial<BodyInputOf<R, A>> extends BodyInputOf<R, A>
      ? { body?: BodyInputOf<R, A> }
      : { body: BodyInputOf<R, A> };

/** What an operation is called with. */
export type RequestOf<R extends Resource, A extends Action<R>> = Params<R, A> &
  Query<R, A> &
  Body<R, A>;

/** The success envelope of an operation. */
export type AnswerOf<R extends Resource, A extends Action<R>> = {
  success: true;
  message: string;
  data: DataOf<R, A>;
} & (Routes[R][A] extends { returns: "page" } ? { pagination: Pagination } : unknown);

type Call<R extends Resource, A extends Action<R>> =
  Partial<RequestOf<R, A>> extends RequestOf<R, A>
    ? (request?: RequestOf<R, A>) => Promise<AnswerOf<R, A>>
    : (request: RequestOf<R, A>) => Promise<AnswerOf<R, A>>;

/** Every operation of the contract, by resource. */
export type Client = { [R in Resource]: { [A in Action<R>]: Call<R, A> } };

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
  const request = createFetch({
    // The standard's own classes take Node long to load.
    fetch: (options.fetch ?? nodeFetch) as typeof fetch,
    Headers: PlainHeaders as unknown as typeof Headers,
    defaults: {
      baseURL: options.server + apiPrefix,
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

  const client = Object.entries(routes).map(([resource, actions]) => [
    resource,
    Object.fromEntries(
      Object.entries<Route>(actions).map(([action, route]) => [
        action,
        (input?: AnyRequest) => call(route, input),
      ]),
    ),
  ]);
  return Object.fromEntries(client) as Client;
}

/** Undefined for what is not JSON: its status says more than where the parser stopped. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
