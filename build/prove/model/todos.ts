import { type KeyCall, type Operation, type PageOperation, given, logged, pick } from "./call.ts";
import { check, filters, invalid, rules } from "./fields.ts";
import { categoriesOf, link, linkOwn, replaceLinks, unlink } from "./links.ts";
import { type Query, checkFilters, isSet, toPage } from "./lists.ts";
import { notFound } from "./refusal.ts";
import { fold } from "./text.ts";
import type { Todo, TodoFields, User } from "./world.ts";

/** Section 4.6. */

const flags = ["sync_enabled", "reminder_enabled", "recurring_enabled"] as const;
const changeable = [
  "title",
  "description",
  "status",
  "due_date",
  "due_time",
  ...flags,
  "project_id",
] as const;

function find({ user, params }: KeyCall): Todo {
  const todo = user.todos.find(({ fields }) => fields.id === params.id);
  if (todo === undefined) throw notFound("Todo");
  return todo;
}

function shown(user: User, todo: Todo) {
  return { ...todo.fields, categories: categoriesOf(user, todo) };
}

function projectOf({ user, body }: KeyCall): string | null {
  const id = (body["project_id"] as string | null | undefined)?.toLowerCase() ?? null;
  if (id !== null && !user.projects.some((one) => one.id === id)) throw invalid("project_id");
  return id;
}

export const listTodos: PageOperation = ({ user, query }) => {
  checkFilters(query, {
    status: filters.statuses,
    project_id: filters.uuid,
    category_id: filters.uuid,
    due_from: filters.date,
    due_to: filters.date,
    q: filters.text,
    ...Object.fromEntries(flags.map((flag) => [flag, filters.flag])),
  });
  const matching = user.todos.filter((todo) => matches(user, query, todo));
  const page = toPage(query, matching, ({ fields }) => fields.id, {
    title: ({ fields }) => fields.title,
    status: ({ fields }) => fields.status,
    due_date: ({ fields }) => fields.due_date,
    due_time: ({ fields }) => fields.due_time,
    created_at: ({ fields }) => fields.created_at,
    updated_at: ({ fields }) => fields.updated_at,
  });
  return { ...page, items: page.items.map((todo) => shown(user, todo)) };
};

function matches(user: User, query: Query, todo: Todo): boolean {
  const { title, description, status, due_date, project_id } = todo.fields;
  const { status: some, q, due_from, due_to, project_id: project, category_id } = query;
  const isLinked = (id: string) => categoriesOf(user, todo).some((one) => one.id === id);
  return (
    (some === undefined || some.split(",").includes(status)) &&
    (project === undefined || project_id === project.toLowerCase()) &&
    (category_id === undefined || isLinked(category_id.toLowerCase())) &&
    (due_from === undefined || (due_date !== null && due_date >= due_from)) &&
    (due_to === undefined || (due_date !== null && due_date <= due_to)) &&
    (q === undefined || [title, description ?? ""].some((text) => fold(text).includes(fold(q)))) &&
    flags.every((flag) => query[flag] === undefined || todo.fields[flag] === isSet(query[flag]))
  );
}

export const getTodo: Operation = (call) => shown(call.user, find(call));

export const createTodo: Operation = (call) => {
  const { user, body, data, generated } = call;
  check(body, rules.todo, ["title"]);
  const { title, description, status, due_date, due_time } = body;
  const project_id = projectOf(call);
  const fields = {
    id: generated.id(pick(data, "id")),
    user_id: user.profile.id,
    title,
    description: description ?? null,
    status: status ?? "open",
    due_date: due_date ?? null,
    due_time: due_time ?? null,
    sync_enabled: body["sync_enabled"] === undefined || Boolean(body["sync_enabled"]),
    reminder_enabled: Boolean(body["reminder_enabled"]),
    recurring_enabled: Boolean(body["recurring_enabled"]),
    project_id,
    created_at: generated.now(pick(data, "created_at")),
    updated_at: generated.now(pick(data, "updated_at")),
  } as TodoFields;
  const todo: Todo = { fields, links: new Set() };
  user.todos.push(todo);
  linkOwn(call, todo);
  logged(call, "todo", "created", fields.id, { title: fields.title });
  return shown(user, todo);
};

export const updateTodo: Operation = (call) => {
  const { user, body, data, generated } = call;
  const todo = find(call);
  check(body, rules.todo);
  const changes = given(body, changeable);
  if ("project_id" in changes) changes.project_id = projectOf(call);
  for (const flag of flags) if (flag in changes) changes[flag] = Boolean(changes[flag]);
  logged(call, "todo", "updated", todo.fields.id, { title: todo.fields.title });
  if (Object.keys(changes).length > 0 || body["category_id"] !== undefined) {
    Object.assign(todo.fields, changes, { updated_at: generated.now(pick(data, "updated_at")) });
  }
  replaceLinks(call, todo);
  return shown(user, todo);
};

export const removeTodo: Operation = (call) => {
  const todo = find(call);
  call.user.todos = call.user.todos.filter((one) => one !== todo);
  logged(call, "todo", "deleted", todo.fields.id, { title: todo.fields.title });
  return null;
};

export const linkTodo: Operation = (call) => link(call, find(call), "todo");
export const unlinkTodo: Operation = (call) => unlink(call, find(call));
