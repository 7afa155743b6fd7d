import type { ErrorCode } from "./errors.ts";

/**
 * The route table: every operation of the API, as plain data. It loads nothing
 * (no schemas, no server), so that a command of the CLI can read it at no cost.
 * The schemas of each operation stand in `schemas.ts`, tied to it by types.
 */
export interface Route {
  method: "GET" | "POST" | "PUT" | "DELETE";
  /** Below `/api/v1`; `{id}` marks a parameter. */
  path: string;
  /** Who may call it: anybody, a key (`X-API-Key`), or a JWT (`Authorization: Bearer`). */
  auth: "public" | "key" | "bearer";
  status: 200 | 201;
  /** The `message` of the success envelope. */
  message: string;
  /** What `data` holds: one record, all of them, one page of them, or null. */
  returns: "record" | "list" | "page" | "nothing";
  /** The record that `{id}` names: answered 404 before the body is validated. */
  subject?: { resource: string; name: string };
  /** Failures beyond those that credentials, body, query and path id imply. */
  errors?: readonly ErrorCode[];
  summary: string;
  description?: string;
}

/** Where the API lives. */
export const apiPrefix = "/api/v1";

const key = { resource: "keys", name: "API key" };
const todo = { resource: "todos", name: "Todo" };
const recurring = { resource: "recurring", name: "Recurring task" };
const category = { resource: "categories", name: "Category" };
const project = { resource: "projects", name: "Project" };
const userTheme = { resource: "userThemes", name: "Theme" };

const linkRules =
  "The category is not checked: a link to one that does not exist, or is another user's, is accepted and never shown.";
const categoryIdRules =
  "`category_id` is never an error: anything but the id of one of the caller's categories links nothing.";

