import { InvalidArgumentError } from "commander";
import type { RequestOf } from "../../client/client.ts";
import type { Status } from "../../contract/values.ts";
import { addDays, localDay } from "../dates.ts";
import { CliError } from "../errors.ts";
import { closest } from "../suggest.ts";
import { parseStatus } from "./todo-fields.ts";
import { parseWhen } from "./when.ts";

export type TodoQuery = NonNullable<RequestOf<"todos", "list">["query"]>;

const toDo: readonly Status[] = ["open", "in_progress"];

/**
 * Reads `--status`: several, separated by commas or given one by one; `all` for every one.
 *
 * @throws InvalidArgumentError
 */
export function parseStatuses(text: string, others: "all" | Status[] = []): "all" | Status[] {
  if (others === "all" || text.trim().toLowerCase() === "all") return "all";
  return [...others, ...text.split(",").map(parseStatus)];
}

/** The statuses that are asked for; undefined for every one. */
export function statusesOf(
  status: "all" | readonly Status[] | undefined,
  flags: { all?: boolean; due?: string },
): readonly Status[] | undefined {
  if (status !== undefined) return status === "all" ? undefined : status;
  // What is done is never overdue.
  return flags.all && flags.due !== "overdue" ? undefined : toDo;
}

/** What `--due` asks for: days from and to, both inclusive, or todos without a date. */
export type DueFilter = { due_from?: string; due_to?: string } | "none";

/**
 * Reads `--due`: `today`, `overdue`, `week` (today and the six days after it), `none`, a range
 * `A..B` of which either end may be missing, or one day.
 *
 * @throws CliError `usage`
 */
export async function parseDueFilter(text: string, now = new Date()): Promise<DueFilter> {
  const today = localDay(now);
  switch (text.trim().toLowerCase()) {
    case "none":
      return "none";
    case "overdue":
      return { due_to: addDays(today, -1) };
    case "week":
      return { due_from: today, due_to: addDays(today, 6) };
    default:
      break;
  }
  const [from = "", to = from, ...rest] = text.split("..");
  if (rest.length > 0 || (from.trim() === "" && to.trim() === "")) {
    throw new CliError(
      "usage",
      `"${text}" is not a range of days. Try today..fri, or 2026-12-01..`,
    );
  }
  const due_from = from.trim() === "" ? undefined : await parseDay(from, now);
  const due_to = to.trim() === "" ? undefined : await parseDay(to, now);
  return { ...(due_from !== undefined && { due_from }), ...(due_to !== undefined && { due_to }) };
}

async function parseDay(text: string, now: Date): Promise<string> {
  const { due_date } = await parseWhen(text, now);
  if (due_date !== null) return due_date;
  throw new CliError("usage", "A range of days has no place for none. Try --due none.");
}

/** The first is what is due first; those without a date come last. */
export const defaultSort = "due_date,due_time,-created_at";

const sortFields: Record<string, string> = {
  title: "title",
  status: "status",
  due: "due_date,due_time",
  due_date: "due_date",
  due_time: "due_time",
  created: "created_at",
  created_at: "created_at",
  updated: "updated_at",
  updated_at: "updated_at",
};

/**
 * Reads `--sort` as the API takes it; `due`, `created` and `updated` are short forms.
 *
 * @throws InvalidArgumentError
 */
export function parseSort(text: string): string {
  const keys = text.split(",").map((key) => {
    const minus = key.trim().startsWith("-") ? "-" : "";
    const name = key.trim().slice(minus.length).toLowerCase();
    if (!Object.hasOwn(sortFields, name)) throw unknownSortField(name);
    const fields = sortFields[name]!.split(",");
    return fields.map((field) => minus + field).join(",");
  });
  return keys.join(",");
}

function unknownSortField(name: string): InvalidArgumentError {
  const meant = closest(name, Object.keys(sortFields));
  const hint = meant === undefined ? "" : ` Did you mean ${meant}?`;
  return new InvalidArgumentError(
    `There is no field "${name}" to sort by.${hint} Give title, status, due, created or updated, with a minus for the last first.`,
  );
}
