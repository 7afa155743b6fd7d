import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { join } from "node:path";
import { type Client, type ClientOptions, createClient } from "../client/client.ts";
import { ApiError } from "../contract/errors.ts";
import { CliError } from "./errors.ts";
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
 */
export async function localKey(
  folder: string,
  options: ClientOptions,
  tell: (message: string) => void,
): Promise<string> {
  const path = accountPath(folder);
  const kept = readIfThere(path);
  if (kept !== undefined) return (JSON.parse(kept) as LocalAccount).key;
  return whileLocked(path, async () => {
    // Of two first commands at once, one has been faster: its account is the one.
    const other = readIfThere(path);
    if (other !== undefined) return (JSON.parse(other) as LocalAccount).key;
    const account = await register(createClient(options));
    writePrivateFile(path, `${JSON.stringify(account, undefined, 2)}\n`);
    tell(`Made a local account (${account.email}) in ${folder}.`);
    return account.key;
  });
}

async function register(client: Client): Promise<LocalAccount> {
  const name = userInfo().username || "me";
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
      "The local server takes no new accounts. Log in to an account of it with `todo login`.",
      { cause: error },
    );
  }
}
