import { examples } from "./examples.ts";
import { schemaOf } from "./field.ts";
import type { SchemaObject } from "./openapi-types.ts";
import { type Schema, models } from "./schemas.ts";

/** Every schema is an arktype type like this one; `Schema` does not show it. */
type ArkType = (typeof models)["User"];

const options: NonNullable<Parameters<ArkType["toJsonSchema"]>[0]> = {
  dialect: null,
  fallback: {
    // Checks and conversions have no form in JSON Schema: fields declare what they amount to.
    predicate: ({ base, predicate }) => ({ ...base, ...schemaOf(predicate) }) as typeof base,
    morph: ({ base }) => base,
  },
};

/**
 * JSON Schema of the values that a schema of the contract accepts, defaults included.
 *
 * @throws Error when a part of it has no form in JSON Schema
 */
export function toSchemaObject(schema: Schema): SchemaObject {
  return (schema as unknown as ArkType).toJsonSchema(options) as SchemaObject;
}

/** JSON Schema of each parameter of a query; its defaults are those of the fields, not texts. */
export function toParameterSchemas(query: Schema): Readonly<Record<string, SchemaObject>> {
  const { properties = {} } = (query as unknown as ArkType).in.toJsonSchema(
    options,
  ) as SchemaObject;
  return properties;
}

/** A reference to one of `components.schemas`. */
export function schemaRef(name: string): SchemaObject {
  return { $ref: `#/components/schemas/${name}` };
}

type ModelName = keyof typeof models;

const modelNames = new Map<unknown, ModelName>(
  Object.entries(models).map(([name, model]) => [model, name as ModelName]),
);

/**
 * The name of a schema of the contract in `models`.
 *
 * @throws Error when it has none there
 */
export function modelName(schema: Schema): ModelName {
  const name = modelNames.get(schema);
  if (name === undefined) throw new Error("A schema of an operation is missing among the models");
  return name;
}

/** Refers by name to the models inside a schema: arktype has written them out. */
function nameModels(schema: SchemaObject, names: ReadonlyMap<string, string>): SchemaObject {
  const replace = (part: SchemaObject): SchemaObject => {
    const name = names.get(JSON.stringify(part));
    return name === undefined ? nameModels(part, names) : schemaRef(name);
  };
  const { items, properties } = schema;
  return {
    ...schema,
    ...(items && { items: replace(items) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, part]) => [name, replace(part)]),
      ),
    }),
  };
}

/** The schema of every model by its name, with an example. */
export function modelSchemas(): Record<string, SchemaObject> {
  const derived = Object.entries(models).map(([name, model]) => ({
    name: name as ModelName,
    schema: toSchemaObject(model),
  }));
  const names = new Map(derived.map(({ name, schema }) => [JSON.stringify(schema), name]));
  return Object.fromEntries(
    derived.map(({ name, schema }) => [
      name,
      { ...nameModels(schema, names), examples: [examples[name]] },
    ]),
  );
}

const message: SchemaObject = { type: "string", description: "For people to read." };
const fieldErrors: SchemaObject = {
  type: "object",
  description: "Field → what is wrong with it.",
  additionalProperties: { type: "string" },
};

function refusal(error: string, example: string): SchemaObject {
  return {
    type: "object",
    properties: { error: { type: "string", const: error }, message },
    required: ["error", "message"],
    examples: [{ error, message: example }],
  };
}

const count: SchemaObject = { type: "integer", minimum: 1 };

/** What all answers are made of (interface.md, section 1). */
export const envelopeSchemas = {
  Envelope: {
    type: "object",
    description: "Every success; `data` holds what was asked for.",
    properties: { success: { type: "boolean", const: true }, message },
    required: ["success", "message"],
  },
  Pagination: {
    type: "object",
    properties: {
      page: count,
      per_page: count,
      total: { type: "integer", minimum: 0, description: "Records on all pages." },
      last_page: { ...count, description: "1 for an empty list." },
      has_more: { type: "boolean" },
    },
    required: ["page", "per_page", "total", "last_page", "has_more"],
    examples: [{ page: 1, per_page: 50, total: 120, last_page: 3, has_more: true }],
  },
  Error: {
    type: "object",
    properties: { success: { type: "boolean", const: false }, message, errors: fieldErrors },
    required: ["success", "message"],
    examples: [{ success: false, message: "Todo not found" }],
  },
  ValidationError: {
    type: "object",
    properties: {
      success: { type: "boolean", const: false },
      message: { type: "string", const: "Validation failed" },
      errors: fieldErrors,
    },
    required: ["success", "message", "errors"],
    examples: [
      { success: false, message: "Validation failed", errors: { title: "title is required." } },
    ],
  },
  Unauthorized: refusal("Unauthorized", "Invalid or expired API key"),
  Forbidden: refusal("Forbidden", "This API key lacks the scope write."),
} as const satisfies Record<string, SchemaObject>;
