import { field } from "./field.ts";
import { limits } from "./limits.ts";
import {
  checkEmail,
  checkName,
  checkText,
  checkUri,
  countBytes,
  countCharacters,
  isUuid,
} from "./text.ts";
import { isDate, isTime, parseTimestamp } from "./time.ts";

/** The values that the fields of the contract are made of (interface.md, section 2). */

const orNull =
  (check: (value: unknown) => string | undefined) =>
  (value: unknown): string | undefined => {
    const expected = value === null ? undefined : check(value);
    return expected === undefined ? undefined : `${expected}, or null`;
  };

const checkMatch =
  (expected: string, matches: (text: string) => boolean) =>
  (value: unknown): string | undefined =>
    typeof value === "string" && matches(value) ? undefined : expected;

const checkOneOf = (values: readonly string[]) =>
  checkMatch(`one of ${values.join(", ")}`, (text) => values.includes(text));

// --- text

export const Text = field<string>({ type: "string" }, (value) => checkText(value));
export const TextOrNull = field<string | null>(
  { type: ["string", "null"] },
  orNull((value) => checkText(value)),
);
/** A required title or name: not blank. */
export const Name = field<string>(
  { type: "string", minLength: 1, maxLength: limits.name, pattern: String.raw`\S` },
  (value) => checkName(value, limits.name),
);
/** An optional name: may be blank. */
export const Label = field<string>({ type: "string", maxLength: limits.name }, (value) =>
  checkText(value, limits.name),
);
export const Email = field<string>(
  { type: "string", format: "email", maxLength: 254, examples: ["ada@example.org"] },
  checkEmail,
);
/** The e-mail of a login: anything may be tried. */
export const LoginEmail = field<string>(
  { type: "string", minLength: 1, examples: ["ada@example.org"] },
  (value) => checkText(value) ?? (value === "" ? "an e-mail address" : undefined),
);
export const UriOrNull = field<string | null>(
  {
    type: ["string", "null"],
    format: "uri",
    pattern: "^[hH][tT][tT][pP][sS]?://",
    maxLength: limits.uri,
  },
  orNull((value) => checkUri(value, limits.uri)),
);
export const Color = field<string>(
  { type: "string", pattern: "^#[0-9a-fA-F]{6}$", examples: ["#8B5CF6"] },
  checkMatch("# followed by six hex digits, such as #8B5CF6", (text) =>
    /^#[0-9a-fA-F]{6}$/.test(text),
  ),
);

const password = (min: number) =>
  field<string>(
    {
      type: "string",
      format: "password",
      minLength: min,
      description: `At most ${limits.passwordBytes} bytes of UTF-8.`,
    },
    (value) => {
      const expected = checkText(value);
      if (expected !== undefined) return expected;
      if (countCharacters(value as string) < min) {
        return min === 1 ? "given" : `at least ${min} characters`;
      }
      return countBytes(value as string) > limits.passwordBytes
        ? `at most ${limits.passwordBytes} bytes (bcrypt reads no more)`
        : undefined;
    },
  );
export const NewPassword = password(limits.passwordMin);
export const LegacyPassword = password(limits.legacyPasswordMin);
export const LoginPassword = password(1);

// --- identifiers

export const Uuid = field<string>(
  { type: "string", format: "uuid", examples: ["0b9f2f6c-7d0f-4c53-9a0e-0f6a3f1f7c11"] },
  checkMatch("a UUID", isUuid),
);
export const UuidOrNull = field<string | null>(
  { type: ["string", "null"], format: "uuid" },
  orNull(checkMatch("a UUID", isUuid)),
);
/** Names are looked up in lower case, the form that the service generates. */
export const UuidGiven = Uuid.pipe((id) => id.toLowerCase());
export const UuidOrNullGiven = UuidOrNull.pipe((id) => id?.toLowerCase() ?? null);
/** `category_id` of a create or update: what is no UUID counts as none. */
export const LenientUuid = field<unknown>(
  { type: ["string", "null"], format: "uuid" },
  () => undefined,
).pipe((value) => (isUuid(value) ? value.toLowerCase() : null));

// --- time

