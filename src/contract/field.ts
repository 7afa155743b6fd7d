import { type } from "./arktype.ts";

/** The part of JSON Schema 2020-12 that the contract uses. */
export interface JsonSchema {
  type?: string | readonly string[];
  format?: string;
  pattern?: string;
  enum?: readonly unknown[];
  minLength?: number;
  maxLength?: number;
  minimum?: number;
  maximum?: number;
  minItems?: number;
  uniqueItems?: boolean;
  items?: JsonSchema;
  default?: unknown;
  description?: string;
  examples?: readonly unknown[];
}

/** JSON Schema by predicate: `openapi.ts` reads it back while it derives the document. */
const schemas = new WeakMap<object, JsonSchema>();

/**
 * A value of the contract: one declaration gives the check, the static type and
 * the JSON Schema.
 *
 * @param schema how the value is documented
 * @param check what the value must be ("a date (YYYY-MM-DD)"), or undefined when it is;
 *   never mentions the value itself, which may be a secret
 */
export function field<T>(schema: JsonSchema, check: (value: unknown) => string | undefined) {
  const predicate = (value: unknown, context: { mustBe(expected: string): false }): value is T => {
    const expected = check(value);
    return expected === undefined || context.mustBe(expected);
  };
  schemas.set(predicate, schema);
  return type("unknown").narrow(predicate);
}

/** The JSON Schema that was declared with a field's predicate. */
export function schemaOf(predicate: object): JsonSchema | undefined {
  return schemas.get(predicate);
}
