import { createHmac, generateKeyPairSync, randomBytes, randomUUID, sign } from "node:crypto";
import { openDatabase } from "../../src/storage/database.ts";
import { type Account, createAccount, post } from "./account.ts";
import { runTodo } from "./command.ts";
import { temporaryFolder } from "./folder.ts";
import type { Http } from "./http.ts";
import type { Part } from "./part.ts";
import { startServerProcess } from "./server-process.ts";

/** Forged and outdated tokens, each presented to the one route that takes tokens. */
export const tokens: Part = {
  name: "tokens",
  title: "forged tokens",
  untimed: true,
  async run(_size, tell) {
    using folder = temporaryFolder();
    const secret = randomBytes(32).toString("base64url");
    const env = { TODO_JWT_SECRET: secret };
    let forged: Record<string, string>;
    let accepted: number;
    let count: number;
    const wrong: string[] = [];
    let gone: string;
    {
      await using server = await startServerProcess({ folder: folder.path, env });
      const ada = await createAccount(server.http);
      gone = ada.token;
      forged = { ...forgeries(ada.token, secret), ...(await otherInstallations()) };
      // Without these, each refusal could have a reason of its own.
      const { claims } = read(ada.token);
      const controls = [ada.token, signed({ alg: "HS256" }, claims, secret)];
      const answers = await Promise.all(controls.map((token) => refresh(server.http, token)));
      accepted = answers.filter((status) => status === 200).length;
      count = Object.keys(forged).length + 1;
      for (const [name, token] of Object.entries(forged)) {
        const status = await refresh(server.http, token);
        if (status !== 401) wrong.push(`${name}: ${status}`);
      }
      const changed = await changePassword(folder.path, ada);
      const after = changed ? await refresh(server.http, ada.token) : undefined;
      if (changed) count += 1;
      if (changed && after !== 401) wrong.push(`from before a new password: ${after}`);
      tell(`a new password: ${changed ? "tried" : "there is no command for it"}`);
      await server.end("SIGTERM");
    }
    const db = await openDatabase({ folder: folder.path });
    db.run("DELETE FROM users WHERE id = ?", [read(gone).claims["sub"] as string]);
    await db.close();
    await using server = await startServerProcess({ folder: folder.path, env });
    const status = await refresh(server.http, gone);
    if (status !== 401) wrong.push(`of a deleted user: ${status}`);
    for (const line of wrong) tell(line);
    return [
      {
        what: "forged, foreign and outdated tokens that were accepted",
        value: `${wrong.length} of ${count}`,
        bar: "0",
        ok: wrong.length === 0,
      },
      {
        what: "controls: the server's token, and one made like it with the secret",
        value: `${accepted} of 2 accepted`,
        bar: "2",
        ok: accepted === 2,
      },
    ];
  },
};

/** Sets another password, as an operator does; false when there is no command for it. */
async function changePassword(folder: string, { email }: Account): Promise<boolean> {
  const passwd = ["admin", "users", "passwd"];
  const help = await runTodo([...passwd, "--help"]);
  if (!help.stdout.includes("passwd [")) return false;
  const input = randomBytes(12).toString("hex");
  const words = [...passwd, email, "--password-stdin", "--data", folder];
  const { code, stderr } = await runTodo(words, { input });
  if (code !== 0) throw new Error(`The password was not set: ${stderr}`);
  return true;
}

type Json = Record<string, unknown>;

async function refresh(http: Http, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await post(http, "/auth/jwt/refresh", {}, headers)).status;
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");

function read(token: string): { claims: Json; parts: string[] } {
  const parts = token.split(".");
  const claims = JSON.parse(Buffer.from(parts[1] ?? "", "base64url").toString()) as Json;
  return { claims, parts };
}

function signed(head: object, claims: object, secret: string, hash = "sha256"): string {
  const text = `${encode(head)}.${encode(claims)}`;
  return `${text}.${createHmac(hash, secret).update(text).digest("base64url")}`;
}

/** @param secret what the server signs with: most of these are made by somebody who knows it */
function forgeries(token: string, secret: string): Record<string, string> {
  const { claims, parts } = read(token);
  const [head = "", payload = "", signature = ""] = parts;
  const [iat, exp] = [Number(claims["iat"]), Number(claims["exp"])];
  const changed = (changes: Json) => signed({ alg: "HS256" }, { ...claims, ...changes }, secret);
  const flipped = Buffer.from(signature, "base64url");
  flipped.writeUInt8(255 - flipped.readUInt8(0), 0);
  const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
  const byRsa = `${encode({ alg: "RS256", jwk: publicKey.export({ format: "jwk" }) })}.${payload}`;
  return {
    "alg none": `${encode({ alg: "none" })}.${payload}.`,
    "alg None": `${encode({ alg: "None" })}.${payload}.`,
    "no alg": `${encode({})}.${payload}.`,
    "alg none over a signature": `${encode({ alg: "none" })}.${payload}.${signature}`,
    HS384: signed({ alg: "HS384" }, claims, secret, "sha384"),
    HS512: signed({ alg: "HS512" }, claims, secret, "sha512"),
    "RS256 over a signature by the secret": signed({ alg: "RS256" }, claims, secret),
    "RS256 with a key of the forger": `${byRsa}.${sign("sha256", Buffer.from(byRsa), privateKey).toString("base64url")}`,
    "critical extensions": signed({ alg: "HS256", crit: ["x"], x: 1 }, claims, secret),
    "without exp": changed({ exp: undefined }),
    "without sub": changed({ sub: undefined }),
    "without iat": changed({ iat: undefined }),
    "without iss": changed({ iss: undefined }),
    "without jti": changed({ jti: undefined }),
    "exp in a year": changed({ exp: exp + 31_536_000 }),
    "exp as text": changed({ exp: String(exp) }),
    expired: changed({ iat: iat - 3601, exp: exp - 3601 }),
    "issued in the future": changed({ iat: iat + 600, exp: exp + 600 }),
    "not yet valid": changed({ nbf: iat + 600 }),
    "another issuer": changed({ iss: "todo2" }),
    "several issuers": changed({ iss: ["todo"] }),
    "a user who never was": changed({ sub: randomUUID() }),
    "a user named by SQL": changed({ sub: "' OR 1=1 --" }),
    "another secret": signed({ alg: "HS256" }, claims, randomBytes(32).toString("base64url")),
    "an empty secret": signed({ alg: "HS256" }, claims, ""),
    "a changed payload": `${head}.${encode({ ...claims, sub: randomUUID() })}.${signature}`,
    "a changed signature": `${head}.${payload}.${flipped.toString("base64url")}`,
    "no signature": `${head}.${payload}.`,
    "two parts": `${head}.${payload}`,
    nothing: "..",
  };
}

/** A token that another installation has issued, to a user of its own. */
async function otherInstallations(): Promise<Record<string, string>> {
  using folder = temporaryFolder();
  await using server = await startServerProcess({ folder: folder.path });
  return { "another installation": (await createAccount(server.http)).token };
}
