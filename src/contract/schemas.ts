import * as accounts from "./accounts.ts";
import * as activity from "./activity.ts";
import * as categories from "./categories.ts";
import * as projects from "./projects.ts";
import * as recurring from "./recurring.ts";
import type { Action, Resource, Routes } from "./routes.ts";
import * as themes from "./themes.ts";
import * as todos from "./todos.ts";

/**
 * A schema of the contract. This is the seam between arktype's types, which
 * differ for every shape, and code that treats all operations alike.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- see above
export type Schema = { infer: any; inferIn: any; (value: unknown): unknown };

export interface OperationSchemas {
  query?: Schema;
  body?: Schema;
  /** What `data` holds (for lists: each item); absent where it is null. */
  result?: Schema;
}

/** The shapes of every operation of the route table; a missing one does not compile. */
export const schemas = {
  auth: {
    register: { body: accounts.Registration, result: accounts.Registered },
    login: { body: accounts.Credentials, result: accounts.LoggedIn },
    apiKey: { body: accounts.ApiKeyRequest, result: accounts.CreatedApiKey },
    jwtRegister: { body: accounts.Registration, result: accounts.RegisteredWithToken },
    jwtLogin: { body: accounts.Credentials, result: accounts.LoggedInWithToken },
    jwtRefresh: { result: accounts.Token },
  },
  profile: {
    get: { result: accounts.User },
    update: { body: accounts.ProfileChanges, result: accounts.User },
  },
  keys: {
    list: { result: accounts.ApiKey },
    create: { body: accounts.NewApiKey, result: accounts.CreatedApiKey },
    remove: {},
  },
  catalogue: {
    list: { result: themes.Theme },
    get: { result: themes.Theme },
  },
  categories: {
    list: { query: categories.CategoryQuery, result: categories.Category },
    create: { body: categories.NewCategory, result: categories.Category },
    get: { result: categories.Category },
    update: { body: categories.CategoryChanges, result: categories.Category },
    remove: {},
  },
  projects: {
    list: { query: projects.ProjectQuery, result: projects.Project },
    create: { body: projects.NewProject, result: projects.Project },
    get: { result: projects.Project },
    update: { body: projects.ProjectChanges, result: projects.Project },
    remove: {},
  },
  todos: {
    list: { query: todos.TodoQuery, result: todos.Todo },
    create: { body: todos.NewTodo, result: todos.Todo },
    get: { result: todos.Todo },
    update: { body: todos.TodoChanges, result: todos.Todo },
    remove: {},
    link: { body: categories.CategoryLink },
    unlink: {},
  },
  recurring: {
    list: { query: recurring.RecurringTaskQuery, result: recurring.RecurringTask },
    create: { body: recurring.NewRecurringTask, result: recurring.RecurringTask },
    get: { result: recurring.RecurringTask },
    update: { body: recurring.RecurringTaskChanges, result: recurring.RecurringTask },
    remove: {},
    link: { body: categories.CategoryLink },
    unlink: {},
  },
  activity: {
    list: { query: activity.LogQuery, result: activity.ActivityLogEntry },
    get: { result: activity.ActivityLogEntry },
  },
  userThemes: {
    list: { result: themes.UserTheme },
    create: { body: themes.NewUserTheme, result: themes.UserTheme },
    update: { body: themes.UserThemeChanges, result: themes.UserTheme },
    remove: {},
  },
} as const satisfies { [R in Resource]: { [A in Action<R>]: OperationSchemas } };

/** The schemas that the OpenAPI document names. */
export const models = {
  User: accounts.User,
  UserSummary: accounts.UserSummary,
  Registration: accounts.Registration,
  Credentials: accounts.Credentials,
  ApiKeyRequest: accounts.ApiKeyRequest,
  Registered: accounts.Registered,
  LoggedIn: accounts.LoggedIn,
  RegisteredWithToken: accounts.RegisteredWithToken,
  LoggedInWithToken: accounts.LoggedInWithToken,
  Token: accounts.Token,
  ProfileChanges: accounts.ProfileChanges,
  NewApiKey: accounts.NewApiKey,
  CreatedApiKey: accounts.CreatedApiKey,
  ApiKey: accounts.ApiKey,
  ActivityLogEntry: activity.ActivityLogEntry,
  Category: categories.Category,
  LinkedCategory: categories.LinkedCategory,
  NewCategory: categories.NewCategory,
  CategoryChanges: categories.CategoryChanges,
  CategoryLink: categories.CategoryLink,
  Project: projects.Project,
  NewProject: projects.NewProject,
  ProjectChanges: projects.ProjectChanges,
  Todo: todos.Todo,
  NewTodo: todos.NewTodo,
  TodoChanges: todos.TodoChanges,
  RecurringTask: recurring.RecurringTask,
  NewRecurringTask: recurring.NewRecurringTask,
  RecurringTaskChanges: recurring.RecurringTaskChanges,
  Theme: themes.Theme,
  UserTheme: themes.UserTheme,
  NewUserTheme: themes.NewUserTheme,
  UserThemeChanges: themes.UserThemeChanges,
} as const;

export type Schemas = typeof schemas;
export type Model<M extends keyof typeof models> = (typeof models)[M]["infer"];

type SchemasOf<R extends Resource, A extends Action<R>> = A extends keyof Schemas[R]
  ? Schemas[R][A]
  : never;
type RouteOf<R extends Resource, A extends Action<R>> = Routes[R][A];

/** The names of the path parameters: `{id}` in `/todos/{id}`. */
type PathParams<P> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;
export type ParamsOf<R extends Resource, A extends Action<R>> =
  RouteOf<R, A> extends { path: infer P } ? PathParams<P> : never;

/** The validated body that an operation works on; undefined where it takes none. */
export type BodyOf<R extends Resource, A extends Action<R>> =
  SchemasOf<R, A> extends { body: infer S extends Schema } ? S["infer"] : undefined;
/** The body as a client writes it. */
export type BodyInputOf<R extends Resource, A extends Action<R>> =
  SchemasOf<R, A> extends { body: infer S extends Schema } ? S["inferIn"] : undefined;
export type QueryOf<R extends Resource, A extends Action<R>> =
  SchemasOf<R, A> extends { query: infer S extends Schema } ? S["infer"] : undefined;
export type QueryNamesOf<R extends Resource, A extends Action<R>> =
  SchemasOf<R, A> extends { query: infer S extends Schema } ? keyof S["infer"] & string : never;

/** Where a page lies in its list (interface.md, section 8). */
export interface Pagination {
  page: number;
  per_page: number;
  total: number;
  last_page: number;
  has_more: boolean;
}

export interface Page<T> {
  items: T[];
  /** How many records match, on all pages. */
  total: number;
}

type RecordOf<R extends Resource, A extends Action<R>> =
  SchemasOf<R, A> extends { result: infer S extends Schema } ? S["infer"] : null;

/** What an operation answers as `data`. */
export type DataOf<R extends Resource, A extends Action<R>> =
  RouteOf<R, A> extends { returns: "list" | "page" } ? RecordOf<R, A>[] : RecordOf<R, A>;
/** What the service behind an operation returns: as `data`, but a page knows its total. */
export type ResultOf<R extends Resource, A extends Action<R>> =
  RouteOf<R, A> extends { returns: "page" } ? Page<RecordOf<R, A>> : DataOf<R, A>;
