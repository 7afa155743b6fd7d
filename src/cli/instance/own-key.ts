import type { Model } from "../../contract/schemas.ts";

type ApiKey = Model<"ApiKey">;

/** The key among an account's, if any, whose full text is the given one. */
export function findOwnKey(keys: readonly ApiKey[], key: string | undefined): ApiKey | undefined {
  return keys.find(({ is_active, key_prefix }) => is_active && key?.startsWith(key_prefix));
}