export const routes = {
  auth: {
    register: {
      method: "POST",
      path: "/auth/register",
      auth: "public",
      status: 201,
      message: "User registered successfully",
      returns: "record",
      errors: ["conflict", "forbidden", "busy"],
      summary: "Register, and receive an API key",
      description:
        "The key is shown once. E-mail addresses are unique without regard to case. A server started with --no-registration answers 403.",
    },
    login: {
      method: "POST",
      path: "/auth/login",
      auth: "public",
      status: 200,
      message: "Login successful",
      returns: "record",
      errors: ["unauthorized", "too_many_requests", "busy"],
      summary: "Log in by e-mail and password",
      description:
        "A user without an active, unexpired key gets a new one, shown once; otherwise the prefix of the newest one is returned. After 10 failures for one e-mail from one address within 15 minutes: 429.",
    },
    apiKey: {
      method: "POST",
      path: "/auth/api-key",
      auth: "public",
      status: 200,
      message: "API key created successfully",
      returns: "record",
      errors: ["unauthorized", "too_many_requests", "busy"],
      summary: "Create an API key by e-mail and password (legacy)",
    },
    jwtRegister: {
      method: "POST",
      path: "/auth/jwt/register",
      auth: "public",
      status: 201,
      message: "User registered successfully",
      returns: "record",
      errors: ["conflict", "forbidden", "busy"],
      summary: "Register, and receive a JWT and an API key",
    },
    jwtLogin: {
      method: "POST",
      path: "/auth/jwt/login",
      auth: "public",
      status: 200,
      message: "Login successful",
      returns: "record",
      errors: ["unauthorized", "too_many_requests", "busy"],
      summary: "Log in, and receive a JWT valid for one hour",
    },
    jwtRefresh: {
      method: "POST",
      path: "/auth/jwt/refresh",
      auth: "bearer",
      status: 200,
      message: "Token refreshed successfully",
      returns: "record",
      summary: "Exchange an unexpired JWT for a new one",
    },
  },

  profile: {
    get: {
      method: "GET",
      path: "/user/profile",
      auth: "key",
      status: 200,
      message: "Profile retrieved successfully",
      returns: "record",
      summary: "Show the caller's profile",
    },
    update: {
      method: "PUT",
      path: "/user/profile",
      auth: "key",
      status: 200,
      message: "Profile updated successfully",
      returns: "record",
      summary: "Change the caller's profile",
    },
  },

  keys: {
    list: {
      method: "GET",
      path: "/user/api-keys",
      auth: "key",
      status: 200,
      message: "API keys retrieved successfully",
      returns: "list",
      summary: "List the caller's API keys, newest first",
      description: "Inactive keys are listed too. `last_used_at` is kept to the minute.",
    },
    create: {
      method: "POST",
      path: "/user/api-keys",
      auth: "key",
      status: 200,
      message: "API key created successfully",
      returns: "record",
      summary: "Create an API key",
      description:
        "The full key is shown once. Its scopes must be among those of the key that creates it, else 403.",
    },
    remove: {
      method: "DELETE",
      path: "/user/api-keys/{id}",
      auth: "key",
      status: 200,
      message: "API key revoked successfully",
      returns: "nothing",
      subject: key,
      summary: "Revoke an API key for good",
      description: "A key can revoke itself. Revoking an inactive key is no error.",
    },
  },

  catalogue: {
    list: {
      method: "GET",
      path: "/marketplace/themes",
      auth: "public",
      status: 200,
      message: "Themes retrieved successfully",
      returns: "list",
      summary: "List the published themes, by display name",
    },
    get: {
      method: "GET",
      path: "/marketplace/themes/{id}",
      auth: "public",
      status: 200,
      message: "Theme retrieved successfully",
      returns: "record",
      subject: { resource: "catalogue", name: "Theme" },
      summary: "Show a published theme",
    },
  },

  categories: {
    list: {
      method: "GET",
      path: "/categories",
      auth: "key",
      status: 200,
      message: "Categories retrieved successfully",
      returns: "page",
      summary: "List the caller's categories",
      description: "Sortable: name, favorite, created_at. Default: created_at descending.",
    },
    create: {
      method: "POST",
      path: "/categories",
      auth: "key",
      status: 201,
      message: "Category created successfully",
      returns: "record",
      errors: ["conflict"],
      summary: "Create a category",
      description: "Names are unique per user, without regard to case.",
    },
    get: {
      method: "GET",
      path: "/categories/{id}",
      auth: "key",
      status: 200,
      message: "Category retrieved successfully",
      returns: "record",
      subject: category,
      summary: "Show a category",
    },
    update: {
      method: "PUT",
      path: "/categories/{id}",
      auth: "key",
      status: 200,
      message: "Category updated successfully",
      returns: "record",
      subject: category,
      errors: ["bad_request", "conflict"],
      summary: "Change a category",
      description: "With none of name, color and favorite: 400 'No valid fields to update'.",
    },
    remove: {
      method: "DELETE",
      path: "/categories/{id}",
      auth: "key",
      status: 200,
      message: "Category deleted successfully",
      returns: "nothing",
      subject: category,
      summary: "Delete a category and its links",
    },
  },

  projects: {
    list: {
      method: "GET",
      path: "/projects",
      auth: "key",
      status: 200,
      message: "Projects retrieved successfully",
      returns: "page",
      summary: "List the caller's projects",
      description: "Sortable: name, created_at. Default: created_at descending.",
    },
    create: {
      method: "POST",
      path: "/projects",
      auth: "key",
      status: 201,
      message: "Project created successfully",
      returns: "record",
      summary: "Create a project",
    },
    get: {
      method: "GET",
      path: "/projects/{id}",
      auth: "key",
      status: 200,
      message: "Project retrieved successfully",
      returns: "record",
      subject: project,
      summary: "Show a project",
    },
    update: {
      method: "PUT",
      path: "/projects/{id}",
      auth: "key",
      status: 200,
      message: "Project updated successfully",
      returns: "record",
      subject: project,
      summary: "Change a project",
    },
    remove: {
      method: "DELETE",
      path: "/projects/{id}",
      auth: "key",
      status: 200,
      message: "Project deleted successfully",
      returns: "nothing",
      subject: project,
      summary: "Delete a project; its todos stay, without a project",
    },
  },

  todos: {
    list: {
      method: "GET",
      path: "/todos",
      auth: "key",
      status: 200,
      message: "Todos retrieved successfully",
      returns: "page",
      summary: "List the caller's todos",
      description:
        "Sortable: title, status, due_date, due_time, created_at, updated_at; missing values come last. Default: created_at descending. Filters combine.",
    },
    create: {
      method: "POST",
      path: "/todos",
      auth: "key",
      status: 201,
      message: "Todo created successfully",
      returns: "record",
      summary: "Create a todo",
      description: categoryIdRules,
    },
    get: {
      method: "GET",
      path: "/todos/{id}",
      auth: "key",
      status: 200,
      message: "Todo retrieved successfully",
      returns: "record",
      subject: todo,
      summary: "Show a todo",
    },
    update: {
      method: "PUT",
      path: "/todos/{id}",
      auth: "key",
      status: 200,
      message: "Todo updated successfully",
      returns: "record",
      subject: todo,
      summary: "Change a todo",
      description: `A \`category_id\` in the body, even null, replaces all links. ${categoryIdRules}`,
    },
    remove: {
      method: "DELETE",
      path: "/todos/{id}",
      auth: "key",
      status: 200,
      message: "Todo deleted successfully",
      returns: "nothing",
      subject: todo,
      summary: "Delete a todo",
    },
    link: {
      method: "POST",
      path: "/todos/{id}/categories",
      auth: "key",
      status: 201,
      message: "Category linked successfully",
      returns: "nothing",
      subject: todo,
      errors: ["conflict"],
      summary: "Link a category to a todo",
      description: linkRules,
    },
    unlink: {
      method: "DELETE",
      path: "/todos/{id}/categories/{categoryId}",
      auth: "key",
      status: 200,
      message: "Category unlinked successfully",
      returns: "nothing",
      subject: todo,
      summary: "Remove a category from a todo",
      description: "Removing a link that does not exist is no error.",
    },
  },

  recurring: {
    list: {
      method: "GET",
      path: "/recurring-tasks",
      auth: "key",
      status: 200,
      message: "Recurring tasks retrieved successfully",
      returns: "page",
      summary: "List the caller's recurring tasks",
      description: "Sortable: title, schedule, created_at. Default: created_at descending.",
    },
    create: {
      method: "POST",
      path: "/recurring-tasks",
      auth: "key",
      status: 201,
      message: "Recurring task created successfully",
      returns: "record",
      summary: "Create a recurring task",
      description: categoryIdRules,
    },
    get: {
      method: "GET",
      path: "/recurring-tasks/{id}",
      auth: "key",
      status: 200,
      message: "Recurring task retrieved successfully",
      returns: "record",
      subject: recurring,
      summary: "Show a recurring task",
    },
    update: {
      method: "PUT",
      path: "/recurring-tasks/{id}",
      auth: "key",
      status: 200,
      message: "Recurring task updated successfully",
      returns: "record",
      subject: recurring,
      summary: "Change a recurring task",
      description: `A \`category_id\` in the body, even null, replaces all links. ${categoryIdRules}`,
    },
    remove: {
      method: "DELETE",
      path: "/recurring-tasks/{id}",
      auth: "key",
      status: 200,
      message: "Recurring task deleted successfully",
      returns: "nothing",
      subject: recurring,
      summary: "Delete a recurring task",
    },
    link: {
      method: "POST",
      path: "/recurring-tasks/{id}/categories",
      auth: "key",
      status: 201,
      message: "Category linked successfully",
      returns: "nothing",
      subject: recurring,
      errors: ["conflict"],
      summary: "Link a category to a recurring task",
      description: linkRules,
    },
    unlink: {
      method: "DELETE",
      path: "/recurring-tasks/{id}/categories/{categoryId}",
      auth: "key",
      status: 200,
      message: "Category unlinked successfully",
      returns: "nothing",
      subject: recurring,
      summary: "Remove a category from a recurring task",
      description: "Removing a link that does not exist is no error.",
    },
  },

  activity: {
    list: {
      method: "GET",
      path: "/activity-logs",
      auth: "key",
      status: 200,
      message: "Activity logs retrieved successfully",
      returns: "list",
      summary: "List the caller's recent activity, newest first",
    },
    get: {
      method: "GET",
      path: "/activity-logs/{id}",
      auth: "key",
      status: 200,
      message: "Activity log retrieved successfully",
      returns: "record",
      subject: { resource: "activity", name: "Activity log" },
      summary: "Show an entry of the activity log",
    },
  },

  userThemes: {
    list: {
      method: "GET",
      path: "/user/themes",
      auth: "key",
      status: 200,
      message: "Themes retrieved successfully",
      returns: "list",
      summary: "List the caller's installed themes, newest first",
    },
    create: {
      method: "POST",
      path: "/user/themes",
      auth: "key",
      status: 201,
      message: "Theme installed successfully",
      returns: "record",
      errors: ["not_found"],
      summary: "Install a published theme",
      description:
        "Installing a theme again updates the given fields of the existing installation. `is_active` switches no other theme off.",
    },
    update: {
      method: "PUT",
      path: "/user/themes/{id}",
      auth: "key",
      status: 200,
      message: "Theme updated successfully",
      returns: "record",
      subject: userTheme,
      summary: "Change an installed theme",
    },
    remove: {
      method: "DELETE",
      path: "/user/themes/{id}",
      auth: "key",
      status: 200,
      message: "Theme uninstalled successfully",
      returns: "nothing",
      subject: userTheme,
      summary: "Uninstall a theme",
    },
  },
} as const satisfies Record<string, Record<string, Route>>;

export type Routes = typeof routes;
export type Resource = keyof Routes;
export type Action<R extends Resource> = keyof Routes[R] & string;

/** Operations by resource and name. */
export type RouteTable<R extends string = string> = Record<R, Record<string, Route>>;

export interface NamedRoute<R extends string = string> {
  resource: R;
  action: string;
  route: Route;
}

/** Every operation of a table with its names, in the order of the table. */
export function namedRoutes<R extends string>(table: RouteTable<R>): NamedRoute<R>[] {
  return Object.entries<Record<string, Route>>(table).flatMap(([resource, actions]) =>
    Object.entries(actions).map(([action, route]) => ({ resource: resource as R, action, route })),
  );
}

/** Every operation of the API. */
export function allRoutes(): NamedRoute<Resource>[] {
  return namedRoutes<Resource>(routes);
}

/** What a key must be allowed to do to call the operation: only reading is `read`. */
export function scopeOf(method: string): "read" | "write" {
  return method === "GET" || method === "HEAD" ? "read" : "write";
}
