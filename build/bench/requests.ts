import type { FixtureUser } from "./fixture.ts";

/** A path below the API's prefix, with its query, for a user. */
export type Target = (user: FixtureUser) => string;

const prefix = "/api/v1";

/** The target of one of the user's todos. */
export const oneTodo =
  (index: number): Target =>
  ({ todos }) =>
    `/todos/${todos[index % todos.length]!}`;

/** The target of a list of the user's todos. */
export const listOf =
  (query: string): Target =>
  () =>
    `/todos?${query}`;

function head(method: string, target: string, key: string): string {
  return `${method} ${prefix}${target} HTTP/1.1\r\nhost: localhost\r\nuser-agent: bench\r\nx-api-key: ${key}\r\n`;
}

/** A read as it goes over the wire. */
export function get(user: FixtureUser, target: Target): string {
  return `${head("GET", target(user), user.key)}\r\n`;
}

/** A new todo of about the usual size, as it goes over the wire. */
export function create(user: FixtureUser, index: number): string {
  const body = JSON.stringify({
    title: `Renew the ticket, the ${index}th time`,
    description: "At the counter, or by phone; the number is on the back of the old one.",
    due_date: `2026-12-${String((index % 28) + 1).padStart(2, "0")}`,
    category_id: user.categories[index % user.categories.length],
    project_id: user.projects[index % user.projects.length],
  });
  const type = "content-type: application/json\r\n";
  return `${head("POST", "/todos", user.key)}${type}content-length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;
}

/** The reads of several users, in turn, each several times with another index. */
export function reads(
  users: readonly FixtureUser[],
  times: number,
  target: (index: number) => Target,
): string[] {
  return Array.from({ length: times }, (_, index) =>
    users.map((user) => get(user, target(index))),
  ).flat();
}

/** The new todos of several users, in turn. */
export function creations(users: readonly FixtureUser[], times: number): string[] {
  return Array.from({ length: times }, (_, index) =>
    users.map((user) => create(user, index)),
  ).flat();
}

/** Four reads (two of one todo, two of a list) for each new todo, of several users in turn. */
export function mixture(users: readonly FixtureUser[], times: number): string[] {
  return Array.from({ length: times }, (_, index) =>
    users.map((user) => {
      if (index % 5 === 4) return create(user, index);
      return get(user, index % 2 === 0 ? oneTodo(index) : listOf("per_page=20"));
    }),
  ).flat();
}
