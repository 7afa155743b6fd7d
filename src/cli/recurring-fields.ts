import { type Command, InvalidArgumentError, Option } from "commander";
import type { Client } from "../client/client.ts";
import type { BodyInputOf, Model } from "../contract/schemas.ts";
import { type Schedule, type Weekday, schedules, weekdays } from "../contract/values.ts";
import { collect } from "./assignments.ts";
import { CliError } from "./errors.ts";
import { linkCategories } from "./link-categories.ts";
import type { Names } from "./todos/names.ts";
import { isNone, noneAsNull } from "./none.ts";

type RecurringTask = Model<"RecurringTask">;
type Changes = BodyInputOf<"recurring", "update">;

/** The flags that set a recurring task's fields. */
export interface RecurringFlags {
  title?: string;
  description?: string;
  schedule?: Schedule;
  days?: Weekday[];
  favorite?: boolean;
  category?: string[];
}

/** `--schedule`, as a field and as a filter. */
export function scheduleOption(): Option {
  return new Option("--schedule <schedule>", "how often").choices(schedules);
}

/** Declares the flags that `add` and `edit` share. */
export function addRecurringOptions(command: Command): Command {
  return command
    .option("-d, --description <text>", "what it is about, or none")
    .addOption(scheduleOption())
    .addOption(
      new Option("--days <days>", "the days of a custom schedule, such as mon,thu").argParser(
        parseDays,
      ),
    )
    .option("--favorite", "make it a favorite")
    .option("--no-favorite", "make it none")
    .addOption(
      new Option("-c, --category <name>", "category, or none; again for several").argParser(
        collect,
      ),
    );
}

/** Days by commas or spaces, in short or in full. */
function parseDays(text: string): Weekday[] {
  const words = text.toLowerCase().match(/[^\s,]+/g) ?? [""];
  return words.map((word) => {
    const day = weekdays.find((known) => known === word.slice(0, 3));
    if (day !== undefined && fullNames[day].startsWith(word)) return day;
    throw new InvalidArgumentError(`Give some of ${weekdays.join(", ")}, separated by commas.`);
  });
}

const fullNames: Record<Weekday, string> = {
  mon: "monday",
  tue: "tuesday",
  wed: "wednesday",
  thu: "thursday",
  fri: "friday",
  sat: "saturday",
  sun: "sunday",
};

/**
 * The changes that the flags ask for, without the categories. Days mean a custom schedule.
 *
 * @throws CliError `usage` for days that the schedule would ignore
 */
export function recurringChanges(flags: RecurringFlags): Changes {
  const { title, description, schedule, days, favorite } = flags;
  if (days !== undefined && schedule !== undefined && schedule !== "custom") {
    throw new CliError("usage", `--days is for --schedule custom, not for ${schedule}.`);
  }
  return {
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description: noneAsNull(description) }),
    ...(schedule !== undefined && { schedule }),
    ...(days !== undefined && { schedule: "custom", custom_days: days }),
    ...(favorite !== undefined && { favorite }),
  };
}

/**
 * Ids of the categories that a task is to have; the unknown ones are made.
 *
 * @returns undefined when the flags say nothing of categories
 */
export async function categoryIds(
  names: Names,
  { category }: RecurringFlags,
): Promise<string[] | undefined> {
  if (category === undefined) return undefined;
  const ids: string[] = [];
  for (const name of category) if (!isNone(name)) ids.push((await names.makeCategory(name)).id);
  return [...new Set(ids)];
}

/**
 * Saves a task by `save`, with all its categories: the API takes one of them with the task, the
 * others are linked.
 */
export async function saveWithCategories(
  client: Client,
  ids: readonly string[] | undefined,
  save: (link: { category_id?: string | null }) => Promise<{ data: RecurringTask }>,
): Promise<RecurringTask> {
  const [first = null, ...others] = ids ?? [];
  const { data } = await save(ids === undefined ? {} : { category_id: first });
  if (others.length === 0) return data;
  await linkCategories(client, "recurring", data.id, others);
  return (await client.recurring.get({ params: { id: data.id } })).data;
}
