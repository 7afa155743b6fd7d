import { type } from "./arktype.ts";
import { Color, Name, TextOrNull, Timestamp, Uuid } from "./fields.ts";
import { pageQuery } from "./query.ts";
import { defaultProjectColor } from "./values.ts";
import { lazy } from "./lazy.ts";

export const Project = lazy(() =>
  type({
    id: Uuid,
    user_id: Uuid,
    name: Name,
    description: TextOrNull,
    color: Color,
    created_at: Timestamp,
  }),
);

export const NewProject = lazy(() =>
  type({
    name: Name,
    "description?": TextOrNull,
    color: Color.default(defaultProjectColor),
  }),
);

export const ProjectChanges = lazy(() =>
  type({
    "name?": Name,
    "description?": TextOrNull,
    "color?": Color,
  }),
);

export const ProjectQuery = lazy(() => pageQuery(["name", "created_at"]));
