import type { Action, Resource, Routes } from "../contract/routes.ts";
import type { BodyOf, ParamsOf, QueryOf, ResultOf } from "../contract/schemas.ts";
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

/** The validated input of an operation. */
export interface Input<R extends Resource, A extends Action<R>> {
  params: { [P in ParamsOf<R, A>]: string };
  query: QueryOf<R, A>;
  body: BodyOf<R, A>;
}

type WhoOf<R extends Resource, A extends Action<R>> = Routes[R][A] extends { auth: "public" }
  ? Client
  : Caller;

/** One operation of the contract: one public method, one transaction. */
export type Operation<R extends Resource, A extends Action<R>> = (
  who: WhoOf<R, A>,
  input: Input<R, A>,
) => ResultOf<R, A> | Promise<ResultOf<R, A>>;

/** Every operation of a resource; a missing one does not compile. */
export type Operations<R extends Resource> = { [A in Action<R>]: Operation<R, A> };

/** Every operation of the contract. */
export type Services = { [R in Resource]: Operations<R> };
