import { createFetch } from "ofetch";
import { ApiError, errorCodeOf } from "../contract/errors.ts";
import { apiPrefix, routes } from "../contract/routes.ts";
import type { Action, Resource, Route, Routes } from "../contract/routes.ts";
import type {
  BodyInputOf,
  DataOf,
  Pagination,
  ParamsOf,
  QueryNamesOf,
} from "../contract/schemas.ts";

export interface ClientOptions {
  /** The server's URL, without `/api/v1`. */
  server: string;
  /** Sent as `X-API-Key`. */
  key?: string;
  /** A JWT, sent as `Authorization: Bearer`. */
  token?: string;
  /** Default: the global `fetch`; an app's own answers in process. */
  fetch?: typeof fetch;
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
  message?: unknown;
  errors?: Record<string, string>;
}

/**
 * A client of the API. Its operations throw `ApiError` when the server refuses,
 * and ofetch's `FetchError` when it cannot be reached or answers no JSON.
 */
export function createClient(options: ClientOptions): Client {
  const request = createFetch({
    ...(options.fetch && { fetch: options.fetch }),
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
      parseResponse: (text) => JSON.parse(text) as unknown,
      ...(options.timeout !== undefined && { timeout: options.timeout }),
    },
  });

  async function call(route: Route, { params = {}, query = {}, body }: AnyRequest = {}) {
    const path = route.path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(params[name]!),
    );
    const response = await request.raw<unknown>(path, {
      method: route.method,
      query: Object.fromEntries(
        Object.entries(query).map(([name, value]) => [name, String(value)]),
      ),
      ...(body !== undefined && { body }),
    });
    if (response.ok) return response._data;
    const failure = (response._data ?? {}) as Failure;
    const retryAfter = response.headers.get("retry-after");
    throw new ApiError(errorCodeOf(response.status), String(failure.message), {
      errors: failure.errors,
      retryAfter: retryAfter === null ? undefined : Number(retryAfter),
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
