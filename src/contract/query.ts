import { type } from "./arktype.ts";
import { field } from "./field.ts";
import { lazy } from "./lazy.ts";
import { limits } from "./limits.ts";
import { checkText, isUuid, isUuidPrefix } from "./text.ts";
import { isDate } from "./time.ts";

/**
 * The values of query strings. Each arrives as text. Paging values are clamped
 * and never refused; a filter outside its type is.
 */

export interface SortKey<F extends string = string> {
  field: F;
  descending: boolean;
}

/** A page number past every list, small enough that offsets stay exact. */
const lastPage = 1_000_000_000;

function integer(max: number, fallback: number, description: string) {
  return field<string>(
    { type: "integer", minimum: 1, maximum: max, default: fallback, description },
    () => undefined,
  ).pipe((text) => {
    const number = text.trim() === "" ? Number.NaN : Number(text);
    return Number.isNaN(number) ? fallback : Math.trunc(Math.min(Math.max(number, 1), max));
  });
}

const clamped = "Out of range: clamped. Not a number: the default.";

/** `sort`: field names separated by commas, a leading minus for descending. */
function sortBy<const F extends string>(fields: readonly F[]) {
  return field<string>(
    {
      type: "string",
      description: `Comma-separated, a leading minus for descending: ${fields.join(", ")}. Unknown fields are ignored.`,
      examples: [`${fields[0]},-created_at`],
    },
    () => undefined,
  ).pipe((text) => {
    const keys = new Map<F, SortKey<F>>();
    for (const part of text.split(",")) {
      const descending = part.startsWith("-");
      const name = descending ? part.slice(1) : part;
      const known = fields.find((candidate) => candidate === name);
      if (known !== undefined && !keys.has(known)) keys.set(known, { field: known, descending });
    }
    return [...keys.values()];
  });
}

const filter = (expected: string, schema: object, matches: (text: string) => boolean) =>
  field<string>(schema, (value) =>
    typeof value === "string" && matches(value) ? undefined : expected,
  );

export const FlagFilter = filter("one of true, false, 1, 0", { type: "boolean" }, (text) =>
  ["true", "false", "1", "0"].includes(text),
).pipe((text) => text === "true" || text === "1");

export const UuidFilter = filter("a UUID", { type: "string", format: "uuid" }, isUuid).pipe(
  (text) => text.toLowerCase(),
);

export const DateFilter = filter(
  "a date that exists (YYYY-MM-DD)",
  { type: "string", format: "date", description: "Extension: inclusive." },
  isDate,
);

export const TextFilter = field<string>(
  {
    type: "string",
    maxLength: limits.search,
    description: "Extension: part of the title or description, in any case.",
  },
  (value) => checkText(value, limits.search),
);

const IdFilter = filter(
  `a UUID or its first ${limits.idPrefixMin} or more characters`,
  {
    type: "string",
    pattern: `^[0-9a-fA-F-]{${limits.idPrefixMin},36}$`,
    description: "Extension: a whole id, or its first 4 or more characters.",
  },
  (text) => text.length >= limits.idPrefixMin && isUuidPrefix(text),
).pipe((text) => text.toLowerCase());

/** Several of the given values, separated by commas. */
export function someOf<const T extends string>(values: readonly T[], description: string) {
  return filter(
    `one or more of ${values.join(", ")}, separated by commas`,
    {
      type: "string",
      pattern: `^(${values.join("|")})(,(${values.join("|")}))*$`,
      description,
      examples: [values[0], values.slice(0, 2).join(",")],
    },
    (text) => text.split(",").every((part) => (values as readonly string[]).includes(part)),
  ).pipe((text) => [...new Set(text.split(","))] as T[]);
}

/** One of the given values. */
export function choice<const T extends string>(values: readonly T[]) {
  return filter(`one of ${values.join(", ")}`, { type: "string", enum: values }, (text) =>
    (values as readonly string[]).includes(text),
  ).pipe((text) => text as T);
}

/** The query parameters that every paginated list has. */
export function pageQuery<const F extends string>(sortable: readonly F[]) {
  return type({
    page: integer(lastPage, 1, clamped).default("1"),
    per_page: integer(limits.perPage.max, limits.perPage.default, clamped).default(
      String(limits.perPage.default),
    ),
    sort: sortBy(sortable).default(""),
    "id?": IdFilter,
  });
}

/** The query of the activity log. */
export const LogQuery = lazy(() =>
  type({
    limit: integer(limits.logEntries.max, limits.logEntries.default, clamped).default(
      String(limits.logEntries.default),
    ),
  }),
);
