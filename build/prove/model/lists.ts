import { type Rules, check, filters } from "./fields.ts";
import { compareText } from "./text.ts";

/** The query of a request by name. */
export type Query = Record<string, string | undefined>;

type Value = string | boolean | null;

/** A page in the form that its envelope takes. */
export interface PageOf<T> {
  items: T[];
  pagination: object;
}

/** `page`, `per_page` and `limit`: clamped; the default when it is no number. */
export function clamp(text: string | undefined, fallback: number, max: number): number {
  const number = text === undefined || text.trim() === "" ? Number.NaN : Number(text);
  return Number.isNaN(number) ? fallback : Math.min(Math.max(number, 1), max);
}

/** @throws Refusal 422 about filters that are no such value */
export function checkFilters(query: Query, own: Rules): void {
  check(query, { id: filters.id, ...own });
}

export function isSet(text: string): boolean {
  return text === "true" || text === "1";
}

/**
 * One page of the records that match (interface.md, section 8).
 *
 * @param records in the order of their creation
 * @param sortable the fields to sort by, and what they hold
 */
export function toPage<T>(
  query: Query,
  records: readonly T[],
  idOf: (record: T) => string,
  sortable: Record<string, (record: T) => Value>,
): PageOf<T> {
  const { id } = query;
  const matching = records.filter((one) => idOf(one).startsWith(id?.toLowerCase() ?? ""));
  const sorted = matching
    .map((record, order) => ({ record, order }))
    .toSorted(comparison(query["sort"] ?? "", sortable))
    .map(({ record }) => record);
  const page = clamp(query["page"], 1, Number.MAX_SAFE_INTEGER);
  const per_page = clamp(query["per_page"], 50, 200);
  const total = sorted.length;
  const last_page = Math.max(1, Math.ceil(total / per_page));
  return {
    items: sorted.slice((page - 1) * per_page, page * per_page),
    pagination: { page, per_page, total, last_page, has_more: page < last_page },
  };
}

function comparison<T>(sort: string, sortable: Record<string, (record: T) => Value>) {
  const known = sort
    .split(",")
    .map((part) => ({ field: part.replace(/^-/, ""), sign: part.startsWith("-") ? -1 : 1 }))
    .filter(({ field }) => Object.hasOwn(sortable, field));
  const keys = known.length > 0 ? known : [{ field: "created_at", sign: -1 }];
  const tie = keys.find(({ field }) => field === "created_at") ?? keys[0]!;
  return (a: { record: T; order: number }, b: { record: T; order: number }): number => {
    for (const { field, sign } of keys) {
      const valueOf = sortable[field]!;
      const result = compare(valueOf(a.record), valueOf(b.record), sign);
      if (result !== 0) return result;
    }
    return tie.sign * (a.order - b.order);
  };
}

/** Missing values come last, in both directions. */
function compare(a: Value, b: Value, sign: number): number {
  if (a === null || b === null) return Number(a === null) - Number(b === null);
  if (typeof a === "boolean" || typeof b === "boolean") return sign * (Number(a) - Number(b));
  return sign * compareText(a, b);
}
