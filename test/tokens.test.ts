import assert from "node:assert/strict";
import { createHmac, generateKeyPairSync, randomUUID } from "node:crypto";
import { after, before, describe, test } from "node:test";
import { type JWTPayload, SignJWT, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import { openDatabase } from "../src/storage/database.ts";
import { failure } from "./_expect.ts";
import { runCommand, startProcess } from "./_process.ts";
import { type TestServer, type TestUser, startServer, temporaryFolder } from "./_server.ts";

const hour = 3_600_000;
const jwtSecret = "a secret of the tests, 32 bytes and more";
const secretBytes = Buffer.from(jwtSecret);

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

async function issueToken(server: TestServer, { user, password }: TestUser): Promise<string> {
  const body = { email: user.email, password };
  return (await server.client().auth.jwtLogin({ body })).data.token;
}

const refresh = (server: TestServer, authorization: string) =>
  server.request("POST", "/api/v1/auth/jwt/refresh", { headers: { authorization } });

async function accepts(server: TestServer, token: string): Promise<void> {
  assert.equal((await refresh(server, `Bearer ${token}`)).status, 200);
}

async function refuses(server: TestServer, token: string): Promise<void> {
  const response = await refresh(server, `Bearer ${token}`);
  failure(response, 401, "Invalid or expired token");
  assert.deepEqual(Object.keys(response.body), ["success", "message"]);
  assert.equal(response.headers.get("www-authenticate"), 'Bearer realm="todo"');
}

describe("tokens", () => {
  let server: TestServer;
  let ada: TestUser;
  before(async () => {
    server = await startServer({ jwtSecret });
    ada = await server.register();
  });
  after(() => server[Symbol.asyncDispose]());

  test("carry the claims of the contract and one that is bound to the password, signed with HS256", async () => {
    const token = await issueToken(server, ada);
    assert.equal(decodeProtectedHeader(token).alg, "HS256");
    const claims = decodeJwt(token);
    const issuedAt = server.now() / 1000;
    assert.deepEqual(
      { ...claims, jti: "", pwd: "" },
      {
        sub: ada.user.id,
        iat: issuedAt,
        exp: issuedAt + 3600,
        jti: "",
        iss: "todo",
        pwd: "",
      },
    );
    assert.match(String(claims["pwd"]), /^[\w-]{11}$/);
    assert.match(claims.jti!, /^[0-9a-f-]{36}$/);
    const [head, payload, signature] = token.split(".");
    const expected = createHmac("sha256", jwtSecret).update(`${head}.${payload}`);
    assert.equal(signature, expected.digest("base64url"));
  });

  test("differ even when issued in the same second", async () => {
    assert.notEqual(await issueToken(server, ada), await issueToken(server, ada));
  });

  describe("refresh", () => {
    test("answers 200 with a new token that can be refreshed in turn", async () => {
      const token = await issueToken(server, ada);
      const response = await refresh(server, `Bearer ${token}`);
      assert.equal(response.status, 200);
      assert.equal(response.body.message, "Token refreshed successfully");
      assert.deepEqual(Object.keys(response.body), ["success", "message", "data"]);
      assert.deepEqual(Object.keys(response.body.data), ["token"]);
      assert.notEqual(response.body.data.token, token);
      assert.equal(decodeJwt(response.body.data.token).sub, ada.user.id);
      await accepts(server, response.body.data.token);
      await accepts(server, token);
    });

    test("reads the scheme in any case, and no other scheme", async () => {
      const token = await issueToken(server, ada);
      assert.equal((await refresh(server, `bearer ${token}`)).status, 200);
      for (const header of [token, `Basic ${token}`, "Bearer", "Bearer ", `Bearer ${token} x`]) {
        failure(await refresh(server, header), 401);
      }
    });

    test("works until an hour has passed, and not a moment longer", async () => {
      await using own = await startServer();
      const token = await issueToken(own, await own.register());
      own.advance(hour - 1);
      await accepts(own, token);
      own.advance(1);
      await refuses(own, token);
    });

    test("prolongs nothing but the new token", async () => {
      await using own = await startServer();
      const first = await issueToken(own, await own.register());
      own.advance(hour / 2);
      const { data } = await own.client({ token: first }).auth.jwtRefresh();
      own.advance(hour / 2);
      await refuses(own, first);
      await accepts(own, data.token);
    });
  });

  describe("forgeries", () => {
    let pwd: unknown;
    before(async () => {
      pwd = decodeJwt(await issueToken(server, ada))["pwd"];
    });
    const claims = (): JWTPayload => {
      const iat = server.now() / 1000;
      return { sub: ada.user.id, iat, exp: iat + 3600, jti: randomUUID(), iss: "todo", pwd };
    };
    const sign = (payload: JWTPayload, secret = secretBytes) =>
      new SignJWT(payload).setProtectedHeader({ alg: "HS256" }).sign(secret);

    // Without this, each refusal below could have a reason of its own.
    test("start from a token that is accepted", async () => {
      await accepts(server, await sign(claims()));
    });

    for (const alg of ["none", "None", ""]) {
      test(`without a signature (alg ${JSON.stringify(alg)}) are refused`, async () => {
        await refuses(server, `${encode({ alg })}.${encode(claims())}.`);
      });
    }

    for (const alg of ["HS384", "HS512"]) {
      test(`signed with the secret, but by ${alg}, are refused`, async () => {
        const signed = `${encode({ alg })}.${encode(claims())}`;
        const hmac = createHmac(alg.replace("HS", "sha"), secretBytes).update(signed);
        await refuses(server, `${signed}.${hmac.digest("base64url")}`);
      });
    }

    test("that say RS256 over a signature by the secret are refused", async () => {
      const signed = `${encode({ alg: "RS256" })}.${encode(claims())}`;
      const hmac = createHmac("sha256", secretBytes).update(signed);
      await refuses(server, `${signed}.${hmac.digest("base64url")}`);
    });

    test("signed by RS256 with a key of the forger are refused", async () => {
      const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
      const jwk = publicKey.export({ format: "jwk" }) as { n: string; e: string; kty: string };
      const token = new SignJWT(claims()).setProtectedHeader({ alg: "RS256", jwk });
      await refuses(server, await token.sign(privateKey));
    });

    test("signed with another secret are refused", async () => {
      await refuses(server, await sign(claims(), Buffer.alloc(32)));
    });

    for (const name of ["sub", "iat", "exp", "jti", "iss", "pwd"]) {
      test(`without ${name} are refused`, async () => {
        await refuses(server, await sign({ ...claims(), [name]: undefined }));
      });
    }

    const moved: Record<string, (given: { iat: number; exp: number }) => JWTPayload> = {
      "of another issuer": () => ({ iss: "Todo" }),
      "of several issuers": () => ({ iss: ["todo"] as unknown as string }),
      "valid for more than an hour": ({ exp }) => ({ exp: exp + 1 }),
      "valid for ever": () => ({ exp: Number.MAX_SAFE_INTEGER }),
      "valid for less than an hour": ({ exp }) => ({ exp: exp - 1 }),
      "issued in the future": ({ iat, exp }) => ({ iat: iat + 60, exp: exp + 60 }),
      "issued an hour ago": ({ iat, exp }) => ({ iat: iat - 3600, exp: exp - 3600 }),
      "whose times are text": ({ iat, exp }) =>
        ({ iat: `${iat}`, exp: `${exp}` }) as unknown as JWTPayload,
      "not yet valid": ({ iat }) => ({ nbf: iat + 60 }),
      "of another password": () => ({ pwd: "AAAAAAAAAAA" }),
      "of no password": () => ({ pwd: "" }),
      "of a user who never was": () => ({ sub: randomUUID() }),
      "of a user named by SQL": () => ({ sub: "' OR 1=1 --" }),
    };
    for (const [name, changes] of Object.entries(moved)) {
      test(`${name} are refused`, async () => {
        const given = claims();
        const times = { iat: given.iat!, exp: given.exp! };
        await refuses(server, await sign({ ...given, ...changes(times) }));
      });
    }

    test("made of another user's claims and a valid signature are refused", async () => {
      const grace = await server.register();
      const [head, , signature] = (await issueToken(server, ada)).split(".");
      await refuses(server, `${head}.${encode({ ...claims(), sub: grace.user.id })}.${signature}`);
    });

    test("of a valid token with one bit changed are refused", async () => {
      const [head, payload, signature = ""] = (await issueToken(server, ada)).split(".");
      const bytes = Buffer.from(signature, "base64url");
      bytes[0]! ^= 1; // oxlint-disable-line no-bitwise
      await refuses(server, `${head}.${payload}.${bytes.toString("base64url")}`);
      await refuses(server, `${head}.${payload}.`);
      await refuses(server, `${head}.${payload}`);
    });

    test("that are no token at all are refused", async () => {
      for (const text of ["nonsense", "..", "a.b.c", "e30.e30.e30", ada.key]) {
        await refuses(server, text);
      }
    });
  });

  test("are no credentials on a key-protected route", async () => {
    const authorization = `Bearer ${await issueToken(server, ada)}`;
    const response = await server.request("GET", "/api/v1/todos", { headers: { authorization } });
    assert.equal(response.status, 401);
    assert.deepEqual(Object.keys(response.body), ["error", "message"]);
    assert.equal(response.headers.get("www-authenticate"), 'ApiKey realm="todo"');
  });

  test("survive a restart, but not their user", async () => {
    using folder = temporaryFolder();
    const start = () => startServer({ folder: folder.path });
    const tokens: string[] = [];
    let gone: TestUser;
    {
      await using first = await start();
      gone = await first.register();
      tokens.push(await issueToken(first, gone), await issueToken(first, await first.register()));
    }
    const db = await openDatabase({ folder: folder.path });
    db.run("DELETE FROM users WHERE id = ?", [gone.user.id]);
    await db.close();
    await using second = await start();
    await refuses(second, tokens[0]!);
    await accepts(second, tokens[1]!);
  });

  test("of one installation are refused by another", async () => {
    await using other = await startServer();
    const token = await issueToken(other, await other.register());
    await accepts(other, token);
    await refuses(server, token);
  });

  describe("TODO_JWT_SECRET", () => {
    test("signs the tokens, and is counted in bytes", async () => {
      using folder = temporaryFolder();
      const secret = "é".repeat(16);
      const env = { TODO_JWT_SECRET: secret };
      await using process = await startProcess({ folder: folder.path, env });
      const response = await fetch(`${process.url}/api/v1/auth/jwt/register`, {
        method: "POST",
        body: JSON.stringify({ email: "a@b.org", password: "correct horse", name: "Ada" }),
      });
      const { data } = (await response.json()) as { data: { token: string } };
      await jwtVerify(data.token, Buffer.from(secret));
      assert.ok(!process.stderr.join("").includes(secret));
    });

    test("of less than 32 bytes keeps the server from starting", async () => {
      using folder = temporaryFolder();
      const env = { TODO_JWT_SECRET: "x".repeat(31) };
      const { code, stderr } = await runCommand(["serve", "--data", folder.path], { env });
      assert.equal(code, 2);
      assert.match(stderr, /TODO_JWT_SECRET is shorter than 32 bytes/);
      assert.ok(!stderr.includes(env.TODO_JWT_SECRET));
    });
  });
});
