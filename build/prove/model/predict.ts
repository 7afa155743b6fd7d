import type { Answer, Request } from "../http.ts";
import type { Call } from "./call.ts";
import { createGenerated } from "./generated.ts";
import { Refusal } from "./refusal.ts";
import { type ModelRoute, modelRoutes } from "./routes.ts";
import { type JsonObject, type Key, type User, type World, isUsable } from "./world.ts";

/** What an answer must be. */
export interface Expected {
  status: number;
  /** As JSON text; empty where there must be no body. */
  text: string;
  headers: Record<string, string | RegExp>;
}

const prefix = "/api/v1";

/** Any text that the contract leaves open. */
function anyText(value: unknown): string {
  return typeof value === "string" && value !== "" ? value : "<a message>";
}

/**
 * What the answer to a request must be, by interface.md and the rulings; the world becomes what it
 * is after it.
 *
 * @param answer is asked for nothing but what the service makes up
 * @param times when the request was sent and its answer was there (milliseconds since 1970)
 */
export function predict(
  world: World,
  request: Request,
  answer: Answer,
  times: { sent: number; received: number },
): Expected {
  const answered = parseObject(answer.text) ?? {};
  const [path = "", search = ""] = request.target.split("?");
  const routes = modelRoutes.filter((route) => matchPath(route.path, path) !== undefined);
  const auth = routes[0]?.auth ?? "public";
  try {
    if (request.method === "OPTIONS") return preflight;
    if (routes.length === 0) throw new Refusal(404, "Route not found");
    const method = request.method === "HEAD" ? "GET" : request.method;
    const route = routes.find((one) => one.method === method);
    if (route === undefined) throw methodNotAllowed(routes);
    const params = matchPath(route.path, path)!;
    const call: Call = {
      world,
      params: { id: params["id"] ?? "", categoryId: params["categoryId"] ?? "" },
      query: Object.fromEntries(new URLSearchParams(search)),
      body: {},
      userAgent: request.headers?.["user-agent"] ?? "",
      data: answered["data"],
      generated: createGenerated(world, times.sent, times.received),
    };
    const expected = succeed(route, request, call, times.received);
    return request.method === "HEAD" ? { ...expected, text: "" } : expected;
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const expected = refuse(error, auth, answered);
    return request.method === "HEAD" ? { ...expected, text: "" } : expected;
  }
}

/** Route, credentials, scope, body, and then the operation: the order of the rulings. */
function succeed(route: ModelRoute, request: Request, call: Call, now: number): Expected {
  const { status, message } = route;
  let data: unknown;
  let pagination: object | undefined;
  if (route.auth === "public") {
    data = route.run({ ...call, body: bodyOf(request) });
  } else if (route.auth === "bearer") {
    data = route.run(call, bearerOf(call.world, request));
  } else {
    const { user, key } = callerOf(call, request, now);
    const keyed = { ...call, user, key, body: bodyOf(request) };
    if (route.run !== undefined) data = route.run(keyed);
    else ({ items: data, pagination } = route.runPage(keyed));
  }
  const id = (data as JsonObject | null)?.["id"];
  const text = JSON.stringify({ success: true, message, data, ...(pagination && { pagination }) });
  const isCreated = status === 201 && typeof id === "string";
  const location = `${prefix}${route.path}/${id as string}`;
  return { status, text, headers: isCreated ? { location } : {} };
}

function matchPath(pattern: string, path: string): Record<string, string> | undefined {
  const names = `${prefix}${pattern}`.split("/");
  const parts = path.split("/");
  if (names.length !== parts.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, name] of names.entries()) {
    const part = parts[index]!;
    if (name.startsWith("{")) params[name.slice(1, -1)] = part.toLowerCase();
    else if (name !== part) return undefined;
  }
  return params;
}

function callerOf(
  { world, generated }: Call,
  { method, headers }: Request,
  now: number,
): { user: User; key: Key } {
  const shown = headers?.["x-api-key"];
  for (const user of world.users) {
    const key = user.keys.find((one) => one.key === shown);
    if (key === undefined || !isUsable(key, generated.span.from)) continue;
    key.used = { first: key.used?.first ?? now, last: now };
    if (!key.scopes.includes(method === "GET" || method === "HEAD" ? "read" : "write")) {
      throw new Refusal(403);
    }
    return { user, key };
  }
  throw new Refusal(401);
}

function bearerOf({ users }: World, { headers }: Request): User {
  const [, token] = /^Bearer (\S+)$/i.exec(headers?.["authorization"] ?? "") ?? [];
  const user = users.find(({ tokens }) => token !== undefined && tokens.includes(token));
  if (user === undefined) throw new Refusal(401);
  return user;
}

function bodyOf({ method, body }: Request): JsonObject {
  if (method === "GET" || method === "HEAD" || body === undefined || body.length === 0) return {};
  if (Buffer.byteLength(body) > 1024 * 1024) throw new Refusal(413);
  const object = parseObject(body.toString());
  if (object === undefined) throw new Refusal(400, "Request body must be a JSON object");
  return object;
}

function parseObject(text: string): JsonObject | undefined {
  try {
    const value = JSON.parse(text) as unknown;
    const isObject = typeof value === "object" && value !== null && !Array.isArray(value);
    return isObject ? (value as JsonObject) : undefined;
  } catch {
    return undefined;
  }
}

const preflight: Expected = {
  status: 200,
  text: "",
  headers: {
    "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
    "access-control-allow-headers": "Content-Type, Authorization, X-API-Key",
    "access-control-max-age": "86400",
  },
};

function methodNotAllowed(routes: readonly ModelRoute[]): Refusal {
  const methods = routes.map(({ method }) => method);
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"];
  const each = allow.map((method) => String.raw`(?=.*\b${method}\b)`).join("");
  const headers = { allow: new RegExp(`^${each}(\\w+, ){${allow.length - 1}}\\w+$`) };
  return new Refusal(405, "Method not allowed", { headers });
}

function refuse(refusal: Refusal, auth: ModelRoute["auth"], answered: JsonObject): Expected {
  const { status, text, options } = refusal;
  const headers = { ...options.headers, ...(status === 401 && { "www-authenticate": /./ }) };
  const message = text ?? anyText(answered["message"]);
  if (auth === "key" && (status === 401 || status === 403)) {
    const error = status === 401 ? "Unauthorized" : "Forbidden";
    return { status, headers, text: JSON.stringify({ error, message }) };
  }
  const body = { success: false, message, ...errorsOf(options.fields, answered["errors"]) };
  return { status, headers, text: JSON.stringify(body) };
}

/** The messages by field, in whatever order they were answered. */
function errorsOf(fields: string[] | undefined, answered: unknown): object {
  if (fields === undefined) return {};
  const texts = (answered ?? {}) as JsonObject;
  const order = Object.keys(texts);
  const sorted = fields.toSorted((a, b) => order.indexOf(a) - order.indexOf(b));
  return { errors: Object.fromEntries(sorted.map((field) => [field, anyText(texts[field])])) };
}
