import { ApiError } from "../contract/errors.ts";
import { type Route, scopeOf } from "../contract/routes.ts";
import type { Credentials } from "../services/credentials.ts";
import type { Mounting } from "./mount.ts";

/** Finds out who calls the API: anybody, the bearer of a token, or of a key with the scope. */
export function createIdentify(credentials: Credentials): Mounting["identify"] {
  return (route: Route, exchange) => {
    const { event, client } = exchange;
    if (route.auth === "public") return client;
    const { headers, method } = event.req;
    if (route.auth === "bearer") {
      return credentials.byToken(headers.get("authorization"), client).then((caller) => {
        exchange.userId = caller.owner.id;
        return caller;
      });
    }
    const caller = credentials.byKey(headers.get("x-api-key"), client);
    exchange.userId = caller.owner.id;
    const scope = scopeOf(method);
    if (!caller.scopes.includes(scope)) {
      throw new ApiError("forbidden", `This API key lacks the scope ${scope}.`);
    }
    return caller;
  };
}
