import { createHmac, timingSafeEqual } from "node:crypto";
import { SignJWT, errors, jwtVerify } from "jose";
import { limits } from "../contract/limits.ts";
import type { Context } from "./context.ts";

const algorithm = "HS256";
const issuer = "todo";

/** Whom a token is for; it ends when the hash is another one. */
export interface TokenUser {
  id: string;
  passwordHash: string;
}

/** A token that is one of ours and has not expired. */
export interface VerifiedToken {
  userId: string;
  /** Whether the user's password is still the one that it was when the token was issued. */
  belongsTo(passwordHash: string): boolean;
}

export interface Tokens {
  /** A JWT for the user, valid for one hour. */
  issue(user: TokenUser): Promise<string>;
  /** Undefined when the token is not one of ours or has expired. */
  verify(token: string): Promise<VerifiedToken | undefined>;
}

/** @param secret at least 32 bytes */
export function createTokens(context: Pick<Context, "now" | "newId">, secret: Uint8Array): Tokens {
  /** Tells passwords apart, and nothing about them without the secret. */
  function markOf(passwordHash: string): Buffer {
    return createHmac("sha256", secret).update(`password ${passwordHash}`).digest().subarray(0, 8);
  }

  return {
    issue({ id, passwordHash }) {
      const issuedAt = Math.floor(context.now() / 1000);
      return new SignJWT({ pwd: markOf(passwordHash).toString("base64url") })
        .setProtectedHeader({ alg: algorithm, typ: "JWT" })
        .setSubject(id)
        .setIssuedAt(issuedAt)
        .setExpirationTime(issuedAt + limits.tokenSeconds)
        .setJti(context.newId())
        .setIssuer(issuer)
        .sign(secret);
    },

    async verify(token) {
      try {
        // Left to itself, jose accepts other algorithms and tokens without an end.
        const { payload } = await jwtVerify(token, secret, {
          algorithms: [algorithm],
          issuer,
          requiredClaims: ["sub", "iat", "exp", "jti", "pwd"],
          maxTokenAge: limits.tokenSeconds,
          currentDate: new Date(context.now()),
        });
        const { sub: userId, iat = 0, exp = 0, pwd } = payload;
        if (userId === undefined || exp - iat !== limits.tokenSeconds) return undefined;
        const mark = Buffer.from(String(pwd), "base64url");
        return {
          userId,
          belongsTo(passwordHash) {
            const current = markOf(passwordHash);
            return mark.length === current.length && timingSafeEqual(mark, current);
          },
        };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
