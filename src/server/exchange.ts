import type { H3Event } from "h3";
import type { Route } from "../contract/routes.ts";
import type { Client } from "../services/actions.ts";
import type { Reply } from "./reply.ts";

/** A request while it is being answered. */
export interface Exchange {
  event: H3Event;
  client: Client;
  /** Set once the caller is known, for the log. */
  userId?: string;
}

/** What answers all requests to one path. */
export interface Endpoint {
  /** Decides the shape of its 401 and 403. */
  auth: Route["auth"];
  /** @throws ApiError */
  answer: (exchange: Exchange) => Reply | Promise<Reply>;
}
