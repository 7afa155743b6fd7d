import { type } from "./arktype.ts";
import { LinkedCategory } from "./categories.ts";
import {
  Flag,
  LenientUuid,
  Name,
  TextOrNull,
  Timestamp,
  Truthy,
  Uuid,
  oneOf,
  setOf,
} from "./fields.ts";
import { FlagFilter, choice, pageQuery } from "./query.ts";
import { schedules, weekdays } from "./values.ts";
import { lazy } from "./lazy.ts";

const Schedule = oneOf(schedules);
const Days = setOf(weekdays, 0);

export const RecurringTask = lazy(() =>
  type({
    id: Uuid,
    user_id: Uuid,
    title: Name,
    description: TextOrNull,
    schedule: Schedule,
    custom_days: Days,
    favorite: Flag,
    created_at: Timestamp,
    updated_at: Timestamp,
    categories: LinkedCategory.array(),
  }),
);

export const NewRecurringTask = lazy(() =>
  type({
    title: Name,
    "description?": TextOrNull,
    schedule: Schedule.default("weekly"),
    custom_days: Days.default(() => []),
    favorite: Truthy.default(false),
    "category_id?": LenientUuid,
  }),
);

export const RecurringTaskChanges = lazy(() =>
  type({
    "title?": Name,
    "description?": TextOrNull,
    "schedule?": Schedule,
    "custom_days?": Days,
    "favorite?": Truthy,
    "category_id?": LenientUuid,
  }),
);

export const RecurringTaskQuery = lazy(() =>
  pageQuery(["title", "schedule", "created_at"]).and({
    "schedule?": choice(schedules),
    "favorite?": FlagFilter,
  }),
);
