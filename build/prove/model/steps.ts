import * as fc from "fast-check";
import * as value from "./values.ts";

/** One request, as far as it can be said before the records exist that it names. */
export interface Step {
  method: string;
  /** As in the contract, such as `/todos/{id}`. */
  path: string;
  /** What `{id}` and `{categoryId}` become. */
  id: unknown;
  categoryId: unknown;
  query: Record<string, unknown>;
  /** An object is sent as JSON, a string as it is. */
  body: Record<string, unknown> | string | undefined;
  credentials: Credentials;
  agent: string | undefined;
}

export interface Credentials {
  kind: "usable" | "any" | "none" | "wrong" | "token";
  user: number;
  key: number;
}

/** An e-mail and a password for a login: of a user or of nobody, right or wrong. */
export interface Login {
  login: number;
  upper: boolean;
  right: boolean;
}

export function isLogin(given: unknown): given is Login {
  return typeof given === "object" && given !== null && "login" in given;
}

type Fields = Record<string, fc.Arbitrary<unknown>>;
interface Draft {
  weight: number;
  start: string;
  id?: fc.Arbitrary<unknown>;
  body?: Fields;
  /** Fields that are seldom left out. */
  required?: string[];
  query?: Fields;
}

const todoFields: Fields = {
  title: value.name,
  description: value.description,
  status: value.status,
  due_date: value.date,
  due_time: value.time,
  sync_enabled: value.truthy,
  reminder_enabled: value.truthy,
  recurring_enabled: value.truthy,
  project_id: value.projectId,
  category_id: value.categoryId,
  // Nobody sets these.
  id: fc.uuid(),
  created_at: fc.constant("2001-01-01 00:00:00"),
};
const taskFields: Fields = {
  title: value.name,
  description: value.description,
  schedule: value.schedule,
  custom_days: value.days,
  favorite: value.truthy,
  category_id: value.categoryId,
  user_id: fc.uuid(),
};
const categoryFields: Fields = { name: value.name, color: value.color, favorite: value.truthy };
const projectFields: Fields = {
  name: value.name,
  description: value.description,
  color: value.color,
};
const keyFields: Fields = {
  name: value.label,
  scopes: value.scopes,
  expires_at: value.expiry,
};
const themeFields: Fields = { is_active: value.truthy, custom_settings: value.object };
const paging: Fields = { page: value.filter.page, per_page: value.filter.perPage };
const todoQuery: Fields = {
  ...paging,
  sort: value.filter.sort("title", "status", "due_date", "due_time", "created_at", "updated_at"),
  id: value.filter.id("todos"),
  status: value.filter.statuses,
  project_id: value.filter.uuid("projects"),
  category_id: value.filter.uuid("categories"),
  sync_enabled: value.filter.flag,
  reminder_enabled: value.filter.flag,
  recurring_enabled: value.filter.flag,
  due_from: value.filter.date,
  due_to: value.filter.date,
  q: value.filter.text,
};
const login: Fields = {
  who: fc.record<Login>({
    login: fc.nat(5),
    upper: fc.boolean(),
    right: fc.boolean(),
  }),
};
const link: Fields = { category_id: value.linkedId };

