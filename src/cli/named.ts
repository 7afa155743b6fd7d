import { isUuid, isUuidPrefix } from "../contract/text.ts";
import { limits } from "../contract/limits.ts";
import { CliError } from "./errors.ts";
import { ambiguous } from "./ids.ts";
import { type PageRequest, takePages } from "./pages.ts";
import { closest } from "./suggest.ts";

interface Named {
  id: string;
  name: string;
}

/** Records that are found by the names which users gave them. */
export interface NamedKind<T extends Named> {
  singular: string;
  plural: string;
  /** With which names are shown in todos, and may be typed: `+Home`. */
  mark: "+" | "@";
  request: PageRequest<T>;
}

/**
 * The records that the texts name: each by its name in any case, or by the start of its id. All
 * records are looked through, since names may be equal and names may look like ids.
 *
 * @returns each record once, in the order of the texts
 * @throws CliError `not_found` when there is none or several
 */
export async function findNamed<T extends Named>(
  kind: NamedKind<T>,
  texts: readonly string[],
): Promise<T[]> {
  const { records } = await takePages(kind.request, Infinity);
  const found = texts.map((text) => choose(kind, text, records));
  return [...new Set(found)];
}

/** The one record that the text names; see `findNamed`. */
export async function findOneNamed<T extends Named>(kind: NamedKind<T>, text: string): Promise<T> {
  const [record] = await findNamed(kind, [text]);
  return record!;
}

function choose<T extends Named>(kind: NamedKind<T>, text: string, records: readonly T[]): T {
  const wanted = text.toLowerCase();
  const mayBeId = text.length >= limits.idPrefixMin && isUuidPrefix(text);
  const candidates = records.filter(
    ({ id, name }) => name.toLowerCase() === wanted || (mayBeId && id.startsWith(wanted)),
  );
  const exact = candidates.filter(
    ({ id, name }) => name === text || (isUuid(text) && id === wanted),
  );
  const [only] = exact.length === 1 ? exact : candidates;
  // A name may begin with the mark itself: then it has been found.
  if (only === undefined && text.startsWith(kind.mark)) {
    return choose(kind, text.slice(kind.mark.length), records);
  }
  if (only === undefined) throw notFound(kind, text, records);
  if (exact.length === 1 || candidates.length === 1) return only;
  throw ambiguous(`"${text}" could be several ${kind.plural}. Give the id of one:`, candidates);
}

function notFound<T extends Named>(
  { singular, plural }: NamedKind<T>,
  text: string,
  records: readonly T[],
): CliError {
  const names = records.map(({ name }) => name);
  const meant = closest(text, names);
  const hint = meant === undefined ? `\`todo ${plural}\` lists yours.` : `Did you mean "${meant}"?`;
  return new CliError("not_found", `There is no ${singular} "${text}". ${hint}`);
}
