import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import { limits } from "../../contract/limits.ts";
import type { Model } from "../../contract/schemas.ts";
import { formatMoment } from "../dates.ts";
import { addExamples } from "../help/examples.ts";
import { shortId } from "../ids.ts";
import { type Column, printTable } from "../output/table.ts";
import { type Session, withSession } from "../session.ts";

type Entry = Model<"ActivityLogEntry">;

/** `todo log`: what was done. */
export function addLogCommand(program: Command): void {
  const { default: fallback, max } = limits.logEntries;
  const log = program
    .command("log")
    .description(
      "Show what was done to todos, recurring tasks, projects and categories, newest first.",
    )
    .summary("show what was done")
    .addOption(
      new Option("--limit <n>", `show so many entries, at most ${max}`)
        .default(fallback)
        .argParser(parseLimit),
    )
    .action(withSession(showLog));
  addExamples(log, [
    ["todo log", `the last ${fallback} entries`],
    ["todo log --limit 5", "the last five"],
  ]);
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,3}$/.test(text) && limit >= 1 && limit <= limits.logEntries.max) return limit;
  throw new InvalidArgumentError(`Give a number from 1 to ${limits.logEntries.max}.`);
}

const columns: Column<Entry>[] = [
  { title: "When", value: ({ created_at }) => formatMoment(created_at) },
  { title: "What", value: describe },
  { title: "Which", value: nameOf, flexible: true },
  { title: "ID", value: ({ entity_id }) => shortId(entity_id ?? ""), hideBelow: 60 },
];

/** `recurring_task_updated` is "updated recurring task". */
function describe({ action, entity_type: type }: Entry): string {
  const verb = action.startsWith(`${type}_`) ? action.slice(type.length + 1) : action;
  return `${verb} ${type}`.replaceAll("_", " ");
}

function nameOf({ details }: Entry): string {
  const { title, name } = (details ?? {}) as { title?: unknown; name?: unknown };
  return [title, name].find((text) => typeof text === "string") ?? "";
}

async function showLog({ client, output }: Session, { limit }: { limit: number }): Promise<void> {
  const { data } = await client.activity.list({ query: { limit } });
  await output.show(data, () => printTable(output, columns, data));
}
