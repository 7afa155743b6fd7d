import { ApiError } from "../contract/errors.ts";
import { type NamedRoute, type Route, allRoutes, apiPrefix, scopeOf } from "../contract/routes.ts";
import { type OperationSchemas, type Page, schemas } from "../contract/schemas.ts";
import { validate } from "../contract/validate.ts";
import type { Caller, Client, Services } from "../services/actions.ts";
import type { Credentials } from "../services/credentials.ts";
import type { Subjects } from "../services/services.ts";
import { readJsonObject } from "./body.ts";
import type { Endpoint, Exchange } from "./exchange.ts";
import { byMethod } from "./methods.ts";
import type { Reply } from "./reply.ts";

export interface Mounting {
  services: Services;
  subjects: Subjects;
  credentials: Credentials;
}

interface Input {
  params: Record<string, string>;
  query: unknown;
  body: unknown;
}

/**
 * The operations of the contract without their types: what is alike for all of
 * them is written once. That each fits its schemas is checked where it is
 * defined (`Services`).
 */
type AnyOperation = (who: Client | Caller, input: Input) => unknown;

/** An endpoint for every path of the route table, in h3's notation. */
export function mountRoutes(mounting: Mounting): { path: string; endpoint: Endpoint }[] {
  const paths = new Map<string, NamedRoute[]>();
  for (const named of allRoutes()) {
    paths.set(named.route.path, [...(paths.get(named.route.path) ?? []), named]);
  }
  return [...paths].map(([path, named]) => ({
    path: apiPrefix + path.replace(/\{(\w+)\}/g, ":$1"),
    endpoint: byMethod(
      named[0]!.route.auth,
      Object.fromEntries(named.map((one) => [one.route.method, createAnswer(mounting, one)])),
    ),
  }));
}

/** Route, credentials, scope, body, existence, validation: in the order of the rulings. */
function createAnswer(mounting: Mounting, { resource, action, route }: NamedRoute) {
  const operation = (mounting.services as unknown as Record<string, Record<string, AnyOperation>>)[
    resource
  ]![action]!;
  const shapes = (schemas as Record<string, Record<string, OperationSchemas>>)[resource]![action]!;
  const exists = route.subject && mounting.subjects[route.subject.resource];

  return async (exchange: Exchange): Promise<Reply> => {
    const who = await identify(mounting.credentials, route, exchange);
    const params = paramsOf(exchange);
    const given = shapes.body && (await readJsonObject(exchange.event));
    let input: Input;
    try {
      input = {
        params,
        query: shapes.query && validate(shapes.query, queryOf(exchange)),
        body: shapes.body && validate(shapes.body, given),
      };
    } catch (error) {
      // A record that is not there comes before what is wrong with the body.
      exists?.(who as Caller, params.id!);
      throw error;
    }
    return success(route, input.query, await operation(who, input));
  };
}

async function identify(credentials: Credentials, route: Route, exchange: Exchange) {
  const { event, client } = exchange;
  if (route.auth === "public") return client;
  const { headers, method } = event.req;
  if (route.auth === "bearer") {
    const caller = await credentials.byToken(headers.get("authorization"), client);
    exchange.userId = caller.owner.id;
    return caller;
  }
  const caller = credentials.byKey(headers.get("x-api-key"), client);
  exchange.userId = caller.owner.id;
  const scope = scopeOf(method);
  if (!caller.scopes.includes(scope)) {
    throw new ApiError("forbidden", `This API key lacks the scope ${scope}.`);
  }
  return caller;
}

/** Path ids in the form in which they are stored; what cannot be decoded names nothing. */
function paramsOf({ event }: Exchange): Record<string, string> {
  const entries = Object.entries<string>(event.context.params ?? {});
  return Object.fromEntries(entries.map(([name, value]) => [name, value.toLowerCase()]));
}

/** The first value of each query parameter. */
function queryOf({ event }: Exchange): Record<string, string> {
  return Object.fromEntries([...event.url.searchParams].toReversed());
}

function success(route: Route, query: unknown, result: unknown): Reply {
  const { status, message } = route;
  if (route.returns === "page") {
    const { items, total } = result as Page<unknown>;
    const pagination = paginate(query as { page: number; per_page: number }, total);
    return { status, body: { success: true, message, data: items, pagination } };
  }
  const body = { success: true, message, data: result };
  const id = (result as { id?: unknown } | null)?.id;
  if (status !== 201 || typeof id !== "string") return { status, body };
  return { status, body, headers: { location: `${apiPrefix}${route.path}/${id}` } };
}

function paginate({ page, per_page }: { page: number; per_page: number }, total: number) {
  const last_page = Math.max(1, Math.ceil(total / per_page));
  return { page, per_page, total, last_page, has_more: page < last_page };
}
