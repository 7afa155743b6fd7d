import { Refusal } from "./refusal.ts";
import { characters, isUuid } from "./text.ts";
import type { JsonObject } from "./world.ts";

/** What each field of a body must be (interface.md, sections 2 and 8, and the rulings). */
export type Rule = (value: unknown) => boolean;
export type Rules = Record<string, Rule>;

const isText = (value: unknown): value is string =>
  typeof value === "string" && !value.includes("\0") && !/\p{Surrogate}/u.test(value);
const orNull =
  (rule: Rule): Rule =>
  (value) =>
    value === null || rule(value);
const oneOf =
  (...values: string[]): Rule =>
  (value) =>
    values.includes(value as string);

const anything: Rule = () => true;
const uuid: Rule = isUuid;
const label: Rule = (value) => isText(value) && characters(value) <= 255;
const name: Rule = (value) => label(value) && /\S/.test(value as string);
const color: Rule = (value) => typeof value === "string" && /^#[\da-f]{6}$/i.test(value);
const uri: Rule = (value) =>
  isText(value) && value.length <= 2048 && /^https?:\/\/[^\s]+$/i.test(value);
const email: Rule = (value) => isText(value) && /^[^\s@]+@[^\s@]+$/.test(value);
const password: Rule = (value) =>
  isText(value) && characters(value) >= 8 && Buffer.byteLength(value) <= 72;
const legacyPassword: Rule = (value) =>
  isText(value) && characters(value) >= 6 && Buffer.byteLength(value) <= 72;
const given: Rule = (value) => isText(value) && value !== "";
const date: Rule = (value) =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\d$/.test(value) &&
  !Number.isNaN(Date.parse(value)) &&
  new Date(value).toISOString().startsWith(value);
const time: Rule = (value) =>
  typeof value === "string" && /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/.test(value);
/** In UTC without a zone, or as RFC 3339 with one. */
const moment: Rule = (value) =>
  typeof value === "string" &&
  /^\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d|[ T]\d\d:\d\d:\d\d(Z|[+-]\d\d:\d\d))$/.test(value) &&
  date(value.slice(0, 10)) &&
  time(value.slice(11, 19));
const setOf =
  (least: number, ...values: string[]): Rule =>
  (value) =>
    Array.isArray(value) &&
    value.length >= least &&
    value.every((one) => values.includes(one as string));
const scopes = setOf(1, "read", "write");

function depth(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0;
  return 1 + Math.max(0, ...Object.values(value).map(depth));
}
const object: Rule = (value) =>
  typeof value === "object" &&
  value !== null &&
  !Array.isArray(value) &&
  depth(value) <= 32 &&
  Buffer.byteLength(JSON.stringify(value)) <= 64 * 1024;

export const rules = {
  registration: {
    email,
    password,
    name,
    avatar_url: orNull(uri),
    settings: orNull(object),
  },
  credentials: { email: given, password: given },
  keyByPassword: {
    email: given,
    password: legacyPassword,
    name: label,
    scopes,
    expires_at: orNull(moment),
  },
  profile: { name, avatar_url: orNull(uri), settings: orNull(object) },
  key: { name: label, scopes, expires_at: orNull(moment) },
  category: { name, color, favorite: anything },
  project: { name, description: orNull(isText), color },
  todo: {
    title: name,
    description: orNull(isText),
    status: oneOf("open", "in_progress", "completed", "archived"),
    due_date: orNull(date),
    due_time: orNull(time),
    sync_enabled: anything,
    reminder_enabled: anything,
    recurring_enabled: anything,
    project_id: orNull(uuid),
    category_id: anything,
  },
  task: {
    title: name,
    description: orNull(isText),
    schedule: oneOf("daily", "weekly", "monthly", "custom"),
    custom_days: setOf(0, "mon", "tue", "wed", "thu", "fri", "sat", "sun"),
    favorite: anything,
    category_id: anything,
  },
  link: { category_id: uuid },
  installation: { theme_id: uuid, is_active: anything, custom_settings: orNull(object) },
  theme: { is_active: anything, custom_settings: orNull(object) },
} satisfies Record<string, Rules>;

export const filters = {
  date,
  flag: oneOf("true", "false", "1", "0"),
  uuid,
  statuses: (value) => (value as string).split(",").every((one) => rules.todo.status(one)),
  schedule: rules.task.schedule,
  text: isText,
  /** A UUID, or its first four or more characters. */
  id: (value) => {
    const text = value as string;
    const pattern = "00000000-0000-0000-0000-000000000000";
    return text.length >= 4 && text.length <= 36 && isUuid(text + pattern.slice(text.length));
  },
} satisfies Rules;

/** @throws Refusal 422, which names the fields that are missing or wrong */
export function check(values: JsonObject, known: Rules, required: readonly string[] = []): void {
  const wrong = Object.keys(known).filter((field) =>
    values[field] === undefined ? required.includes(field) : !known[field]!(values[field]),
  );
  if (wrong.length > 0) throw invalid(...wrong);
}

/** The 422 about these fields. */
export function invalid(...fields: string[]): Refusal {
  return new Refusal(422, "Validation failed", { fields });
}
