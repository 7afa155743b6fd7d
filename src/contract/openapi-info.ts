import { limits } from "./limits.ts";
import type { Info, SecurityScheme } from "./openapi-types.ts";
import type { Resource } from "./routes.ts";

/** The prose of the OpenAPI document. */

const description = `A multi-user todo service: todos, recurring tasks, categories, projects, an activity log and themes.

**Envelope.** Success is \`{success: true, message, data}\`; deletes, links and unlinks answer \`data: null\`. Failure is \`{success: false, message}\`, with \`errors\` (field → message) where fields are to blame. Only a key that is refused (401, 403) is answered \`{error, message}\`.

**Credentials.** Register or log in for an API key and send it as \`X-API-Key\`. A key with the scope \`read\` may call GET and HEAD; everything else takes \`write\`. Each operation names its scope under \`security\`. A JWT (\`Authorization: Bearer\`) is valid for one hour and good for \`/auth/jwt/refresh\` only.

**Ownership.** All but the theme catalogue is private. A record of another user, one that does not exist and an id that is no UUID are answered alike: 404.

**Bodies** are JSON objects of at most 1 MiB, whatever their Content-Type; an absent body counts as \`{}\`. Unknown fields are ignored. An update changes the given fields only. Booleans of a body are read by JavaScript's truthiness: \`false\`, \`0\`, \`""\` and \`null\` are false, everything else is true.

**Order of checks.** Route, credentials, scope, JSON, existence (404), validation (422), conflict (409).

**Pages.** Paginated lists take \`page\` and \`per_page\` (at most ${limits.perPage.max}) and answer a \`pagination\` object beside \`data\`. Values out of range are clamped; a page past the end is empty. \`sort\` lists fields separated by commas, a leading minus for descending: \`title,-created_at\`. Missing values come last, text sorts without regard to case, ties keep the order of creation. A filter value outside its type is 422.

**Time.** Timestamps are UTC, \`YYYY-MM-DD HH:MM:SS\`. Due dates and times have no time zone.

**Text** is well-formed Unicode without NUL and is stored as given. Lengths count characters (code points).

**Every path** also answers HEAD wherever it answers GET, OPTIONS with 200 and CORS headers (any origin), and any other method with 405 and \`Allow\`. An unknown path is 404. Requests that are broken or stall at the level of HTTP may be answered 400, 408 or 431.

What goes beyond interface 1.0.0 is marked \`x-extension: true\`.`;

/** @param version the program's version; that of the API is fixed */
export function infoOf(version: string): Info {
  return {
    title: "todo",
    version: "1.0.0",
    "x-program-version": version,
    summary: "A self-hosted todo service",
    description,
    license: { name: "MIT", identifier: "MIT" },
  };
}

/** How the operations of each resource are grouped. */
export const resourceTags: Record<Resource, { name: string; description: string }> = {
  auth: { name: "Authentication", description: "Accounts, logins, API keys by password, JWTs." },
  profile: { name: "Profile", description: "The caller's own account." },
  keys: { name: "API keys", description: "The caller's API keys. A full key is shown only once." },
  catalogue: { name: "Theme catalogue", description: "Published themes, for everybody to read." },
  categories: { name: "Categories", description: "Coloured labels for todos and recurring tasks." },
  projects: { name: "Projects", description: "Groups of todos; a todo belongs to one at most." },
  todos: { name: "Todos", description: "Things to do, with their links to categories." },
  recurring: { name: "Recurring tasks", description: "Tasks that return on a schedule." },
  activity: {
    name: "Activity log",
    description:
      "What was created, updated and deleted among the caller's todos, recurring tasks, projects and categories.",
  },
  userThemes: { name: "User themes", description: "Themes that the caller has installed." },
};

export const serviceTag = { name: "Service", description: "About the API itself." };

export const securitySchemes: Record<"apiKey" | "bearer", SecurityScheme> = {
  apiKey: {
    type: "apiKey",
    in: "header",
    name: "X-API-Key",
    description: "A full API key (`todo_…`). The scope that an operation needs stands beside it.",
  },
  bearer: {
    type: "http",
    scheme: "bearer",
    bearerFormat: "JWT",
    description:
      "A JWT from `/auth/jwt/register`, `/auth/jwt/login` or `/auth/jwt/refresh`. It ends after an hour, and when the user's password is changed.",
  },
};
