import type { Route } from "./routes.ts";

/** Where the operations of the administration live, on a socket of their own. */
export const adminPrefix = "/admin/v1";

/** Below it: all of the database, as bytes. */
export const backupPath = "/backup";

/**
 * What an operator can do with a data folder beyond the API. `public` stands for whoever reaches
 * the socket: the owner of the folder, and root.
 */
export const adminRoutes = {
  users: {
    list: {
      method: "GET",
      path: "/users",
      auth: "public",
      status: 200,
      message: "Users retrieved successfully",
      returns: "list",
      summary: "List the users, by e-mail",
    },
    create: {
      method: "POST",
      path: "/users",
      auth: "public",
      status: 201,
      message: "User added successfully",
      returns: "record",
      errors: ["conflict", "busy"],
      summary: "Add a user, also where registration is closed; no key is made",
    },
    setPassword: {
      method: "PUT",
      path: "/users/{id}/password",
      auth: "public",
      status: 200,
      message: "Password changed successfully",
      returns: "record",
      errors: ["not_found", "busy"],
      summary: "Set a user's password, which ends all of the user's tokens",
    },
    remove: {
      method: "DELETE",
      path: "/users/{id}",
      auth: "public",
      status: 200,
      message: "User removed successfully",
      returns: "nothing",
      errors: ["not_found"],
      summary: "Remove a user with everything that is the user's",
    },
  },

  keys: {
    list: {
      method: "GET",
      path: "/keys",
      auth: "public",
      status: 200,
      message: "API keys retrieved successfully",
      returns: "list",
      summary: "List the API keys of all users, newest first",
    },
    revoke: {
      method: "DELETE",
      path: "/keys/{id}",
      auth: "public",
      status: 200,
      message: "API key revoked successfully",
      returns: "nothing",
      errors: ["not_found"],
      summary: "Revoke any user's API key for good",
    },
  },

  themes: {
    list: {
      method: "GET",
      path: "/themes",
      auth: "public",
      status: 200,
      message: "Themes retrieved successfully",
      returns: "list",
      summary: "List the catalogue with what is not published, by display name",
    },
    create: {
      method: "POST",
      path: "/themes",
      auth: "public",
      status: 201,
      message: "Theme added successfully",
      returns: "record",
      errors: ["conflict"],
      summary: "Add a theme to the catalogue",
    },
    remove: {
      method: "DELETE",
      path: "/themes/{id}",
      auth: "public",
      status: 200,
      message: "Theme removed successfully",
      returns: "nothing",
      errors: ["not_found"],
      summary: "Remove a theme from the catalogue; installations stay with their users",
    },
  },
} as const satisfies Record<string, Record<string, Route>>;
