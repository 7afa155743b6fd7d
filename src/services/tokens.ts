import { SignJWT, errors, jwtVerify } from "jose";
import { limits } from "../contract/limits.ts";
import type { Context } from "./context.ts";

const algorithm = "HS256";
const issuer = "todo";

export interface Tokens {
  /** A JWT for the user, valid for one hour. */
  issue(userId: string): Promise<string>;
  /** The user's id; undefined when the token is not one of ours or has expired. */
  verify(token: string): Promise<string | undefined>;
}

/** @param secret at least 32 bytes */
export function createTokens(context: Pick<Context, "now" | "newId">, secret: Uint8Array): Tokens {
  return {
    issue(userId) {
      const issuedAt = Math.floor(context.now() / 1000);
      return new SignJWT()
        .setProtectedHeader({ alg: algorithm, typ: "JWT" })
        .setSubject(userId)
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
          requiredClaims: ["sub", "iat", "exp", "jti"],
          maxTokenAge: limits.tokenSeconds,
          currentDate: new Date(context.now()),
        });
        const { iat = 0, exp = 0 } = payload;
        return exp - iat === limits.tokenSeconds ? payload.sub : undefined;
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}
