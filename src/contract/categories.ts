import { type } from "./arktype.ts";
import { Color, Flag, Name, Timestamp, Truthy, Uuid, UuidGiven } from "./fields.ts";
import { FlagFilter, pageQuery } from "./query.ts";
import { lazy } from "./lazy.ts";

export const Category = lazy(() =>
  type({
    id: Uuid,
    user_id: Uuid,
    name: Name,
    color: Color,
    favorite: Flag,
    created_at: Timestamp,
  }),
);

/** A category as the records linked to it show it. */
export const LinkedCategory = lazy(() => type({ id: Uuid, name: Name, color: Color }));

export const NewCategory = lazy(() =>
  type({
    name: Name,
    color: Color,
    favorite: Truthy.default(false),
  }),
);

export const CategoryChanges = lazy(() =>
  type({ "name?": Name, "color?": Color, "favorite?": Truthy }),
);

export const CategoryQuery = lazy(() =>
  pageQuery(["name", "favorite", "created_at"]).and({
    "favorite?": FlagFilter,
  }),
);

/** The body that links a category to a todo or a recurring task. */
export const CategoryLink = lazy(() => type({ category_id: UuidGiven }));
