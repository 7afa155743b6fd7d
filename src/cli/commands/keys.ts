import type { Command } from "commander";
import { Option } from "commander";
import type { Model } from "../../contract/schemas.ts";
import { type Scope, scopes } from "../../contract/values.ts";
import { formatMoment } from "../dates.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import { CliError } from "../errors.ts";
import { parseExpiry } from "../expiry.ts";
import { addExamples } from "../help/examples.ts";
import { shortId } from "../ids.ts";
import { checkKeyText, chooseKey } from "../key-choice.ts";
import { type Column, printTable } from "../output/table.ts";
import { findOwnKey } from "../instance/own-key.ts";
import { askConsent } from "../prompts.ts";
import { type Session, withSession } from "../session.ts";

type ApiKey = Model<"ApiKey">;

/** `todo keys`: the account's API keys. */
export function addKeysCommands(program: Command): void {
  const keys = program
    .command("keys")
    .description("Work with the account's API keys.")
    .summary("list, add and revoke API keys");
  addExamples(keys, [
    ["todo keys", "the keys that work"],
    ['todo keys add --name "backup script" --scope read', "a key that can only read"],
    ["todo keys revoke 9e0b1c2", "by the id that `todo keys` shows"],
  ]);
  refuseUnknownCommands(keys);

  const list = keys
    .command("list", { isDefault: true })
    .alias("ls")
    .description("List the API keys of the account, newest first; * marks the one in use.")
    .summary("list the API keys")
    .option("--all", "with those that were revoked")
    .action(withSession(listKeys));
  addExamples(list, [["todo keys list --all", "with those that were revoked"]]);

  const add = keys
    .command("add")
    .description("Make an API key. It is printed once, on stdout, and cannot be shown again.")
    .summary("make an API key")
    .option("--name <name>", "what it is for")
    .addOption(
      new Option("--scope <scope...>", "what it may do; all when not given").choices(scopes),
    )
    .option("--expires <when>", "the last day on which it works, or a time")
    .action(withSession(addKey));
  addExamples(add, [
    ["todo keys add --name laptop", "may do everything, for good"],
    ["todo keys add --scope read --expires 2027-01-31", "may only read, to the end of that day"],
    ["todo keys add --name ci > key.txt", "the key goes into the file, nothing else"],
  ]);

  const revoke = keys
    .command("revoke <key>")
    .description(
      "Revoke an API key at once and for good, by the start of its id or of the key itself.",
    )
    .summary("revoke an API key")
    .action(withSession(revokeKey));
  addExamples(revoke, [
    ["todo keys revoke 9e0b1c2", "by the id that `todo keys` shows"],
    ["todo keys revoke todo_k3X9aQ2", "by the first 12 characters of the key"],
  ]);
}

async function listKeys(
  { client, instance, output }: Session,
  { all = false }: { all?: boolean },
): Promise<void> {
  const { data } = await client.keys.list();
  const own = findOwnKey(data, instance.key);
  const columns: Column<ApiKey>[] = [
    { title: "ID", value: ({ id }) => shortId(id) },
    { title: "Name", value: ({ name }) => name, flexible: true },
    {
      title: "Key",
      value: (key) => `${key.key_prefix}…${key === own ? " *" : ""}`,
      hideBelow: 50,
    },
    { title: "May", value: (key) => (key.is_active ? key.scopes.join(", ") : "revoked") },
    { title: "Used", value: whenUsed, hideBelow: 80 },
  ];
  const shown = all ? data : data.filter(({ is_active }) => is_active);
  await output.show(shown, () => printTable(output, columns, shown));
}

function whenUsed({ last_used_at: moment }: ApiKey): string {
  return moment === null ? "never" : formatMoment(moment);
}

async function addKey(
  { client, output }: Session,
  { name, scope, expires }: { name?: string; scope?: Scope[]; expires?: string },
): Promise<void> {
  const { data } = await client.keys.create({
    body: {
      ...(name !== undefined && { name }),
      ...(scope !== undefined && { scopes: [...new Set(scope)] }),
      ...(expires !== undefined && { expires_at: parseExpiry(expires, new Date()) }),
    },
  });
  await output.show(data, () => output.line(data.key));
  const until = data.expires_at === null ? "" : ` until ${formatMoment(data.expires_at)}`;
  output.tell(
    `Made the key "${data.name}" (${data.scopes.join(", ")})${until}. It is shown this once: keep it now.`,
  );
}

async function revokeKey(
  { client, flags, instance, output }: Session,
  text: string,
): Promise<void> {
  checkKeyText(text);
  const { data } = await client.keys.list();
  const key = chooseKey(data, text, "todo keys");
  if (key === findOwnKey(data, instance.key)) {
    if (!(await askConsent(flags, "This is the key in use. Revoke it?")))
      throw new CliError("failed", "Nothing was changed.");
  }
  await client.keys.remove({ params: { id: key.id } });
  await output.show({ ...key, is_active: false }, () => {});
  output.tell(`Revoked ${shortId(key.id)} "${key.name}" (${key.key_prefix}…).`);
}
