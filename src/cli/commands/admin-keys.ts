import type { Command } from "commander";
import type { AdminKey } from "../../contract/admin-schemas.ts";
import { administer, withAdmin } from "../admin.ts";
import { formatMoment } from "../dates.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { shortId } from "../ids.ts";
import { checkKeyText, chooseKey } from "../key-choice.ts";
import { echo } from "../output/echo.ts";
import type { Output } from "../output/output.ts";
import { type Column, printTable } from "../output/table.ts";
import { harmless } from "../output/text.ts";
import { findUser } from "./admin-users.ts";

/** `todo admin keys …`. */
export function addAdminKeysCommands(admin: Command): void {
  const keys = admin
    .command("keys")
    .description("Work with the API keys of all users. Without a subcommand: list.")
    .summary("list and revoke API keys");
  addExamples(keys, [
    ["todo admin keys list --user ada@example.org", "the keys of one user"],
    ["todo admin keys revoke todo_k3X9aQ2", "a key that was seen somewhere, by its start"],
  ]);
  refuseUnknownCommands(keys);

  const list = keys
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List the API keys of all users, newest first.")
    .summary("list API keys")
    .option("--user <user>", "only those of the user with that e-mail address or id")
    .option("--all", "with those that were revoked")
    .action(withAdmin(listKeys));
  addExamples(list, [["todo admin keys list --user ada@example.org --all", "revoked ones too"]]);

  const revoke = keys
    .command("revoke <key>")
    .description(
      "Revoke any user's API key at once and for good, by the start of its id or of the key itself.",
    )
    .summary("revoke an API key")
    .action(withAdmin(revokeKey));
  addExamples(revoke, [
    ["todo admin keys revoke 9e0b1c2", "by the id that `todo admin keys` shows"],
    ["todo admin keys revoke todo_k3X9aQ2", "by the first 12 characters of the key"],
  ]);
}

const columns: Column<AdminKey>[] = [
  { title: "ID", value: ({ id }) => shortId(id) },
  { title: "User", value: ({ email }) => email, flexible: true },
  { title: "Name", value: ({ name }) => name, flexible: true, hideBelow: 50 },
  { title: "Key", value: ({ key_prefix: start }) => `${start}…`, hideBelow: 65 },
  { title: "May", value: (key) => (key.is_active ? key.scopes.join(", ") : "revoked") },
  { title: "Expires", value: (key) => formatOptional(key.expires_at, "never"), hideBelow: 120 },
  { title: "Used", value: (key) => formatOptional(key.last_used_at, "never"), hideBelow: 100 },
];

function formatOptional(moment: string | null, otherwise: string): string {
  return moment === null ? otherwise : formatMoment(moment);
}

async function listKeys(
  flags: Flags,
  output: Output,
  { user, all = false }: { user?: string; all?: boolean },
): Promise<void> {
  const { data } = await administer(flags, async ({ client }) => {
    if (user === undefined) return client.keys.list();
    return client.keys.list({ query: { user_id: (await findUser(client, user)).id } });
  });
  const shown = all ? data : data.filter(({ is_active }) => is_active);
  await output.show(shown, () => printTable(output, columns, shown));
}

async function revokeKey(flags: Flags, output: Output, text: string): Promise<void> {
  checkKeyText(text);
  const key = await administer(flags, async ({ client }) => {
    const chosen = chooseKey((await client.keys.list()).data, text, "todo admin keys");
    await client.keys.revoke({ params: { id: chosen.id } });
    return chosen;
  });
  const { id, email, name, key_prefix: start } = key;
  const line = `Revoked ${shortId(id)}  ${email}  "${name}" (${start}…)`;
  await echo(output, { ...key, is_active: false }, harmless(line));
}
