import { type } from "./arktype.ts";
import { LinkedCategory } from "./categories.ts";
import {
  DateOrNull,
  Flag,
  LenientUuid,
  Name,
  TextOrNull,
  TimeOrNull,
  Timestamp,
  Truthy,
  Uuid,
  UuidOrNull,
  UuidOrNullGiven,
  oneOf,
} from "./fields.ts";
import { DateFilter, FlagFilter, TextFilter, UuidFilter, pageQuery, someOf } from "./query.ts";
import { statuses } from "./values.ts";
import { lazy } from "./lazy.ts";

const Status = oneOf(statuses);

export const Todo = lazy(() =>
  type({
    id: Uuid,
    user_id: Uuid,
    title: Name,
    description: TextOrNull,
    status: Status,
    due_date: DateOrNull,
    due_time: TimeOrNull,
    sync_enabled: Flag,
    reminder_enabled: Flag,
    recurring_enabled: Flag,
    project_id: UuidOrNull,
    created_at: Timestamp,
    updated_at: Timestamp,
    categories: LinkedCategory.array(),
  }),
);

export const NewTodo = lazy(() =>
  type({
    title: Name,
    "description?": TextOrNull,
    status: Status.default("open"),
    "due_date?": DateOrNull,
    "due_time?": TimeOrNull,
    sync_enabled: Truthy.default(true),
    reminder_enabled: Truthy.default(false),
    recurring_enabled: Truthy.default(false),
    "project_id?": UuidOrNullGiven,
    "category_id?": LenientUuid,
  }),
);

export const TodoChanges = lazy(() =>
  type({
    "title?": Name,
    "description?": TextOrNull,
    "status?": Status,
    "due_date?": DateOrNull,
    "due_time?": TimeOrNull,
    "sync_enabled?": Truthy,
    "reminder_enabled?": Truthy,
    "recurring_enabled?": Truthy,
    "project_id?": UuidOrNullGiven,
    "category_id?": LenientUuid,
  }),
);

export const TodoQuery = lazy(() =>
  pageQuery(["title", "status", "due_date", "due_time", "created_at", "updated_at"]).and({
    "status?": someOf(statuses, "Several, separated by commas, are an extension."),
    "project_id?": UuidFilter,
    "sync_enabled?": FlagFilter,
    "reminder_enabled?": FlagFilter,
    "recurring_enabled?": FlagFilter,
    "category_id?": UuidFilter,
    "due_from?": DateFilter,
    "due_to?": DateFilter,
    "q?": TextFilter,
  }),
);
