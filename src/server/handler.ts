import { randomUUID } from "node:crypto";
import type { H3Event } from "h3";
import type { Database } from "../storage/database.ts";
import { StorageError } from "../storage/errors.ts";
import type { Client } from "../services/actions.ts";
import { createDepartures } from "./departures.ts";
import type { Endpoint, Exchange } from "./exchange.ts";
import type { Log } from "./log.ts";
import { type Reply, errorReply, toApiError, toResponse } from "./reply.ts";

export interface Handling {
  db: Pick<Database, "durable">;
  log: Log;
  /** Where a request comes from. */
  addressOf: (event: H3Event) => string;
}

/** Of this process: it has one event loop. */
const departure = createDepartures();

/** Every answer goes through here: durability, errors, headers and log have one place. */
export function createHandler({ db, log, addressOf }: Handling, { auth, answer }: Endpoint) {
  return async (event: H3Event) => {
    const started = performance.now();
    const { headers, method } = event.req;
    const id = requestId();
    const client: Client = {
      ip: addressOf(event),
      userAgent: headers.get("user-agent") ?? "",
    };
    const exchange: Exchange = { event, client };
    const isRead = method === "GET" || method === "HEAD";
    let reply: Reply;
    try {
      reply = await (isRead ? settleRead : settle)(db, () => answer(exchange));
    } catch (error) {
      reply = fail(log, error, auth, id);
    }
    const { status } = reply;
    const { pathname: path } = event.url;
    const now = performance.now();
    log.request({ id, method, path, status, ms: now - started, userId: exchange.userId });
    const response = toResponse(reply);
    // Those of writes leave together anyway: when their commit is durable.
    if (isRead) await departure(now);
    return response;
  };
}

/** The last resort: what fails outside of an endpoint keeps the envelope, too. */
export function failOutside(log: Log): (error: unknown) => ReturnType<typeof toResponse> {
  return (error) => toResponse(fail(log, error, "public", requestId()));
}

/** Names a request in the log. */
function requestId(): string {
  return randomUUID().slice(0, 8);
}

/** The answer to a failure; an unexpected one says nothing but where to find it in the log. */
function fail(log: Log, cause: unknown, auth: Endpoint["auth"], id: string): Reply {
  const error = toApiError(cause);
  const reply = errorReply(error, auth);
  if (error.code !== "internal") return reply;
  log.error("Request failed", cause, id);
  return { ...reply, headers: { ...reply.headers, "x-request-id": id } };
}

/** No answer, a failure's neither, shows what a power cut could still take back. */
async function settle(db: Handling["db"], answer: () => Reply | Promise<Reply>): Promise<Reply> {
  try {
    return await answer();
  } finally {
    await db.durable();
  }
}

/** A look is in vain only when a batch of writes fails in that very moment. */
const maxLooks = 5;

/**
 * The same for a read. What it has shown may not have happened after all, when the disk was full
 * for the writes beside it: then it looks again.
 */
async function settleRead(...[db, answer]: Parameters<typeof settle>): Promise<Reply> {
  for (let look = 1; ; look += 1) {
    try {
      return await settle(db, answer);
    } catch (error) {
      if (!(error instanceof StorageError) || look === maxLooks) throw error;
    }
  }
}
