import { type Command, Option } from "commander";
import type { Client } from "../../client/client.ts";
import { ApiError } from "../../contract/errors.ts";
import { CliError } from "../errors.ts";
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { newPassword, passwordQuestion } from "../new-password.ts";
import { checkTransport, remote } from "../instance/instance.ts";
import { printFields } from "../output/fields.ts";
import type { Output } from "../output/output.ts";
import { findOwnKey } from "../instance/own-key.ts";
import { askSecret, askText } from "../prompts.ts";
import { checkKey, secretFromStdin } from "../instance/secrets.ts";
import { type Session, withFlags, withSession } from "../session.ts";
import {
  type Target,
  chooseTarget,
  keepProfile,
  keyName,
  revokeKeyOf,
} from "../instance/sign-in.ts";

interface RegisterFlags {
  email?: string;
  name?: string;
  passwordStdin?: boolean;
}

interface LoginFlags {
  email?: string;
  passwordStdin?: boolean;
  withKey?: boolean;
}

/** A key, and its id when it was made for the profile. */
interface SignedIn {
  key: string;
  keyId?: string | undefined;
}

/** `todo register`, `login` and `whoami`. */
export function addAccountCommands(program: Command): void {
  const register = program
    .command("register [url]")
    .description("Make an account on a server, and use it from now on.")
    .summary("make an account on a server")
    .option("--email <address>", "the account's e-mail address")
    .option("--name <name>", "what you are called")
    .option("--password-stdin", "read the password from stdin")
    .action(withFlags(runRegister));
  addExamples(register, [
    ["todo register https://todo.example.org", "asks for e-mail, name and password"],
    [
      "todo register URL --email ada@example.org --name Ada --password-stdin < password.txt",
      "for scripts",
    ],
  ]);

  const login = program
    .command("login [url]")
    .description(
      "Log in to a server, and use it from now on. A key is made for this machine and kept in a profile, named after the server or by --profile; a key that the profile had before is revoked.",
    )
    .summary("log in to a server")
    .option("--email <address>", "the account's e-mail address")
    .option("--password-stdin", "read the password from stdin")
    .addOption(
      new Option("--with-key", "read an API key from stdin instead").conflicts([
        "email",
        "passwordStdin",
      ]),
    )
    .action(withFlags(runLogin));
  addExamples(login, [
    ["todo login https://todo.example.org", "asks for e-mail and password"],
    ["todo login https://todo.example.org --profile work", "under a name of your own"],
    ["todo login URL --with-key < key.txt", "with a key that you have"],
  ]);

  const whoami = program
    .command("whoami")
    .description("Show which server, account and key commands use.")
    .summary("show server, account and key")
    .action(withSession(runWhoami));
  addExamples(whoami, [["todo whoami", "the server, the account, and what the key may do"]]);
}

async function runRegister(
  flags: Flags,
  output: Output,
  url: string | undefined,
  { email, name, passwordStdin = false }: RegisterFlags,
): Promise<void> {
  const target = await chooseTarget(flags, url);
  checkTransport(flags, target.server);
  const body = {
    email: email ?? (await askText(flags, { message: "E-mail:", flag: "--email" })),
    name: name ?? (await askText(flags, { message: "Name:", flag: "--name" })),
    password: await newPassword(flags, passwordStdin),
  };
  const { client } = remote(flags, target.server);
  const key = (await client.auth.register({ body })).data.api_key;
  const { data: keys } = await remote(flags, target.server, key).client.keys.list();
  await finish(flags, output, target, { key, keyId: findOwnKey(keys, key)?.id }, "Registered");
}

async function runLogin(
  flags: Flags,
  output: Output,
  url: string | undefined,
  options: LoginFlags,
): Promise<void> {
  const target = await chooseTarget(flags, url);
  checkTransport(flags, target.server);
  const signedIn = options.withKey
    ? await readKey(flags)
    : await makeKey(flags, target, remote(flags, target.server).client, options);
  await finish(flags, output, target, signedIn, "Logged in");
}

async function readKey(flags: Flags): Promise<SignedIn> {
  const text = await secretFromStdin(flags, { message: "API key:", flag: "--with-key" });
  return { key: checkKey(text.trim(), "What --with-key reads from stdin") };
}

async function makeKey(
  flags: Flags,
  { before }: Target,
  client: Client,
  { email, passwordStdin = false }: LoginFlags,
): Promise<SignedIn> {
  const emailQuestion = { message: "E-mail:", flag: "--email", default: before?.email };
  const body = {
    email: email ?? (await askText(flags, emailQuestion)),
    password: passwordStdin
      ? await secretFromStdin(flags, passwordQuestion)
      : await askSecret(flags, passwordQuestion),
    name: keyName(),
  };
  const { data } = await client.auth.apiKey({ body }).catch((error: unknown) => {
    throw isWrongPassword(error)
      ? new CliError("not_allowed", "Invalid e-mail or password.", { cause: error })
      : error;
  });
  return { key: data.key, keyId: data.id };
}

/** One that no account can have, being too short or too long, is as wrong as any other. */
function isWrongPassword(error: unknown): boolean {
  const fields = error instanceof ApiError ? Object.keys(error.errors ?? {}) : [];
  return fields.length === 1 && fields[0] === "password";
}

async function finish(
  flags: Flags,
  output: Output,
  { server, profile, before }: Target,
  { key, keyId }: SignedIn,
  done: string,
): Promise<void> {
  const { data: user } = await remote(flags, server, key).client.profile.get();
  const kept = { server, key, ...(keyId !== undefined && { keyId }), email: user.email };
  try {
    await keepProfile(profile, kept);
  } catch (error) {
    // A valid key that nobody has is of no use, and a risk.
    await revokeKeyOf(flags, kept).catch(() => {});
    throw error;
  }
  if (before !== undefined && before.key !== key) {
    await revokeKeyOf(flags, before).catch((error: unknown) => {
      output.tell(`The profile's older key is still valid. ${(error as Error).message}`);
    });
  }
  await output.show({ profile, server, user }, () => {});
  output.tell(
    `${done} at ${server} as ${user.email}. Commands use it from now on (profile "${profile}").`,
  );
  if (process.env["TODO_SERVER"]) {
    output.tell("But TODO_SERVER is set, and goes before profiles: unset it.");
  }
}

async function runWhoami({ client, instance, output }: Session): Promise<void> {
  const { data: user } = await client.profile.get();
  const { data: keys } = await client.keys.list();
  const { name, profile } = instance;
  const key = findOwnKey(keys, instance.key);
  const shown = { server: name, profile: profile ?? null, user, key: key ?? null };
  await output.show(shown, () => {
    printFields(output, [
      ["Account", `${user.name} <${user.email}>`],
      ["Server", profile === undefined ? name : `${name} (profile "${profile}")`],
      ["Key", key === undefined ? "unknown" : `${key.key_prefix}… "${key.name}"`],
      ["May", key?.scopes.join(", ") ?? "unknown"],
    ]);
  });
}
