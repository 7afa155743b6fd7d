import { type } from "./arktype.ts";
import { Color, Name, TextOrNull, Timestamp, Uuid } from "./fields.ts";
import { pageQuery } from "./query.ts";
import { defaultProjectColor } from "./values.ts";

export const Project = type({
  id: Uuid,
  user_id: Uuid,
  name: Name,
  description: TextOrNull,
  color: Color,
  created_at: Timestamp,
});

export const NewProject = type({
  name: Name,
  "description?": TextOrNull,
  color: Color.default(defaultProjectColor),
});

export const ProjectChanges = type({
  "name?": Name,
  "description?": TextOrNull,
  "color?": Color,
});

export const ProjectQuery = pageQuery(["name", "created_at"]);
