import { ApiError } from "../contract/errors.ts";
import { formatTimestamp } from "../contract/time.ts";
import * as keys from "../storage/keys.ts";
import { createMemory } from "../storage/memory.ts";
import type { Owner } from "../storage/owner.ts";
import * as users from "../storage/users.ts";
import type { Caller, Client } from "./actions.ts";
import { hashKey, isKey } from "./api-key.ts";
import type { Context } from "./context.ts";
import type { Tokens } from "./tokens.ts";

export interface Credentials {
  /** @throws ApiError `unauthorized` */
  byKey(key: string | null, client: Client): Caller;
  /** @param header the value of `Authorization`; throws ApiError `unauthorized` */
  byToken(header: string | null, client: Client): Promise<Caller>;
  /** Writes down when keys were used; called every second by itself, and at the end. */
  flush(): void;
}

const flushAfterMs = 1000;

/** So many keys are remembered, each for about 500 bytes. */
const maxRemembered = 10_000;

/** Finds out who is calling. */
export function createCredentials(
  { db, now }: Context,
  tokens: Tokens,
  report: (error: unknown) => void,
): Credentials {
  // A read must not cost a durable write of its own: uses are collected, once
  // a minute for each key, and written together. By id: the `seq` of a key that
  // is removed with its user is the next one's.
  const used = new Map<string, { owner: Owner; time: string }>();
  let timer: NodeJS.Timeout | undefined;
  const remember = createMemory<keys.Credential>(["api_keys", "users"], maxRemembered);

  /** The usable credential of a key. */
  function find(key: string, time: string): keys.Credential | undefined {
    const credential = remember(db, key, () =>
      isKey(key) ? keys.findActive(db, hashKey(key)) : undefined,
    );
    const isExpired = credential?.expiresAt != null && credential.expiresAt <= time;
    return isExpired ? undefined : credential;
  }

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const entries = [...used];
    used.clear();
    if (entries.length === 0) return;
    db.transaction(() => {
      for (const [id, { owner, time }] of entries) keys.touch(db, owner, id, time);
    });
  }

  function noteUse({ id, owner, lastUsedAt }: keys.Credential, time: string): void {
    const minute = time.slice(0, 16);
    if (lastUsedAt?.startsWith(minute) || used.get(id)?.time.startsWith(minute)) return;
    used.set(id, { owner, time });
    timer ??= setTimeout(() => {
      try {
        flush();
      } catch (error) {
        // On a full disk, say: the next use of the key tries again.
        report(error);
      }
    }, flushAfterMs).unref();
  }

  return {
    byKey(key, client) {
      if (key === null) {
        throw new ApiError("unauthorized", "An API key is required: send it as X-API-Key.");
      }
      const time = formatTimestamp(now());
      const credential = find(key, time);
      if (credential === undefined) {
        throw new ApiError("unauthorized", "Invalid or expired API key");
      }
      noteUse(credential, time);
      return { ...client, owner: credential.owner, scopes: credential.scopes };
    },

    async byToken(header, client) {
      const token = /^Bearer +(\S+) *$/i.exec(header ?? "")?.[1];
      const verified = token === undefined ? undefined : await tokens.verify(token);
      const record = verified && users.find(db, verified.userId);
      if (record === undefined || !verified?.belongsTo(record.passwordHash)) {
        throw new ApiError("unauthorized", "Invalid or expired token");
      }
      return { ...client, owner: { seq: record.seq, id: record.user.id }, scopes: [] };
    },

    flush,
  };
}
