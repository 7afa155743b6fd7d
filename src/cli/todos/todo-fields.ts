import { type Command, InvalidArgumentError, Option } from "commander";
import { limits } from "../../contract/limits.ts";
import type { BodyInputOf } from "../../contract/schemas.ts";
import { checkName, checkText } from "../../contract/text.ts";
import { type Status, statuses } from "../../contract/values.ts";
import { CliError } from "../errors.ts";
import { parseWhen } from "./when.ts";
import type { Title } from "./words.ts";
import { isNone, noneAsNull } from "../none.ts";

type Changes = BodyInputOf<"todos", "update">;

/** The flags that set a todo's fields. */
export interface FieldFlags {
  description?: string;
  due?: string;
  status?: Status;
  project?: string;
  category?: string[];
  remind?: boolean;
  sync?: boolean;
  recurring?: boolean;
  literal?: boolean;
}

/** What a todo's fields are to be; projects and categories still by name. */
export interface Fields {
  values: Omit<Changes, "project_id" | "category_id">;
  /** Null: none. */
  project?: string | null;
  /** All that the todo is to have. */
  categories?: string[];
}

/** Declares the flags of `add` and `edit`. */
export function addFieldOptions(command: Command): Command {
  return command
    .option("-d, --description <text>", "description, or none")
    .option("--due <when>", "when it is due, or none; see `todo help dates`")
    .addOption(
      new Option("--status <status>", `one of ${statuses.join(", ")}`).argParser(parseStatus),
    )
    .option("-p, --project <name>", "project, or none; made if there is none of that name")
    .addOption(
      new Option("-c, --category <name>", "category, or none; give it again for several").argParser(
        (name: string, others: string[] | undefined) => [...(others ?? []), name],
      ),
    )
    .option("--remind", "remind of it")
    .option("--no-remind", "do not remind of it")
    .option("--sync", "sync it")
    .option("--no-sync", "do not sync it")
    .option("--recurring", "mark it as recurring")
    .option("--no-recurring", "do not mark it as recurring")
    .option("--literal", "take +, @ and due: in the title as they are");
}

/** Reads a status as people may write it: `in-progress`, `done`. */
export function parseStatus(text: string): Status {
  const word = text.trim().toLowerCase().replaceAll(/[- ]/g, "_");
  const status = word === "done" ? "completed" : statuses.find((known) => known === word);
  if (status !== undefined) return status;
  throw new InvalidArgumentError(`Give one of ${statuses.join(", ")}.`);
}

/**
 * What the flags say.
 *
 * @throws CliError `usage`
 */
export async function readFlags(flags: FieldFlags): Promise<Fields> {
  const { description, status, project, category, due, remind, sync, recurring } = flags;
  checkDescription(description);
  if (project !== undefined) checkGivenName("project", project);
  for (const name of category ?? []) checkGivenName("category", name);
  return {
    values: {
      ...(description !== undefined && { description: noneAsNull(description) }),
      ...(status !== undefined && { status }),
      ...(due !== undefined && (await parseWhen(due))),
      ...(remind !== undefined && { reminder_enabled: remind }),
      ...(sync !== undefined && { sync_enabled: sync }),
      ...(recurring !== undefined && { recurring_enabled: recurring }),
    },
    ...(project !== undefined && { project: noneAsNull(project) }),
    ...(category !== undefined && { categories: category.filter((name) => !isNone(name)) }),
  };
}

/**
 * What the flags say together with a title, whose words go before the flags.
 *
 * @throws CliError `usage`
 */
export async function withTitle(fields: Fields, read: Title): Promise<Fields> {
  const { title, project, categories, due } = read;
  const wrong = checkName(title, limits.name);
  if (wrong !== undefined) throw new CliError("usage", `A title must be ${wrong}.`);
  if (project !== undefined) checkGivenName("project", project);
  for (const name of categories) checkGivenName("category", name);
  const all = [...(fields.categories ?? []), ...categories];
  return {
    values: { ...fields.values, title, ...(due !== undefined && (await parseWhen(due))) },
    ...(fields.project !== undefined && { project: fields.project }),
    ...(project !== undefined && { project }),
    ...((fields.categories !== undefined || all.length > 0) && { categories: all }),
  };
}

function checkGivenName(noun: string, name: string): void {
  const wrong = checkName(name, limits.name);
  if (wrong !== undefined) throw new CliError("usage", `The name of a ${noun} must be ${wrong}.`);
}

function checkDescription(text: string | undefined): void {
  const wrong = text === undefined ? undefined : checkText(text);
  if (wrong !== undefined) throw new CliError("usage", `A description must be ${wrong}.`);
}
