import { type } from "./arktype.ts";
import { Color, Flag, Name, Timestamp, Truthy, Uuid, UuidGiven } from "./fields.ts";
import { FlagFilter, pageQuery } from "./query.ts";

export const Category = type({
  id: Uuid,
  user_id: Uuid,
  name: Name,
  color: Color,
  favorite: Flag,
  created_at: Timestamp,
});

/** A category as the records linked to it show it. */
export const LinkedCategory = type({ id: Uuid, name: Name, color: Color });

export const NewCategory = type({
  name: Name,
  color: Color,
  favorite: Truthy.default(false),
});

export const CategoryChanges = type({ "name?": Name, "color?": Color, "favorite?": Truthy });

export const CategoryQuery = pageQuery(["name", "favorite", "created_at"]).and({
  "favorite?": FlagFilter,
});

/** The body that links a category to a todo or a recurring task. */
export const CategoryLink = type({ category_id: UuidGiven });
