import { type Call, type Operation, type PublicOperation, given, pick } from "./call.ts";
import { check, rules } from "./fields.ts";
import { Refusal, notFound } from "./refusal.ts";
import { fold } from "./text.ts";
import { type JsonObject, type Key, type User, isUsable, prefixOf } from "./world.ts";

/** Sections 4.1 and 4.2: registration, logins, keys and the profile. */

const bothScopes = ["read", "write"];

function findUser({ world }: Call, email: unknown): User | undefined {
  return world.users.find(({ profile }) => fold(profile.email) === fold(email as string));
}

/** What a timestamp becomes on input. */
function normalMoment(text: string): string {
  const hasZone = /(Z|[+-]\d\d:\d\d)$/.test(text);
  const moment = new Date(`${text.replace(" ", "T")}${hasZone ? "" : "Z"}`);
  return moment.toISOString().slice(0, 19).replace("T", " ");
}

function addKey({ generated }: Call, user: User, fields: JsonObject, value: unknown): Key {
  const { name = "API Key", scopes = bothScopes, expires_at = null } = fields;
  const key: Key = {
    id: undefined,
    key: generated.key(value),
    name: name as string,
    scopes: [...new Set(scopes as string[])],
    expires_at: expires_at === null ? null : normalMoment(expires_at as string),
    isActive: true,
    made: generated.span,
  };
  user.keys.push(key);
  return key;
}

function addUser(call: Call): User {
  const { body, generated, world } = call;
  check(body, rules.registration, ["email", "password", "name"]);
  if (findUser(call, body["email"]) !== undefined) {
    throw new Refusal(409, undefined, { fields: ["email"] });
  }
  const user: User = {
    profile: {
      id: generated.id(pick(call.data, "user", "id")),
      email: body["email"] as string,
      name: body["name"] as string,
      avatar_url: (body["avatar_url"] ?? null) as string | null,
      settings: (body["settings"] === undefined
        ? { theme: "light" }
        : body["settings"]) as JsonObject | null,
      created_at: generated.now(pick(call.data, "user", "created_at")),
      updated_at: generated.now(pick(call.data, "user", "updated_at")),
    },
    password: body["password"] as string,
    keys: [],
    categories: [],
    projects: [],
    todos: [],
    tasks: [],
    installed: [],
    log: [],
    tokens: [],
  };
  world.users.push(user);
  addKey(call, user, { name: "Registration" }, pick(call.data, "api_key"));
  return user;
}

export const register: PublicOperation = (call) => {
  const user = addUser(call);
  const { key } = user.keys[0]!;
  return { user: user.profile, api_key: key, key_prefix: prefixOf(key) };
};

export const jwtRegister: PublicOperation = (call) => {
  const user = addUser(call);
  return { user: user.profile, token: issue(call, user), api_key: user.keys[0]!.key };
};

function issue({ data, generated }: Call, user: User): string {
  const token = generated.token(pick(data, "token"), user.profile.id);
  user.tokens.push(token);
  return token;
}

/** Ten failures for one e-mail are followed by 429, even for the right password. */
function authenticate(call: Call): User {
  const { failures } = call.world;
  const email = fold(call.body["email"] as string);
  const count = failures.get(email) ?? 0;
  if (count >= 10) throw new Refusal(429, undefined, { headers: { "retry-after": /^[1-9]\d*$/ } });
  const user = findUser(call, call.body["email"]);
  if (user === undefined || user.password !== call.body["password"]) {
    failures.set(email, count + 1);
    throw new Refusal(401, "Invalid e-mail or password");
  }
  failures.delete(email);
  return user;
}

function summary({ profile: { id, email, name } }: User) {
  return { id, email, name };
}

export const login: PublicOperation = (call) => {
  check(call.body, rules.credentials, ["email", "password"]);
  const user = authenticate(call);
  const usable = user.keys.findLast((key) => isUsable(key, call.generated.span.from));
  if (usable !== undefined) return { user: summary(user), api_key_prefix: prefixOf(usable.key) };
  const { key } = addKey(call, user, { name: "Login" }, pick(call.data, "api_key"));
  return { user: summary(user), api_key: key };
};

export const jwtLogin: PublicOperation = (call) => {
  check(call.body, rules.credentials, ["email", "password"]);
  const user = authenticate(call);
  return { user: summary(user), token: issue(call, user) };
};

/** @param user whose token was shown */
export function jwtRefresh(call: Call, user: User): unknown {
  return { token: issue(call, user) };
}

function createdForm(call: Call, user: User): unknown {
  const made = addKey(call, user, call.body, pick(call.data, "key"));
  made.id = call.generated.id(pick(call.data, "id"));
  const { id, key, name, scopes, expires_at } = made;
  return { id, key, prefix: prefixOf(key), name, scopes, expires_at };
}

export const keyByPassword: PublicOperation = (call) => {
  check(call.body, rules.keyByPassword, ["email", "password"]);
  return createdForm(call, authenticate(call));
};

export const createKey: Operation = (call) => {
  check(call.body, rules.key);
  const wanted = (call.body["scopes"] ?? bothScopes) as string[];
  if (wanted.some((scope) => !call.key.scopes.includes(scope))) throw new Refusal(403);
  return createdForm(call, call.user);
};

export const removeKey: Operation = ({ user, params }) => {
  const key = user.keys.find(({ id }) => id === params.id);
  if (key === undefined) throw notFound("API key");
  key.isActive = false;
  return null;
};

/** Milliseconds after which a use must show; the rulings say 2 s, to which a busy machine adds. */
const noteMs = 10_000;

export const listKeys: Operation = ({ user, data, generated }) =>
  user.keys.toReversed().map((key, index) => {
    const shown = (data as JsonObject[] | undefined)?.[index];
    if (key.id === undefined) {
      const id = generated.id(shown?.["id"]);
      if (!id.startsWith("<")) key.id = id;
    }
    const created_at = generated.within(shown?.["created_at"], key.made);
    if (!created_at.startsWith("<")) key.made = { from: created_at, to: created_at };
    return {
      id: key.id,
      key_prefix: prefixOf(key.key),
      name: key.name,
      scopes: key.scopes,
      is_active: key.isActive,
      last_used_at: lastUse(key, shown?.["last_used_at"]),
      created_at,
    };
  });

/** Kept to the minute: some use in the minute of the last one, unless that has only just been. */
function lastUse({ used }: Key, shown: unknown): unknown {
  if (used === undefined) return null;
  if (shown === null || typeof shown !== "string") {
    return Date.now() - used.first < noteMs ? shown : "<when the key was used>";
  }
  const moment = Date.parse(`${shown.replace(" ", "T")}Z`);
  const isKnown = moment >= used.first - 2000 && moment <= used.last + 1000;
  const isRecent = Math.floor(moment / 60_000) === Math.floor(used.last / 60_000);
  const isFollowing = used.last - moment < 60_000 + noteMs;
  return isKnown && (isRecent || isFollowing) ? shown : "<when the key was used>";
}

export const getProfile: Operation = ({ user }) => user.profile;

export const updateProfile: Operation = ({ user, body, data, generated }) => {
  check(body, rules.profile);
  const changes = given(body, ["name", "avatar_url", "settings"]);
  if (Object.keys(changes).length === 0) return user.profile;
  Object.assign(user.profile, changes, { updated_at: generated.now(pick(data, "updated_at")) });
  return user.profile;
};
