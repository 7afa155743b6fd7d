import { toParameterSchemas } from "./openapi-schemas.ts";
import type { ParameterObject } from "./openapi-types.ts";
import type { Route } from "./routes.ts";
import type { Schema } from "./schemas.ts";

/** What the parameters mean whose fields do not say it. */
const meanings: Readonly<Record<string, string>> = {
  categoryId: "The category's id.",
  category_id: "Extension: only todos linked to this category.",
  favorite: "Only favorites, or only the others.",
  project_id: "Only todos of this project.",
  recurring_enabled: "Only todos with this value.",
  reminder_enabled: "Only todos with this value.",
  schedule: "Only tasks with this schedule.",
  sync_enabled: "Only todos with this value.",
};

/** The parameters that are clamped or ignored, and never refused. */
const lenient = new Set(["page", "per_page", "sort", "limit"]);

function pathParameters({ path, subject }: Route): ParameterObject[] {
  return [...path.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => ({
    name,
    in: "path",
    required: true,
    description: meanings[name] ?? `${subject?.name ?? "Record"} id. One that is no UUID is a 404.`,
    schema: { type: "string", format: "uuid" },
  }));
}

function queryParameters(query: Schema): ParameterObject[] {
  return Object.entries(toParameterSchemas(query)).map(([name, { description, ...schema }]) => {
    const parameter: ParameterObject = {
      name,
      in: "query",
      required: false,
      description: description ?? meanings[name] ?? "",
      schema,
    };
    if (/extension/i.test(parameter.description)) parameter["x-extension"] = true;
    return parameter;
  });
}

/** The parameters of an operation, those of the path first. */
export function parametersOf(route: Route, query: Schema | undefined): ParameterObject[] {
  return [...pathParameters(route), ...(query ? queryParameters(query) : [])];
}

/** Whether a value of the parameter can be answered 422. */
export function isRefusable({ in: place, name }: ParameterObject): boolean {
  return place === "query" && !lenient.has(name);
}
