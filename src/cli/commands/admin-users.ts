import type { Command } from "commander";
import type { AdminClient } from "../../client/client.ts";
import type { AdminUser } from "../../contract/admin-schemas.ts";
import { administer, withAdmin } from "../admin.ts";
import { formatMoment } from "../dates.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import { CliError } from "../errors.ts";
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { ambiguous, shortId } from "../ids.ts";
import { newPassword } from "../new-password.ts";
import { echo } from "../output/echo.ts";
import type { Output } from "../output/output.ts";
import { type Column, printTable } from "../output/table.ts";
import { harmless } from "../output/text.ts";
import { askConsent } from "../prompts.ts";

const fromStdin = ["--password-stdin", "read the password from stdin"] as const;

/** `todo admin users …`. */
export function addAdminUsersCommands(admin: Command): void {
  const users = admin
    .command("users")
    .description("Work with the users of a server. Without a subcommand: list.")
    .summary("list, add and remove users; set passwords");
  addExamples(users, [
    ["todo admin users", "who has an account"],
    ["todo admin users add ada@example.org --name Ada", "asks for a password"],
    ["todo admin users passwd ada@example.org", "asks for a new password"],
    ["todo admin users remove ada@example.org", "with everything of hers"],
  ]);
  refuseUnknownCommands(users);

  const list = users
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List the users, with how many todos and working keys each has.")
    .summary("list the users")
    .action(withAdmin(listUsers));
  addExamples(list, [["todo admin users list --json", "for a program"]]);

  const add = users
    .command("add <email>")
    .description(
      "Add a user, also where registration is closed. No key is made: the user logs in with the password.",
    )
    .summary("add a user")
    .option("--name <name>", "what the user is called; the start of the address when not given")
    .option(...fromStdin)
    .action(withAdmin(addUser));
  addExamples(add, [
    ["todo admin users add ada@example.org --name Ada", "asks for a password"],
    ["todo admin users add ada@example.org --password-stdin < password.txt", "for scripts"],
  ]);

  const passwd = users
    .command("passwd <user>")
    .description(
      "Set a user's password. All tokens (JWT) of the user end at once; keys go on, unless --revoke-keys.",
    )
    .summary("set a user's password")
    .option(...fromStdin)
    .option("--revoke-keys", "end all keys of the user as well")
    .action(withAdmin(setPassword));
  addExamples(passwd, [
    ["todo admin users passwd ada@example.org", "asks for a new password"],
    ["todo admin users passwd ada@example.org --revoke-keys", "locks out whoever has a key"],
  ]);

  const remove = users
    .command("remove <user>")
    .alias("rm")
    .description(
      "Remove a user with everything that is the user's: todos, projects, keys, log. It cannot be undone.",
    )
    .summary("remove a user and everything of theirs")
    .action(withAdmin(removeUser));
  addExamples(remove, [
    ["todo admin users remove ada@example.org", "says how much goes, and asks"],
    ["todo admin users remove 9e0b1c2 -y", "by the start of the id, without a question"],
  ]);
}

const columns: Column<AdminUser>[] = [
  { title: "ID", value: ({ id }) => shortId(id) },
  { title: "E-mail", value: ({ email }) => email, flexible: true },
  { title: "Name", value: ({ name }) => name, flexible: true },
  { title: "Todos", value: ({ todos }) => String(todos) },
  { title: "Keys", value: ({ keys }) => String(keys) },
  { title: "Since", value: (user) => formatMoment(user.created_at), hideBelow: 90 },
];

async function listUsers(flags: Flags, output: Output): Promise<void> {
  const { data } = await administer(flags, ({ client }) => client.users.list());
  await output.show(data, () => printTable(output, columns, data));
}

async function addUser(
  flags: Flags,
  output: Output,
  email: string,
  { name, passwordStdin = false }: { name?: string; passwordStdin?: boolean },
): Promise<void> {
  const password = await newPassword(flags, passwordStdin);
  const body = { email, name: name ?? email.split("@")[0]!, password };
  const request = { creates: true };
  const { data } = await administer(flags, ({ client }) => client.users.create({ body }), request);
  await echo(output, data, `Added ${userLine(data)}`);
}

async function setPassword(
  flags: Flags,
  output: Output,
  text: string,
  { passwordStdin = false, revokeKeys = false }: { passwordStdin?: boolean; revokeKeys?: boolean },
): Promise<void> {
  const user = await administer(flags, ({ client }) => findUser(client, text));
  const body = { password: await newPassword(flags, passwordStdin), revoke_keys: revokeKeys };
  const { data } = await administer(flags, ({ client }) =>
    client.users.setPassword({ params: { id: user.id }, body }),
  );
  await echo(output, data, `Changed the password of ${userLine(user)}`);
  const keys = revokeKeys
    ? `Revoked: ${count(data.revoked_keys, "key")}.`
    : `Still valid: ${count(user.keys, "key")}; --revoke-keys ends keys too.`;
  output.tell(`Tokens that were issued before have ended. ${keys}`);
}

async function removeUser(flags: Flags, output: Output, text: string): Promise<void> {
  const user = await administer(flags, ({ client }) => findUser(client, text));
  const goes = `${count(user.todos, "todo")}, ${count(user.keys, "key")} and everything else of theirs`;
  const question = `Remove ${userLine(user)} with ${goes}, for good?`;
  if (!(await askConsent(flags, question))) throw new CliError("failed", "Nothing was removed.");
  await administer(flags, ({ client }) => client.users.remove({ params: { id: user.id } }));
  await echo(output, null, `Removed ${userLine(user)} with ${goes}`);
}

/**
 * The one user of that e-mail address, or whose id starts with the text.
 *
 * @throws CliError `not_found` for none or several
 */
export async function findUser(client: AdminClient, text: string): Promise<AdminUser> {
  const { data } = await client.users.list({ query: { user: text } });
  const [user, ...others] = data;
  if (user === undefined) {
    throw new CliError("not_found", `There is no user "${text}". \`todo admin users\` lists them.`);
  }
  if (others.length === 0) return user;
  const candidates = data.map(({ id, email }) => ({ id, name: email }));
  throw ambiguous(`${text} could be several. Give more of it:`, candidates);
}

function userLine({ id, email, name }: AdminUser): string {
  return harmless(`${shortId(id)}  ${email}  (${name})`);
}

function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}
