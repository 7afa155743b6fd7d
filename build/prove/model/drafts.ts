import * as fc from "fast-check";
import * as value from "./values.ts";

/** An e-mail and a password for a login: of a user or of nobody, right or wrong. */
export interface Login {
  login: number;
  upper: boolean;
  right: boolean;
}

/** Whether a value of a body is to become an e-mail and a password. */
export function isLogin(given: unknown): given is Login {
  return typeof given === "object" && given !== null && "login" in given;
}

/** What may be said in a body or a query. */
export type Fields = Record<string, fc.Arbitrary<unknown>>;

/** A kind of request. */
export interface Draft {
  /** How often it is made, compared with the others. */
  weight: number;
  /** Its method and path, as in the contract. */
  start: string;
  /** What `{id}` becomes. */
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

/** Every kind of request, in the proportions in which people make them. */
export const drafts: readonly Draft[] = [
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
