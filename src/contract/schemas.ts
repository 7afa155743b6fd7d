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

/** The names of the path parameters: `{id}` in `/todos/{id}`. */
type PathParams<P> = P extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathParams<Rest>
  : never;

type RecordOf<S> = S extends { result: infer Result extends Schema } ? Result["infer"] : null;
type DataFor<T, S> = T extends { returns: "list" | "page" } ? RecordOf<S>[] : RecordOf<S>;

/** What an operation takes and answers, by its route and its shapes. */
export interface OperationTypes<T, S> {
  isPublic: T extends { auth: "public" } ? true : false;
  /** The names of its path parameters. */
  params: T extends { path: infer P } ? PathParams<P> : never;
  query: S extends { query: infer Query extends Schema } ? Query["infer"] : undefined;
  queryNames: S extends { query: infer Query extends Schema }
    ? keyof Query["infer"] & string
    : never;
  /** The validated body that the operation works on; undefined where it takes none. */
  body: S extends { body: infer Body extends Schema } ? Body["infer"] : undefined;
  /** The body as a client writes it. */
  bodyInput: S extends { body: infer Body extends Schema } ? Body["inferIn"] : undefined;
  /** What it answers as `data`. */
  data: DataFor<T, S>;
  isPaged: T extends { returns: "page" } ? true : false;
  /** What the service behind it returns: as `data`, but a page knows its total. */
  result: T extends { returns: "page" } ? Page<RecordOf<S>> : DataFor<T, S>;
}

/** The types of every operation of a table, by resource. */
export type TypesOf<Table, Shapes> = {
  [R in keyof Table]: {
    [A in keyof Table[R]]: OperationTypes<
      Table[R][A],
      R extends keyof Shapes ? (A extends keyof Shapes[R] ? Shapes[R][A] : never) : never
    >;
  };
};

/** The types of every operation of the API. */
export type Api = TypesOf<Routes, Schemas>;

export type BodyOf<R extends Resource, A extends Action<R>> = Api[R][A]["body"];
export type QueryOf<R extends Resource, A extends Action<R>> = Api[R][A]["query"];
export type BodyInputOf<R extends Resource, A extends Action<R>> = Api[R][A]["bodyInput"];

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
