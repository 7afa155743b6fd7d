import { ApiError } from "../contract/errors.ts";
import type { Endpoint } from "./exchange.ts";
import { type Reply, errorReply } from "./reply.ts";

/** The answer to every `OPTIONS` below the API's prefix. */
export const preflight: Reply = {
  status: 200,
  headers: {
    "access-control-allow-methods": "GET, POST, PUT, DELETE, OPTIONS",
    "access-control-allow-headers": "Content-Type, Authorization, X-API-Key",
    "access-control-max-age": "86400",
  },
};

/**
 * An endpoint that answers by method: `HEAD` as `GET`, `OPTIONS` always, any
 * other 405.
 */
export function byMethod(
  auth: Endpoint["auth"],
  answers: Record<string, Endpoint["answer"]>,
): Endpoint {
  const methods = Object.keys(answers);
  if (methods.includes("GET")) methods.push("HEAD");
  const allow = [...methods, "OPTIONS"].join(", ");
  return {
    auth,
    answer(exchange) {
      const { method } = exchange.event.req;
      if (method === "OPTIONS") return preflight;
      const name = method === "HEAD" ? "GET" : method;
      if (Object.hasOwn(answers, name)) return answers[name]!(exchange);
      const error = new ApiError("method_not_allowed", "Method not allowed");
      const reply = errorReply(error, auth);
      return { ...reply, headers: { ...reply.headers, allow } };
    },
  };
}
