import { type ErrorCode, errorStatus } from "./errors.ts";
import { examples } from "./examples.ts";
import { type envelopeSchemas, modelName, schemaRef, toSchemaObject } from "./openapi-schemas.ts";
import type {
  Content,
  HeaderObject,
  Reference,
  ResponseObject,
  SchemaObject,
} from "./openapi-types.ts";
import { type Route, scopeOf } from "./routes.ts";
import type { Schema } from "./schemas.ts";

export const sharedHeaders = {
  Location: {
    description: "Path of the new record.",
    schema: { type: "string", format: "uri-reference" },
  },
  "Retry-After": {
    description: "Seconds after which trying again makes sense.",
    schema: { type: "integer", minimum: 1 },
  },
  "WWW-Authenticate": {
    description: "The scheme that is asked for (RFC 9110, 11.6.1).",
    schema: { type: "string" },
  },
  "X-Request-Id": {
    description: "Names the request in the server's log.",
    schema: { type: "string" },
  },
} as const satisfies Record<string, HeaderObject>;

type HeaderName = keyof typeof sharedHeaders;

function json(schema: SchemaObject): Content {
  return { "application/json": { schema } };
}

function headerRefs(...names: HeaderName[]): { headers?: Record<string, Reference> } {
  if (names.length === 0) return {};
  const ref = (name: HeaderName) => ({ $ref: `#/components/headers/${name}` });
  return { headers: Object.fromEntries(names.map((name) => [name, ref(name)])) };
}

function failure(
  description: string,
  schema: keyof typeof envelopeSchemas,
  ...headers: HeaderName[]
): ResponseObject {
  return { description, ...headerRefs(...headers), content: json(schemaRef(schema)) };
}

/** Every failure that an operation can answer (interface.md, section 7, and the rulings). */
export const sharedResponses = {
  BadRequest: failure("The body is not a JSON object, or gives nothing to do.", "Error"),
  KeyRefused: failure(
    "The API key is missing, unknown, inactive or expired.",
    "Unauthorized",
    "WWW-Authenticate",
  ),
  TokenRefused: failure("The JWT is missing, invalid or expired.", "Error", "WWW-Authenticate"),
  LoginRefused: failure(
    "The e-mail address or the password is wrong.",
    "Error",
    "WWW-Authenticate",
  ),
  ScopeMissing: failure("The API key lacks a scope.", "Forbidden"),
  RegistrationClosed: failure("The server takes no registrations.", "Error"),
  NotFound: failure("The record does not exist, or is another user's.", "Error"),
  Conflict: failure("What is to be added, or its name, is there already.", "Error"),
  BodyTooLarge: failure("The body is larger than 1 MiB.", "Error"),
  ValidationFailed: failure("A field or a parameter is not valid.", "ValidationError"),
  TooManyLogins: failure("Too many failed logins for this e-mail address.", "Error", "Retry-After"),
  InternalError: failure("An unexpected failure.", "Error", "X-Request-Id"),
  Busy: failure("Too many passwords are being checked at once.", "Error", "Retry-After"),
  StorageFull: failure("The server's disk is full; nothing was changed.", "Error"),
} as const satisfies Record<string, ResponseObject>;

type ResponseName = keyof typeof sharedResponses;

function failureName(code: ErrorCode, auth: Route["auth"]): ResponseName | undefined {
  const refused = { key: "KeyRefused", bearer: "TokenRefused", public: "LoginRefused" } as const;
  const names: Partial<Record<ErrorCode, ResponseName>> = {
    bad_request: "BadRequest",
    unauthorized: refused[auth],
    forbidden: auth === "key" ? "ScopeMissing" : "RegistrationClosed",
    not_found: "NotFound",
    conflict: "Conflict",
    too_large: "BodyTooLarge",
    invalid: "ValidationFailed",
    too_many_requests: "TooManyLogins",
    internal: "InternalError",
    busy: "Busy",
    storage_full: "StorageFull",
  };
  return names[code];
}

/** What decides, beside its route, how an operation can fail. */
export interface Takes {
  body: boolean;
  /** Whether it has query parameters whose values can be refused. */
  filters: boolean;
}

function errorCodes(route: Route, { body, filters }: Takes): ErrorCode[] {
  const { auth, errors = [], method, subject } = route;
  const codes: ErrorCode[] = [...errors, "internal"];
  if (auth !== "public") codes.push("unauthorized");
  if (auth === "key") codes.push("forbidden");
  if (subject) codes.push("not_found");
  if (body) codes.push("bad_request", "too_large");
  if (body || filters) codes.push("invalid");
  if (scopeOf(method) === "write") codes.push("storage_full");
  return codes;
}

/** The failures of an operation, by status. */
export function failuresOf(route: Route, takes: Takes): Record<string, Reference> {
  return Object.fromEntries(
    errorCodes(route, takes).map((code) => {
      const name = failureName(code, route.auth);
      if (name === undefined) throw new Error(`No response describes the error ${code}`);
      return [errorStatus[code], { $ref: `#/components/responses/${name}` }];
    }),
  );
}

function dataSchema({ returns }: Route, result: Schema | undefined): SchemaObject {
  if (result === undefined) return { type: "null" };
  const record = schemaRef(modelName(result));
  return returns === "record" ? record : { type: "array", items: record };
}

/** A whole answer, made of the example of what it holds. */
function exampleOf({ message, returns }: Route, result: Schema | undefined): object {
  const record = result === undefined ? null : examples[modelName(result)];
  const data = returns === "list" || returns === "page" ? [record] : record;
  const pagination = { page: 1, per_page: 50, total: 1, last_page: 1, has_more: false };
  return { success: true, message, data, ...(returns === "page" && { pagination }) };
}

/**
 * The success of an operation. Its message stands in the example: narrowing the
 * envelope's to a constant is more than some generators of clients understand.
 */
export function successOf(route: Route, result: Schema | undefined): ResponseObject {
  const { message, returns, status } = route;
  const isLocated =
    status === 201 && result !== undefined && toSchemaObject(result).properties?.id !== undefined;
  const properties = {
    data: dataSchema(route, result),
    ...(returns === "page" && { pagination: schemaRef("Pagination") }),
  };
  const own: SchemaObject = { type: "object", properties, required: Object.keys(properties) };
  return {
    description: `${message}.`,
    ...(isLocated && headerRefs("Location")),
    content: {
      "application/json": {
        schema: { allOf: [schemaRef("Envelope"), own] },
        example: exampleOf(route, result),
      },
    },
  };
}