const drafts: Draft[] = [
  { weight: 30, start: "POST /todos", body: todoFields, required: ["title"] },
  { weight: 40, start: "GET /todos", query: todoQuery },
  { weight: 6, start: "GET /todos/{id}", id: value.ref("todos") },
  { weight: 22, start: "PUT /todos/{id}", id: value.ref("todos"), body: todoFields },
  { weight: 5, start: "DELETE /todos/{id}", id: value.ref("todos") },
  {
    weight: 8,
    start: "POST /todos/{id}/categories",
    id: value.ref("todos"),
    body: link,
    required: ["category_id"],
  },
  { weight: 4, start: "DELETE /todos/{id}/categories/{categoryId}", id: value.ref("todos") },
  { weight: 12, start: "POST /recurring-tasks", body: taskFields, required: ["title"] },
  {
    weight: 12,
    start: "GET /recurring-tasks",
    query: {
      ...paging,
      sort: value.filter.sort("title", "schedule", "created_at"),
      id: value.filter.id("tasks"),
      schedule: value.filter.schedule,
      favorite: value.filter.flag,
    },
  },
  { weight: 3, start: "GET /recurring-tasks/{id}", id: value.ref("tasks") },
  { weight: 10, start: "PUT /recurring-tasks/{id}", id: value.ref("tasks"), body: taskFields },
  { weight: 3, start: "DELETE /recurring-tasks/{id}", id: value.ref("tasks") },
  {
    weight: 5,
    start: "POST /recurring-tasks/{id}/categories",
    id: value.ref("tasks"),
    body: link,
    required: ["category_id"],
  },
  {
    weight: 3,
    start: "DELETE /recurring-tasks/{id}/categories/{categoryId}",
    id: value.ref("tasks"),
  },
  { weight: 10, start: "POST /categories", body: categoryFields, required: ["name", "color"] },
  {
    weight: 8,
    start: "GET /categories",
    query: {
      ...paging,
      sort: value.filter.sort("name", "favorite", "created_at"),
      id: value.filter.id("categories"),
      favorite: value.filter.flag,
    },
  },
  { weight: 2, start: "GET /categories/{id}", id: value.ref("categories") },
  { weight: 8, start: "PUT /categories/{id}", id: value.ref("categories"), body: categoryFields },
  { weight: 2, start: "DELETE /categories/{id}", id: value.ref("categories") },
  { weight: 7, start: "POST /projects", body: projectFields, required: ["name"] },
  {
    weight: 8,
    start: "GET /projects",
    query: {
      ...paging,
      sort: value.filter.sort("name", "created_at"),
      id: value.filter.id("projects"),
    },
  },
  { weight: 2, start: "GET /projects/{id}", id: value.ref("projects") },
  { weight: 6, start: "PUT /projects/{id}", id: value.ref("projects"), body: projectFields },
  { weight: 2, start: "DELETE /projects/{id}", id: value.ref("projects") },
  {
    weight: 6,
    start: "GET /activity-logs",
    query: { limit: value.filter.perPage, page: value.filter.page },
  },
  { weight: 3, start: "GET /activity-logs/{id}", id: value.ref("log") },
  { weight: 4, start: "GET /user/themes" },
  {
    weight: 5,
    start: "POST /user/themes",
    body: { theme_id: value.themeId, ...themeFields },
    required: ["theme_id"],
  },
  { weight: 4, start: "PUT /user/themes/{id}", id: value.ref("installed"), body: themeFields },
  { weight: 2, start: "DELETE /user/themes/{id}", id: value.ref("installed") },
  { weight: 2, start: "GET /marketplace/themes" },
  { weight: 2, start: "GET /marketplace/themes/{id}", id: value.ref("themes") },
  { weight: 4, start: "GET /user/profile" },
  {
    weight: 5,
    start: "PUT /user/profile",
    body: {
      name: value.name,
      avatar_url: value.url,
      settings: value.object,
      email: fc.constant("x"),
    },
  },
  { weight: 4, start: "GET /user/api-keys" },
  { weight: 5, start: "POST /user/api-keys", body: keyFields },
  { weight: 2, start: "DELETE /user/api-keys/{id}", id: value.ref("keys") },
  { weight: 3, start: "POST /auth/jwt/refresh" },
  // Passwords are slow to check, as they should be: few requests get that far.
  { weight: 1, start: "POST /auth/login", body: login, required: ["who"] },
  { weight: 1, start: "POST /auth/jwt/login", body: login, required: ["who"] },
  { weight: 1, start: "POST /auth/api-key", body: { ...login, ...keyFields }, required: ["who"] },
  ...["POST /auth/register", "POST /auth/jwt/register"].map((start) => ({
    weight: 1,
    start,
    body: {
      email: fc.constantFrom<unknown>("new", "new", "taken", "taken", "no-email", 5, "a b@c"),
      password: fc.constantFrom<unknown>(
        "correct horse",
        "correct horse",
        "short",
        "x".repeat(73),
        5,
      ),
      name: value.name,
      avatar_url: value.url,
      settings: value.object,
    },
    required: ["email", "password", "name"],
  })),
  { weight: 1, start: "PATCH /todos" },
  { weight: 1, start: "DELETE /auth/login" },
  { weight: 1, start: "GET /nothing/here" },
  { weight: 1, start: "OPTIONS /anything" },
];

const agents = fc.constantFrom("todo/1.0", "curl/8", undefined, "x".repeat(300));

const credentials: fc.Arbitrary<Credentials> = fc.record({
  kind: fc.oneof<fc.WeightedArbitrary<Credentials["kind"]>[]>(
    { weight: 60, arbitrary: fc.constant("usable") },
    { weight: 4, arbitrary: fc.constant("any") },
    { weight: 2, arbitrary: fc.constantFrom("none", "wrong", "token") },
  ),
  user: fc.nat(3),
  key: fc.nat(100),
});

const noJson = fc.constantFrom(
  "{",
  "[]",
  "null",
  "5",
  '"x"',
  "{'a':1}",
  "\ufeff{}",
  "{}{}",
  `"${"x".repeat(1_100_000)}"`,
);

function optional(fields: Fields, required: string[] = []): fc.Arbitrary<Record<string, unknown>> {
  const all = fc.record(fields, { requiredKeys: required });
  if (required.length === 0) return all;
  return fc.oneof(
    { weight: 30, arbitrary: all },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  );
}

/** At most three filters at once: more of them leave nothing to compare. */
function queryOf(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .subarray(Object.keys(fields), { maxLength: Math.min(3, Object.keys(fields).length) })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, fields[name]!]))));
}

function toStep({ start, id, body, required, query }: Draft): fc.Arbitrary<Step> {
  const [method = "", path = ""] = start.split(" ");
  const known = fc.oneof(
    { weight: 25, arbitrary: id ?? fc.constant("") },
    { weight: 1, arbitrary: fc.oneof(fc.uuid(), fc.constantFrom("1", "x", "null", "todos")) },
  );
  const content =
    body === undefined
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 60, arbitrary: optional(body, required) },
          { weight: 1, arbitrary: fc.oneof(noJson, fc.constant(undefined)) },
        );
  return fc.record({
    method: fc
      .constant(method)
      .chain((one) =>
        one === "GET"
          ? fc.oneof(
              { weight: 40, arbitrary: fc.constant("GET") },
              { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS") },
            )
          : fc.constant(one),
      ),
    path: fc.constant(path),
    id: known,
    categoryId: path.includes("{categoryId}") ? value.linkedId : fc.constant(""),
    query: query === undefined ? fc.constant({}) : queryOf(query),
    body: content,
    credentials,
    agent: agents,
  });
}

/** Any request to the API, in the proportions in which people use it. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  ...drafts.map((draft) => ({ weight: draft.weight, arbitrary: toStep(draft) })),
);
