/** All that the service must remember, for some users who know nothing of anybody else. */
export interface World {
  users: User[];
  /** The published themes, as the catalogue lists them. */
  themes: readonly { id: string }[];
  /** Failed logins since the last success, by e-mail in one case. */
  failures: Map<string, number>;
  /** All ids, keys and tokens that were ever answered: none may come twice. */
  seen: Set<string>;
}

export type JsonObject = Record<string, unknown>;

export interface Profile {
  id: string;
  email: string;
  name: string;
  avatar_url: string | null;
  settings: JsonObject | null;
  created_at: string;
  updated_at: string;
}

export interface User {
  profile: Profile;
  password: string;
  /** Everything in the order of its creation. */
  keys: Key[];
  categories: Category[];
  projects: Project[];
  todos: Todo[];
  tasks: Task[];
  installed: UserTheme[];
  log: LogEntry[];
  tokens: string[];
}

export interface Key {
  id: string | undefined;
  key: string;
  name: string;
  scopes: string[];
  expires_at: string | null;
  isActive: boolean;
  /** When it was made: a span, where no answer has shown the moment. */
  made: Span;
  /** Milliseconds since 1970 of the first and the last accepted use. */
  used?: { first: number; last: number };
}

/** Timestamps between which something has happened, both included. */
export interface Span {
  from: string;
  to: string;
}

export interface Category {
  id: string;
  user_id: string;
  name: string;
  color: string;
  favorite: boolean;
  created_at: string;
}

export interface Project {
  id: string;
  user_id: string;
  name: string;
  description: string | null;
  color: string;
  created_at: string;
}

interface Linked {
  /** Ids of categories, also of those that are never shown. */
  links: Set<string>;
}

export interface TodoFields {
  id: string;
  user_id: string;
  title: string;
  description: string | null;
  status: string;
  due_date: string | null;
  due_time: string | null;
  sync_enabled: boolean;
  reminder_enabled: boolean;
  recurring_enabled: boolean;
  project_id: string | null;
  created_at: string;
  updated_at: string;
}
export type Todo = Linked & { fields: TodoFields };

export interface TaskFields {
  id: string;
  user_id: string;
  title: string;
  description: string | null;
  schedule: string;
  custom_days: string[];
  favorite: boolean;
  created_at: string;
  updated_at: string;
}
export type Task = Linked & { fields: TaskFields };

export interface UserTheme {
  id: string;
  user_id: string;
  theme_id: string;
  is_active: boolean;
  custom_settings: JsonObject | null;
  created_at: string;
}

export interface LogEntry {
  id: string | undefined;
  action: string;
  entity_type: string;
  entity_id: string;
  details: JsonObject;
  user_agent: string;
  made: Span;
}

/** A world without users. */
export function createWorld(themes: World["themes"]): World {
  return { users: [], themes, failures: new Map(), seen: new Set() };
}

/** The prefix of a key, which listings show. */
export function prefixOf(key: string): string {
  return key.slice(0, 12);
}

/** Whether the key opens anything at that moment. */
export function isUsable(key: Key, now: string): boolean {
  return key.isActive && (key.expires_at === null || key.expires_at > now);
}
