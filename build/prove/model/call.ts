import type { Generated } from "./generated.ts";
import type { PageOf, Query } from "./lists.ts";
import type { JsonObject, Key, User, World } from "./world.ts";

/** A request that has got as far as an operation, and what was answered to it. */
export interface Call {
  world: World;
  params: { id: string; categoryId: string };
  query: Query;
  body: JsonObject;
  /** `""` when the header is missing. */
  userAgent: string;
  /** What the answer holds as `data`: only values that the service makes up are taken from it. */
  data: unknown;
  generated: Generated;
}

/** A call of somebody who has shown a key. */
export interface KeyCall extends Call {
  user: User;
  key: Key;
}

/** What `data` must be, and what the world is from then on; throws Refusal. */
export type Operation = (call: KeyCall) => unknown;
export type PublicOperation = (call: Call) => unknown;
export type PageOperation = (call: KeyCall) => PageOf<unknown>;

/** A part of the answered data by its path of names. */
export function pick(data: unknown, ...path: string[]): unknown {
  let value = data;
  for (const name of path) value = (value as JsonObject | null | undefined)?.[name];
  return value;
}

/** Notes what the activity log must show. */
export function logged(
  { user, userAgent, generated }: KeyCall,
  entity_type: string,
  verb: "created" | "updated" | "deleted",
  entity_id: string,
  details: JsonObject,
): void {
  user.log.push({
    id: undefined,
    action: `${entity_type}_${verb}`,
    entity_type,
    entity_id,
    details,
    user_agent: userAgent,
    made: generated.span,
  });
}

/** The changes whose fields are known and given. */
export function given<K extends string>(
  body: JsonObject,
  fields: readonly K[],
): Partial<Record<K, unknown>> {
  const entries = fields
    .filter((field) => body[field] !== undefined)
    .map((field) => [field, body[field]]);
  return Object.fromEntries(entries) as Partial<Record<K, unknown>>;
}
