import { ApiError, notFound } from "../contract/errors.ts";
import type { BodyOf, Model } from "../contract/schemas.ts";
import { scopes } from "../contract/values.ts";
import type { Scope } from "../contract/values.ts";
import * as keys from "../storage/keys.ts";
import type { Owner } from "../storage/owner.ts";
import type { Caller, Operations } from "./actions.ts";
import { generateKey } from "./api-key.ts";
import { type Context, timestamp } from "./context.ts";

/** Makes a key for the owner; part of a transaction. What is not given gets its default. */
export function addKey(
  context: Context,
  owner: Owner,
  request: BodyOf<"keys", "create">,
): Model<"CreatedApiKey"> {
  const { key, prefix, hash } = generateKey();
  const created = {
    id: context.newId(),
    name: request.name ?? "API Key",
    scopes: request.scopes ?? [...scopes],
    expiresAt: request.expires_at ?? null,
  };
  keys.insert(context.db, owner, { ...created, hash, prefix, now: timestamp(context) });
  return {
    id: created.id,
    key,
    prefix,
    name: created.name,
    scopes: created.scopes,
    expires_at: created.expiresAt,
  };
}

/** Nobody gives away more than they have. */
function checkScopes(caller: Caller, wanted: readonly Scope[]): void {
  const missing = wanted.filter((scope) => !caller.scopes.includes(scope));
  if (missing.length === 0) return;
  throw new ApiError(
    "forbidden",
    `This API key lacks the scope ${missing.join(", ")}, which the new key would have.`,
  );
}

export function createKeys(context: Context): Operations<"keys"> {
  const { db } = context;
  return {
    list: (caller) => keys.list(db, caller.owner),

    create: (caller, { body }) =>
      db.transaction(() => {
        checkScopes(caller, body.scopes ?? scopes);
        return addKey(context, caller.owner, body);
      }),

    remove: (caller, { params }) =>
      db.removal(() => {
        if (keys.find(db, caller.owner, params.id) === undefined) throw notFound("API key");
        keys.deactivate(db, caller.owner, params.id);
        return null;
      }),
  };
}
