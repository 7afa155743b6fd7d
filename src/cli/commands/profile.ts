import type { Command } from "commander";
import { Option } from "commander";
import type { Model } from "../../contract/schemas.ts";
import { collect, parseAssignments, parseJson } from "../assignments.ts";
import { formatMoment } from "../dates.ts";
import { refuseUnknownCommands } from "../default-command.ts";
import { CliError } from "../errors.ts";
import { addExamples } from "../help/examples.ts";
import { printFields } from "../output/fields.ts";
import { type Session, withSession } from "../session.ts";
import { noneAsNull } from "../none.ts";

interface EditFlags {
  name?: string;
  avatar?: string;
  settings?: string;
  set?: string[];
}

/** `todo profile`: the account as it shows itself. */
export function addProfileCommands(program: Command): void {
  const profile = program
    .command("profile")
    .description("Show and change the account's name, picture and settings.")
    .summary("show and change the account");
  addExamples(profile, [
    ["todo profile", "name, picture and settings"],
    ['todo profile edit --name "Ada Lovelace"', "change the name"],
  ]);
  refuseUnknownCommands(profile);

  const show = profile
    .command("show", { isDefault: true })
    .description("Show the account's name, picture and settings.")
    .summary("show the account")
    .action(withSession(showProfile));
  addExamples(show, [["todo profile show --json", "for a program"]]);

  const edit = profile
    .command("edit")
    .description("Change the account's name, picture or settings; the rest stays as it is.")
    .summary("change the account")
    .option("--name <name>", "what you are called")
    .option("--avatar <url>", "URL of a picture; none removes it")
    .addOption(
      new Option(
        "--set <name=text>",
        "change one of the settings; name:=json for other values, name:=null removes it; repeatable",
      ).argParser(collect),
    )
    .option("--settings <json>", "replace all settings by this object")
    .action(withSession(editProfile));
  addExamples(edit, [
    ['todo profile edit --name "Ada Lovelace"', "change the name"],
    ["todo profile edit --set language=de", "one of the settings, the others stay"],
    ["todo profile edit --settings '{}'", "forget all settings"],
  ]);
}

async function showProfile({ client, output }: Session): Promise<void> {
  await print(output, (await client.profile.get()).data);
}

async function editProfile(
  { client, output }: Session,
  { name, avatar, settings, set }: EditFlags,
): Promise<void> {
  if ([name, avatar, settings, set].every((flag) => flag === undefined)) {
    throw new CliError("usage", "Nothing to change: give --name, --avatar, --set or --settings.");
  }
  const whole = settings === undefined ? undefined : parseSettings(settings);
  const changes = set && parseAssignments("--set", set);
  const merged = changes && merge(whole ?? (await client.profile.get()).data.settings, changes);
  const newSettings = merged ?? whole;
  const { data } = await client.profile.update({
    body: {
      ...(name !== undefined && { name }),
      ...(avatar !== undefined && { avatar_url: noneAsNull(avatar) }),
      ...(newSettings !== undefined && { settings: newSettings }),
    },
  });
  await print(output, data);
}

function parseSettings(text: string): Record<string, unknown> {
  const settings = parseJson("--settings", text);
  if (typeof settings === "object" && settings !== null && !Array.isArray(settings)) {
    return settings as Record<string, unknown>;
  }
  throw new CliError("usage", '--settings wants a JSON object, such as \'{"language": "de"}\'.');
}

/** The settings with the changes; null removes one. */
function merge(settings: object | null, changes: object): Record<string, unknown> {
  const entries = Object.entries({ ...settings, ...changes });
  return Object.fromEntries(entries.filter(([, value]) => value !== null));
}

async function print(output: Session["output"], user: Model<"User">): Promise<void> {
  const settings = Object.entries(user.settings ?? {}).map(
    ([name, value]) => `${name} = ${typeof value === "string" ? value : JSON.stringify(value)}`,
  );
  await output.show(user, () => {
    printFields(output, [
      ["Name", user.name],
      ["E-mail", user.email],
      ["Picture", user.avatar_url ?? "none"],
      ["Settings", settings.join("\n") || "none"],
      ["Since", formatMoment(user.created_at)],
      ["ID", user.id],
    ]);
  });
}
