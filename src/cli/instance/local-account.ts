import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type Client, type ClientOptions, createClient } from "../../client/client.ts";
import { ApiError } from "../../contract/errors.ts";
import { CliError } from "../errors.ts";
import { readIfThere, whileLocked, writePrivateFile } from "./private-file.ts";

/** The account that commands use on this user's own data folder. */
interface LocalAccount {
  email: string;
  key: string;
}

/** Beside the database, under the same protection: whoever reads the one has the other. */
function accountPath(folder: string): string {
  return join(folder, "local-account.json");
}

/**
 * The key of the local account; the first use makes it.
 *
 * @param tell is told about a new account
 * @throws CliError when the account's file is broken, or no account can be made
 */
export async function localKey(
  folder: string,
  options: ClientOptions,
  tell: (message: string) => void,
): Promise<string> {
  const kept = localAccount(folder);
  if (kept !== undefined) return kept.key;
  const path = accountPath(folder);
  return whileLocked(path, async () => {
    // Of two first commands at once, one has been faster: its account is the one.
    const other = read(path);
    if (other !== undefined) return other.key;
    const account = await register(createClient(options), options.server);
    writePrivateFile(path, `${JSON.stringify(account, undefined, 2)}\n`);
    tell(`Made a local account (${account.email}) in ${folder}.`);
    return account.key;
  });
}

/** What to do when the key of the local account is refused. */
export function adviceForLocalKey(folder: string): string {
  return `The key in ${accountPath(folder)} was revoked, or belongs to another database. Move that file away, and the next command makes a new local account; todos of the old account stay with it.`;
}

/** The local account of a data folder, if there is one. */
export function localAccount(folder: string): LocalAccount | undefined {
  return read(accountPath(folder));
}

function read(path: string): LocalAccount | undefined {
  const text = readIfThere(path);
  if (text === undefined) return undefined;
  try {
    const account = JSON.parse(text) as Partial<LocalAccount> | null;
    if (typeof account?.key === "string") return account as LocalAccount;
  } catch {
    // Said below: where the parser stopped may show a part of the key.
  }
  throw new CliError(
    "failed",
    `The local account's file ${path} is broken. Mend it, or move it away: the next command then makes a new local account.`,
  );
}

async function register(client: Client, server: string): Promise<LocalAccount> {
  const name = userName();
  const suffix = randomBytes(3).toString("hex");
  const email = `${name.replace(/[^\w.-]/g, "") || "me"}-${suffix}@localhost`;
  // Nobody needs to know it: the key is kept, and the owner of the folder can set another.
  const password = randomBytes(32).toString("base64url");
  try {
    const { data } = await client.auth.register({ body: { email, password, name } });
    return { email, key: data.api_key };
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== "forbidden") throw error;
    throw new CliError(
      "not_allowed",
      `The server on this data folder (${server}) takes no new accounts. Log in to an account of it with \`todo login ${server}\`.`,
      { cause: error },
    );
  }
}

/** A user without an entry in the system's list, as in many containers, has no name. */
function userName(): string {
  try {
    return userInfo().username || "me";
  } catch {
    return "me";
  }
}
