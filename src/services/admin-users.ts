import { notFound } from "../contract/errors.ts";
import * as adminKeys from "../storage/admin-keys.ts";
import * as adminUsers from "../storage/admin-users.ts";
import type { Database } from "../storage/database.ts";
import * as users from "../storage/users.ts";
import type { AdminOperations } from "./actions.ts";
import { type Context, timestamp } from "./context.ts";
import type { Passwords } from "./passwords.ts";
import type { Throttle } from "./throttle.ts";
import { addUser, checkEmailIsFree } from "./users.ts";

export interface AdminContext extends Context {
  db: Context["db"] & Pick<Database, "durable">;
  passwords: Passwords;
  throttle: Throttle;
}

/** In place of a hash: that of no password. */
const noPassword = "!";

/** What an operator does with users. */
export function createAdminUsers(context: AdminContext): AdminOperations<"users"> {
  const { db, passwords, throttle } = context;

  function find(id: string): users.UserRecord {
    const record = users.find(db, id);
    if (record === undefined) throw notFound("User");
    return record;
  }

  function lockOut(seq: number): void {
    const now = timestamp(context);
    users.setPassword(db, seq, noPassword, now);
    adminKeys.deactivateAll(db, seq, now);
  }

  return {
    list: (_operator, { query }) => adminUsers.list(db, query.user, timestamp(context)),

    async create(_operator, { body }) {
      checkEmailIsFree(db, body.email);
      const passwordHash = await passwords.hash(body.password);
      return db.transaction(() => {
        const { user } = addUser(context, { ...body, id: context.newId(), passwordHash });
        return adminUsers.list(db, user.id, timestamp(context))[0]!;
      });
    },

    async setPassword(_operator, { params, body }) {
      find(params.id);
      const passwordHash = await passwords.hash(body.password);
      return db.transaction(() => {
        const { seq, user } = find(params.id);
        const now = timestamp(context);
        users.setPassword(db, seq, passwordHash, now);
        // Whoever was locked out by failures gets in with the new password.
        throttle.forgive(user.email);
        return { revoked_keys: body.revoke_keys ? adminKeys.deactivateAll(db, seq, now) : 0 };
      });
    },

    /**
     * What is much is removed in steps, each a transaction, and others are answered in between. The
     * account is of no use from the first on; if the last is never reached, the next call goes on.
     */
    async remove(_operator, { params }) {
      const step = (): boolean =>
        db.removal(() => {
          // Anew each time: the number of one who is gone may be another's.
          const { seq } = find(params.id);
          const isLast = adminUsers.removeMuch(db, seq);
          if (isLast) users.remove(db, seq);
          else lockOut(seq);
          return isLast;
        });
      // What is not durable may be undone, on a full disk again and again: no step builds on it.
      while (!step()) await db.durable();
      return null;
    },
  };
}
