import type { Command } from "commander";
import { InvalidArgumentError, Option } from "commander";
import type { Pagination } from "../contract/schemas.ts";
import { limits } from "../contract/limits.ts";
import type { Output } from "./output/output.ts";

/** How much of a list is wanted. */
export interface PageFlags {
  sort?: string;
  limit: number;
  all?: boolean;
}

/** Declares `--limit` and `--all`. */
export function addPageOptions(command: Command): Command {
  return command
    .addOption(new Option("--limit <n>", "show at most so many").default(50).argParser(parseLimit))
    .addOption(new Option("--all", "show all of them").conflicts("limit"));
}

/** Declares `--sort`; the API would ignore a field that it does not know. */
export function addSortOption(command: Command, fields: readonly string[]): Command {
  // As in `todo list`; the API's own names are taken, too.
  const shown = fields.map((field) => field.replace(/_at$/, "")).join(", ");
  function parse(text: string): string {
    const keys = text.split(",").map((key) => {
      const [, minus = "", name = ""] = /^(-?)(.*)$/s.exec(key.trim().toLowerCase())!;
      const field = fields.find((known) => name === known || `${name}_at` === known);
      if (field !== undefined) return minus + field;
      throw new InvalidArgumentError(`Sort by ${shown}; a leading - turns the order.`);
    });
    return keys.join(",");
  }
  const description = `order: ${shown}; several by commas, - for descending`;
  return command.addOption(new Option("--sort <fields>", description).argParser(parse));
}

function parseLimit(text: string): number {
  const limit = Number(text);
  if (/^\d{1,7}$/.test(text) && limit > 0) return limit;
  throw new InvalidArgumentError("Give a number above 0, or --all.");
}

/** Asks for one page of a list. */
export type PageRequest<T> = (paging: { page: number; per_page: number }) => Promise<{
  data: T[];
  pagination: Pagination;
}>;

/**
 * The first records of a list, as many as are wanted, and how many there are in all. Pages are as
 * large as the API allows: the fewest requests.
 */
export async function takePages<T>(
  request: PageRequest<T>,
  wanted: number,
): Promise<{ records: T[]; total: number }> {
  const per_page = Math.min(wanted, limits.perPage.max);
  const records: T[] = [];
  for (let page = 1; ; page += 1) {
    const { data, pagination } = await request({ page, per_page });
    records.push(...data);
    // An empty page ends the list, whatever a server says that is not ours.
    if (pagination.has_more && data.length > 0 && records.length < wanted) continue;
    return { records: records.slice(0, wanted), total: pagination.total };
  }
}

/** The records that the flags ask for; the user is told when there are more. */
export async function listPages<T>(
  request: PageRequest<T>,
  { limit, all }: PageFlags,
  output: Pick<Output, "tell">,
): Promise<T[]> {
  const { records, total } = await takePages(request, all ? Infinity : limit);
  if (records.length < total) {
    output.tell(`${records.length} of ${total} shown. --limit shows more, --all shows all.`);
  }
  return records;
}
