import type { Client } from "../client/client.ts";
import { limits } from "../contract/limits.ts";
import type { Model } from "../contract/schemas.ts";
import { isUuid, isUuidPrefix } from "../contract/text.ts";
import { CliError } from "./errors.ts";

/** How much of an id is shown; any unambiguous start of 4 or more characters is taken. */
const shownIdLength = 7;

export function shortId(id: string): string {
  return id.slice(0, shownIdLength);
}

/** The records that are found by their ids. */
export interface Listed {
  todos: Model<"Todo">;
  recurring: Model<"RecurringTask">;
  projects: Model<"Project">;
  categories: Model<"Category">;
}

/** @throws CliError `usage` for text that is no id, nor the start of one */
export function checkId(text: string): void {
  if (text.length >= limits.idPrefixMin && isUuidPrefix(text)) return;
  const { idPrefixMin } = limits;
  const message = `"${text}" is not an id. Give at least the first ${idPrefixMin} characters of one.`;
  throw new CliError("usage", message);
}

/**
 * The whole id of the caller's record whose id is, or starts with, the given text. A whole id is
 * taken as it is, without a request: whether there is such a record, its use will tell.
 *
 * @throws CliError as `findById`
 */
export async function resolveId(
  client: Client,
  resource: keyof Listed,
  text: string,
): Promise<string> {
  return isUuid(text) ? text : (await findById(client, resource, text)).id;
}

/**
 * The caller's record whose id is, or starts with, the given text: one request.
 *
 * @throws CliError `usage` for text that is no id, `not_found` for none or several
 */
export async function findById<R extends keyof Listed>(
  client: Client,
  resource: R,
  text: string,
): Promise<Listed[R]> {
  checkId(text);
  const { list } = client[resource];
  const answer = await list({ query: { id: text, per_page: shownCandidates } });
  const data = answer.data as unknown as Listed[R][];
  const [first, ...others] = data;
  if (first === undefined) throw new CliError("not_found", `No record has the id ${text}.`);
  if (others.length === 0) return first;
  throw ambiguous(`${text} could be several. Give more of it:`, data);
}

const shownCandidates = 6;

/** The refusal of a text that could mean several records, with the first of them. */
export function ambiguous(
  message: string,
  candidates: readonly { id: string; title?: string; name?: string }[],
): CliError {
  const lines = candidates
    .slice(0, shownCandidates)
    .map(({ id, title, name }) => `  ${id}  ${title ?? name ?? ""}`);
  return new CliError("not_found", [message, ...lines].join("\n"));
}
