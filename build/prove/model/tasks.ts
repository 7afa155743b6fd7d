import { type KeyCall, type Operation, type PageOperation, given, logged, pick } from "./call.ts";
import { check, filters, rules } from "./fields.ts";
import { categoriesOf, link, linkOwn, replaceLinks, unlink } from "./links.ts";
import { checkFilters, isSet, toPage } from "./lists.ts";
import { notFound } from "./refusal.ts";
import type { Task, TaskFields, User } from "./world.ts";

/** Section 4.7: recurring tasks. */

const changeable = ["title", "description", "schedule", "custom_days", "favorite"] as const;

function find({ user, params }: KeyCall): Task {
  const task = user.tasks.find(({ fields }) => fields.id === params.id);
  if (task === undefined) throw notFound("Recurring task");
  return task;
}

function shown(user: User, task: Task) {
  return { ...task.fields, categories: categoriesOf(user, task) };
}

/** In the order given, without what is repeated. */
function daysOf(value: unknown): string[] {
  return [...new Set((value ?? []) as string[])];
}

export const listTasks: PageOperation = ({ user, query }) => {
  checkFilters(query, { schedule: filters.schedule, favorite: filters.flag });
  const { schedule, favorite } = query;
  const matching = user.tasks.filter(
    ({ fields }) =>
      (schedule === undefined || fields.schedule === schedule) &&
      (favorite === undefined || fields.favorite === isSet(favorite)),
  );
  const page = toPage(query, matching, ({ fields }) => fields.id, {
    title: ({ fields }) => fields.title,
    schedule: ({ fields }) => fields.schedule,
    created_at: ({ fields }) => fields.created_at,
  });
  return { ...page, items: page.items.map((task) => shown(user, task)) };
};

export const getTask: Operation = (call) => shown(call.user, find(call));

export const createTask: Operation = (call) => {
  const { user, body, data, generated } = call;
  check(body, rules.task, ["title"]);
  const fields = {
    id: generated.id(pick(data, "id")),
    user_id: user.profile.id,
    title: body["title"],
    description: body["description"] ?? null,
    schedule: body["schedule"] ?? "weekly",
    custom_days: daysOf(body["custom_days"]),
    favorite: Boolean(body["favorite"]),
    created_at: generated.now(pick(data, "created_at")),
    updated_at: generated.now(pick(data, "updated_at")),
  } as TaskFields;
  const task: Task = { fields, links: new Set() };
  user.tasks.push(task);
  linkOwn(call, task);
  logged(call, "recurring_task", "created", fields.id, { title: fields.title });
  return shown(user, task);
};

export const updateTask: Operation = (call) => {
  const { user, body, data, generated } = call;
  const task = find(call);
  check(body, rules.task);
  const changes = given(body, changeable);
  if ("custom_days" in changes) changes.custom_days = daysOf(changes.custom_days);
  if ("favorite" in changes) changes.favorite = Boolean(changes.favorite);
  logged(call, "recurring_task", "updated", task.fields.id, { title: task.fields.title });
  if (Object.keys(changes).length > 0 || body["category_id"] !== undefined) {
    Object.assign(task.fields, changes, { updated_at: generated.now(pick(data, "updated_at")) });
  }
  replaceLinks(call, task);
  return shown(user, task);
};

export const removeTask: Operation = (call) => {
  const task = find(call);
  call.user.tasks = call.user.tasks.filter((one) => one !== task);
  logged(call, "recurring_task", "deleted", task.fields.id, { title: task.fields.title });
  return null;
};

export const linkTask: Operation = (call) => link(call, find(call), "task");
export const unlinkTask: Operation = (call) => unlink(call, find(call));
