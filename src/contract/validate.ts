import { ArkErrors } from "./arktype.ts";
import { invalid } from "./errors.ts";
import type { Schema } from "./schemas.ts";

/**
 * The value in the form that the operation works on, defaults filled in.
 * Undeclared fields stay where they are: whoever reads the value sees the
 * declared ones only.
 *
 * @throws ApiError `invalid`, with one message for each field that is wrong;
 *   no message repeats what was sent
 */
export function validate<S extends Schema>(schema: S, value: unknown): S["infer"] {
  const result = schema(value);
  if (!(result instanceof ArkErrors)) return result;
  const errors: Record<string, string> = {};
  for (const error of result) {
    const name = String(error.path[0]);
    errors[name] ??=
      error.code === "required" ? `${name} is required.` : `${name} must be ${error.expected}.`;
  }
  throw invalid(errors);
}
