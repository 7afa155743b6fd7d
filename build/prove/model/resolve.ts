import type { Request } from "../http.ts";
import { type Login, isLogin } from "./drafts.ts";
import type { Step } from "./steps.ts";
import { type Ref, isRef } from "./values.ts";
import { type User, type World, isUsable } from "./world.ts";
import { timestamp } from "./text.ts";

const nobody = "00000000-0000-4000-8000-000000000000";
const unknownKey = `todo_${"0".repeat(38)}`;

/**
 * The request that a step is now that the world is as it is.
 *
 * @param run makes e-mails its own
 */
export function resolve(step: Step, world: World, run: string): Request {
  const { users } = world;
  const user = users[step.credentials.user % users.length]!;
  const value = (given: unknown): unknown => (isRef(given) ? idOf(given, world, user) : given);
  const inPath = (given: unknown) => encodeURIComponent(String(value(given)) || "-");
  const path = step.path
    .replace("{id}", () => inPath(step.id))
    .replace("{categoryId}", () => inPath(step.categoryId));
  const query = new URLSearchParams(
    Object.entries(step.query).map(([name, given]): [string, string] => [
      name,
      String(value(given)),
    ]),
  );
  const headers: Record<string, string> = {
    ...credentialsOf(step, user),
    ...(step.path === "/auth/jwt/refresh" && tokenOf(step, user)),
    ...(step.agent !== undefined && { "user-agent": step.agent }),
    // Nobody here is a proxy.
    ...(step.credentials.key % 10 === 0 && { "x-forwarded-for": "203.0.113.7" }),
  };
  const search = query.size === 0 ? "" : `?${query.toString()}`;
  return {
    method: step.method,
    target: `/api/v1${path}${search}`,
    headers,
    body: bodyOf(step, world, run, value),
  };
}

function idOf({ ref, nth, foreign, upper, length }: Ref, world: World, user: User): string {
  const { users, themes } = world;
  const owner = foreign ? users[(users.indexOf(user) + 1) % users.length]! : user;
  const ids: (string | undefined)[] = {
    categories: owner.categories.map(({ id }) => id),
    projects: owner.projects.map(({ id }) => id),
    todos: owner.todos.map(({ fields }) => fields.id),
    tasks: owner.tasks.map(({ fields }) => fields.id),
    installed: owner.installed.map(({ id }) => id),
    log: owner.log.map(({ id }) => id),
    keys: owner.keys.map(({ id }) => id),
    themes: themes.map(({ id }) => id),
  }[ref];
  const known = ids.filter((id) => id !== undefined);
  const id = (known[nth % known.length] ?? nobody).slice(0, length);
  return upper ? id.toUpperCase() : id;
}

function credentialsOf({ credentials: { kind, key: nth } }: Step, user: User) {
  const now = timestamp(Date.now());
  const usable = user.keys.filter((one) => isUsable(one, now) && one.scopes.length === 2);
  const some = kind === "usable" && usable.length > 0 ? usable : user.keys;
  const { key } = some[nth % some.length]!;
  if (kind === "none") return {};
  if (kind === "wrong") return { "x-api-key": nth % 2 === 0 ? unknownKey : key.slice(1) };
  if (kind === "token") return { authorization: `Bearer ${user.tokens[0] ?? "x"}` };
  return { "x-api-key": key };
}

function tokenOf({ credentials: { kind, key: nth } }: Step, { tokens }: User) {
  const token = tokens[nth % tokens.length] ?? "a.b.c";
  return { authorization: kind === "wrong" ? `Bearer ${token}x` : `Bearer ${token}` };
}

function bodyOf(
  { body, method }: Step,
  world: World,
  run: string,
  value: (given: unknown) => unknown,
): string | undefined {
  if (body === undefined || method === "GET" || method === "HEAD") return undefined;
  if (typeof body === "string") return body;
  const { who, ...fields } = body;
  const resolved = Object.entries(fields).map(([name, given]) => [name, value(given)] as const);
  const all: Record<string, unknown> = {
    ...(isLogin(who) && accountOf(who, world, run)),
    ...Object.fromEntries(resolved),
  };
  if ("email" in all) all["email"] = emailOf(all["email"], world, run);
  return JSON.stringify(all);
}

function accountOf({ login, upper, right }: Login, { users }: World, run: string) {
  const user = users[login];
  const email = user?.profile.email ?? `nobody-${login}.${run}@example.org`;
  const password = right && user !== undefined ? user.password : "wrong password";
  return { email: upper ? email.toUpperCase() : email, password };
}

function emailOf(given: unknown, { users }: World, run: string): unknown {
  if (given === "new") return `User${users.length}.${run}@Example.org`;
  return given === "taken" ? users[0]!.profile.email.toLowerCase() : given;
}
