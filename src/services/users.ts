import { ApiError } from "../contract/errors.ts";
import type { BodyOf } from "../contract/schemas.ts";
import type { Connection } from "../storage/connection.ts";
import * as users from "../storage/users.ts";
import { type Context, timestamp } from "./context.ts";

/** @throws ApiError `conflict` when the e-mail address, in any case, is a user's */
export function checkEmailIsFree(db: Connection, email: string): void {
  if (users.findByEmail(db, email) === undefined) return;
  throw new ApiError("conflict", "This e-mail address is already registered.", {
    errors: { email: "email has already been taken." },
  });
}

type NewAccount = Omit<BodyOf<"auth", "register">, "password"> & {
  id: string;
  passwordHash: string;
};

/**
 * Adds a user; part of a transaction. What is not given gets its default.
 *
 * @throws ApiError `conflict`
 */
export function addUser(context: Context, account: NewAccount): users.UserRecord {
  const { db } = context;
  // Also where it was checked before: another registration may have come in meanwhile.
  checkEmailIsFree(db, account.email);
  users.insert(db, {
    id: account.id,
    email: account.email,
    name: account.name,
    passwordHash: account.passwordHash,
    avatar_url: account.avatar_url ?? null,
    settings: account.settings === undefined ? { theme: "light" } : account.settings,
    now: timestamp(context),
  });
  return users.find(db, account.id)!;
}
