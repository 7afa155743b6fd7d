import type { JsonSchema } from "./field.ts";

/**
 * The part of OpenAPI 3.1 that the document uses:
 * https://spec.openapis.org/oas/v3.1.1.html
 */

/** JSON Schema 2020-12 of a whole record or body, or a reference to one. */
export interface SchemaObject extends Omit<JsonSchema, "items"> {
  $ref?: string;
  allOf?: readonly SchemaObject[];
  const?: unknown;
  properties?: Readonly<Record<string, SchemaObject>>;
  required?: readonly string[];
  additionalProperties?: SchemaObject;
  items?: SchemaObject;
}

export interface Reference {
  $ref: string;
  /** Takes the place of the description of what is referred to. */
  description?: string;
}

export interface Content {
  "application/json": { schema: SchemaObject; example?: object };
}

export interface HeaderObject {
  description: string;
  schema: SchemaObject;
}

export interface ResponseObject {
  description: string;
  headers?: Record<string, Reference>;
  content: Content;
}

export interface ParameterObject {
  name: string;
  in: "path" | "query";
  required: boolean;
  description: string;
  schema: SchemaObject;
  /** Set on what goes beyond the contract's interface 1.0.0. */
  "x-extension"?: true;
}

export interface OperationObject {
  operationId: string;
  tags: [string];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: ParameterObject[];
  requestBody?: { required: boolean; content: Content };
  responses: Record<string, ResponseObject | Reference>;
  "x-extension"?: true;
}

export interface SecurityScheme {
  type: "apiKey" | "http";
  description: string;
  in?: "header";
  name?: string;
  scheme?: "bearer";
  bearerFormat?: "JWT";
}

export interface Info {
  title: string;
  version: string;
  "x-program-version": string;
  summary: string;
  description: string;
  license: { name: string; identifier: string };
}

export interface OpenApiDocument {
  openapi: "3.1.1";
  info: Info;
  servers: { url: string; description: string }[];
  tags: { name: string; description: string }[];
  /** Path → method in lower case → operation. */
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    schemas: Record<string, SchemaObject>;
    responses: Record<string, ResponseObject>;
    headers: Record<string, HeaderObject>;
    securitySchemes: Record<string, SecurityScheme>;
  };
}
