import { type NamedRoute, type Route, type RouteTable, namedRoutes } from "../contract/routes.ts";
import type { OperationSchemas, Page } from "../contract/schemas.ts";
import { validate } from "../contract/validate.ts";
import type { Caller, Client } from "../services/actions.ts";
import type { Subjects } from "../services/services.ts";
import { readJsonObject } from "./body.ts";
import type { Endpoint, Exchange } from "./exchange.ts";
import { byMethod } from "./methods.ts";
import type { Reply } from "./reply.ts";

type ByOperation<T> = Record<string, Record<string, T>>;

/** A table of routes, and what is behind them. */
export interface Mounting {
  /** Where the table's paths begin. */
  prefix: string;
  routes: RouteTable;
  schemas: ByOperation<OperationSchemas>;
  /** The operations without their types; see `untyped`. */
  services: ByOperation<AnyOperation>;
  subjects: Subjects;
  /** Finds out who is calling; throws ApiError `unauthorized` or `forbidden`. */
  identify: (route: Route, exchange: Exchange) => Client | Caller | Promise<Caller>;
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

/** Services as `mountRoutes` takes them. */
export function untyped(services: object): Mounting["services"] {
  return services as Mounting["services"];
}

/** An endpoint for every path of the route table, in h3's notation. */
export function mountRoutes(mounting: Mounting): { path: string; endpoint: Endpoint }[] {
  const paths = new Map<string, NamedRoute[]>();
  for (const named of namedRoutes(mounting.routes)) {
    paths.set(named.route.path, [...(paths.get(named.route.path) ?? []), named]);
  }
  return [...paths].map(([path, named]) => ({
    path: mounting.prefix + path.replace(/\{(\w+)\}/g, ":$1"),
    endpoint: byMethod(
      named[0]!.route.auth,
      Object.fromEntries(named.map((one) => [one.route.method, createAnswer(mounting, one)])),
    ),
  }));
}

/** Route, credentials, scope, body, existence, validation: in the order of the rulings. */
function createAnswer(mounting: Mounting, { resource, action, route }: NamedRoute) {
  const operation = mounting.services[resource]![action]!;
  const shapes = mounting.schemas[resource]![action]!;
  const exists = route.subject && mounting.subjects[route.subject.resource];

  return async (exchange: Exchange): Promise<Reply> => {
    let who = await mounting.identify(route, exchange);
    const params = paramsOf(exchange);
    let given: object | undefined;
    if (shapes.body) {
      given = await readJsonObject(exchange.event);
      // It may have taken its time: who was removed meanwhile could write as the next user.
      who = await mounting.identify(route, exchange);
    }
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
    return success(mounting.prefix, route, input.query, await operation(who, input));
  };
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

function success(prefix: string, route: Route, query: unknown, result: unknown): Reply {
  const { status, message } = route;
  if (route.returns === "page") {
    const { items, total } = result as Page<unknown>;
    const pagination = paginate(query as { page: number; per_page: number }, total);
    return { status, body: { success: true, message, data: items, pagination } };
  }
  const body = { success: true, message, data: result };
  const id = (result as { id?: unknown } | null)?.id;
  if (status !== 201 || typeof id !== "string") return { status, body };
  return { status, body, headers: { location: `${prefix}${route.path}/${id}` } };
}

function paginate({ page, per_page }: { page: number; per_page: number }, total: number) {
  const last_page = Math.max(1, Math.ceil(total / per_page));
  return { page, per_page, total, last_page, has_more: page < last_page };
}