export const CalendarDate = field<string>(
  { type: "string", format: "date", examples: ["2026-12-24"] },
  checkMatch("a date that exists (YYYY-MM-DD)", isDate),
);
export const DateOrNull = field<string | null>(
  { type: ["string", "null"], format: "date", examples: ["2026-12-24"] },
  orNull(checkMatch("a date that exists (YYYY-MM-DD)", isDate)),
);
export const TimeOrNull = field<string | null>(
  {
    type: ["string", "null"],
    pattern: String.raw`^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$`,
    examples: ["18:00:00"],
  },
  orNull(checkMatch("a time of day (HH:MM:SS)", isTime)),
);
const timestampPattern = String.raw`^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$`;
export const Timestamp = field<string>(
  {
    type: "string",
    pattern: timestampPattern,
    description: "UTC",
    examples: ["2026-12-24 18:00:00"],
  },
  checkMatch("a timestamp (YYYY-MM-DD HH:MM:SS)", (text) =>
    new RegExp(timestampPattern).test(text),
  ),
);
export const TimestampOrNull = field<string | null>(
  { type: ["string", "null"], pattern: timestampPattern, description: "UTC" },
  orNull(
    checkMatch("a timestamp (YYYY-MM-DD HH:MM:SS)", (text) =>
      new RegExp(timestampPattern).test(text),
    ),
  ),
);
/** A timestamp as clients may write it; becomes the normal form. */
export const TimestampGiven = field<string | null>(
  {
    type: ["string", "null"],
    pattern: String.raw`^\d{4}-\d{2}-\d{2}( \d{2}:\d{2}:\d{2}|[ Tt]\d{2}:\d{2}:\d{2}(\.\d+)?([Zz]|[+-]\d{2}:\d{2}))$`,
    description:
      "UTC as YYYY-MM-DD HH:MM:SS, or RFC 3339 with an offset. One in the past is accepted.",
    examples: ["2026-12-24 18:00:00", "2026-12-24T18:00:00+01:00"],
  },
  orNull(
    checkMatch(
      "a timestamp (YYYY-MM-DD HH:MM:SS in UTC, or RFC 3339)",
      (text) => parseTimestamp(text) !== undefined,
    ),
  ),
).pipe((text) => (text === null ? null : parseTimestamp(text)!));

// --- numbers, booleans, choices, objects

export const Flag = field<boolean>({ type: "boolean" }, (value) =>
  typeof value === "boolean" ? undefined : "true or false",
);
/** Booleans of a body are read by JavaScript's truthiness, as the contract says. */
export const Truthy = field<unknown>(
  {
    type: "boolean",
    description: 'Any JSON value: false, 0, "" and null are false, all else true.',
  },
  () => undefined,
).pipe((value) => Boolean(value));
export const Decimal = field<number>({ type: "number", minimum: 0 }, (value) =>
  typeof value === "number" ? undefined : "a number",
);

export function oneOf<const T extends string>(values: readonly T[]) {
  return field<T>({ type: "string", enum: values }, checkOneOf(values));
}

/** An array of the given values; repeated ones count once, the order stays. */
export function setOf<const T extends string>(values: readonly T[], min: number) {
  return field<T[]>(
    { type: "array", items: { type: "string", enum: values }, ...(min > 0 && { minItems: min }) },
    (value) =>
      Array.isArray(value) &&
      value.length >= min &&
      value.every((item: unknown) => (values as readonly unknown[]).includes(item))
        ? undefined
        : `${min > 0 ? "a non-empty array" : "an array"} of ${values.join(", ")}`,
  ).pipe((items): T[] => [...new Set(items as T[])]);
}

export type JsonObject = { [name: string]: unknown };

/** Checks what would not come back as it was given, or is nested too deeply. */
function checkNested(value: unknown, depth: number): string | undefined {
  if (typeof value === "number") {
    return Number.isFinite(value) ? undefined : "made of numbers that a 64-bit float can hold";
  }
  if (typeof value !== "object" || value === null) return undefined;
  if (depth === 0) return `at most ${limits.objectDepth} levels deep`;
  for (const item of Object.values(value)) {
    const expected = checkNested(item, depth - 1);
    if (expected !== undefined) return expected;
  }
  return undefined;
}

/** A free-form object (settings) or null. */
export const JsonObjectOrNull = field<JsonObject | null>(
  {
    type: ["object", "null"],
    description:
      "Free-form, at most 64 KiB as JSON and 32 levels deep; returned as given (numbers as IEEE 754 doubles).",
  },
  orNull((value) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return "a JSON object";
    // Nesting first: serialising a very deep value would exhaust the stack.
    const expected = checkNested(value, limits.objectDepth);
    if (expected !== undefined) return expected;
    return countBytes(JSON.stringify(value)) > limits.objectBytes
      ? "at most 64 KiB as JSON"
      : undefined;
  }),
);
