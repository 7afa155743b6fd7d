import { ApiError } from "../contract/errors.ts";
import type { BodyOf } from "../contract/schemas.ts";
import * as keys from "../storage/keys.ts";
import * as users from "../storage/users.ts";
import type { Client, Operations } from "./actions.ts";
import { type Context, timestamp } from "./context.ts";
import { addKey } from "./keys.ts";
import type { Passwords } from "./passwords.ts";
import type { Throttle } from "./throttle.ts";
import type { TokenUser, Tokens } from "./tokens.ts";
import { addUser, checkEmailIsFree } from "./users.ts";

export interface AuthContext extends Context {
  passwords: Passwords;
  tokens: Tokens;
  throttle: Throttle;
  /** Whether anybody may make an account. */
  registrationOpen: boolean;
}

export function createAuth(context: AuthContext): Operations<"auth"> {
  const { db, passwords, throttle, tokens } = context;

  /** What takes many turns, before the transaction that adds the account. */
  async function prepare({ email, password }: BodyOf<"auth", "register">): Promise<TokenUser> {
    if (!context.registrationOpen) {
      throw new ApiError("forbidden", "Registration is closed on this server.");
    }
    checkEmailIsFree(db, email);
    return { id: context.newId(), passwordHash: await passwords.hash(password) };
  }

  function register(body: BodyOf<"auth", "register">, prepared: TokenUser) {
    return db.transaction(() => {
      const { seq, user } = addUser(context, { ...body, ...prepared });
      return { user, key: addKey(context, { seq, id: user.id }, { name: "Registration" }) };
    });
  }

  async function findByPassword(
    email: string,
    password: string,
  ): Promise<users.UserRecord | undefined> {
    const hash = users.findByEmail(db, email)?.passwordHash;
    const matches = await passwords.matches(password, hash);
    // That took many turns: what was read before it may have changed, or not have happened.
    const record = users.findByEmail(db, email);
    return matches && record?.passwordHash === hash ? record : undefined;
  }

  /** @throws ApiError `unauthorized`, alike for an unknown e-mail and a wrong password */
  async function authenticate(
    client: Client,
    { email, password }: { email: string; password: string },
  ): Promise<users.UserRecord> {
    const attempt = await throttle.attempt(email, client);
    let record: users.UserRecord | undefined;
    try {
      record = await findByPassword(email, password);
    } catch (error) {
      attempt.abandoned();
      throw error;
    }
    if (record === undefined) {
      attempt.failed();
      throw new ApiError("unauthorized", "Invalid e-mail or password");
    }
    attempt.succeeded();
    return record;
  }

  function summary({ id, email, name }: users.User) {
    return { id, email, name };
  }

  return {
    async register(_client, { body }) {
      const { user, key } = register(body, await prepare(body));
      return { user, api_key: key.key, key_prefix: key.prefix };
    },

    async login(client, { body }) {
      const { seq, user } = await authenticate(client, body);
      const owner = { seq, id: user.id };
      return db.transaction(() => {
        const prefix = keys.newestUsablePrefix(db, owner, timestamp(context));
        if (prefix !== undefined) return { user: summary(user), api_key_prefix: prefix };
        return { user: summary(user), api_key: addKey(context, owner, { name: "Login" }).key };
      });
    },

    async apiKey(client, { body }) {
      const { seq, user } = await authenticate(client, body);
      return db.transaction(() => addKey(context, { seq, id: user.id }, body));
    },

    async jwtRegister(_client, { body }) {
      const prepared = await prepare(body);
      // First: nothing that takes a turn may come between a transaction and its answer.
      const token = await tokens.issue(prepared);
      const { user, key } = register(body, prepared);
      return { user, token, api_key: key.key };
    },

    async jwtLogin(client, { body }) {
      const { user, passwordHash } = await authenticate(client, body);
      return { user: summary(user), token: await tokens.issue({ id: user.id, passwordHash }) };
    },

    async jwtRefresh({ owner: { id } }) {
      // The token was compared with this very hash: no turn has passed since.
      const { passwordHash } = users.find(db, id)!;
      return { token: await tokens.issue({ id, passwordHash }) };
    },
  };
}
