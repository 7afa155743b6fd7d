import type { AdminApi } from "../contract/admin-schemas.ts";
import type { Action, Resource } from "../contract/routes.ts";
import type { Api } from "../contract/schemas.ts";
import type { Scope } from "../contract/values.ts";
import type { Owner } from "../storage/owner.ts";

/** Where a request comes from, for the activity log and for throttling. */
export interface Client {
  ip: string;
  userAgent: string;
}

/** The authenticated user of a request. */
export interface Caller extends Client {
  owner: Owner;
  /** What the key allows; a token allows nothing but its own refresh. */
  scopes: readonly Scope[];
}

/** The types of an operation, as `OperationTypes` derives them. */
interface AnyTypes {
  isPublic: boolean;
  params: string;
  query: unknown;
  body: unknown;
  result: unknown;
}

/** The validated input of an operation. */
interface Input<T extends AnyTypes> {
  params: { [P in T["params"]]: string };
  query: T["query"];
  body: T["body"];
}

/** One operation of the contract: one public method, one transaction. */
export type OperationOf<T extends AnyTypes> = (
  who: T["isPublic"] extends true ? Client : Caller,
  input: Input<T>,
) => T["result"] | Promise<T["result"]>;

/** Every operation of a resource; a missing one does not compile. */
export type Operations<R extends Resource> = { [A in Action<R>]: OperationOf<Api[R][A]> };

/** Every operation of a resource of the administration: its caller is the operator. */
export type AdminOperations<R extends keyof AdminApi> = {
  [A in keyof AdminApi[R]]: AdminApi[R][A] extends AnyTypes ? OperationOf<AdminApi[R][A]> : never;
};

/** Every operation of the administration. */
export type AdminServices = { [R in keyof AdminApi]: AdminOperations<R> };

/** Every operation of the contract. */
export type Services = { [R in Resource]: Operations<R> };
