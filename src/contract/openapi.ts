import { infoOf, resourceTags, securitySchemes, serviceTag } from "./openapi-info.ts";
import { isRefusable, parametersOf } from "./openapi-parameters.ts";
import { failuresOf, sharedHeaders, sharedResponses, successOf } from "./openapi-responses.ts";
import {
  envelopeSchemas,
  modelName,
  modelSchemas,
  schemaRef,
  toSchemaObject,
} from "./openapi-schemas.ts";
import type { OpenApiDocument, OperationObject } from "./openapi-types.ts";
import {
  type NamedRoute,
  type Resource,
  type Route,
  allRoutes,
  apiPrefix,
  scopeOf,
} from "./routes.ts";
import { type OperationSchemas, type Schema, schemas } from "./schemas.ts";

function securityOf({ auth, method }: Route): OperationObject["security"] {
  if (auth === "public") return [];
  return auth === "key" ? [{ apiKey: [scopeOf(method)] }] : [{ bearer: [] }];
}

/** An absent body counts as `{}`, so only a required field makes a body required. */
function requestBodyOf(body: Schema): NonNullable<OperationObject["requestBody"]> {
  const { required = [] } = toSchemaObject(body);
  return {
    required: required.length > 0,
    content: { "application/json": { schema: schemaRef(modelName(body)) } },
  };
}

function operationOf({ resource, action, route }: NamedRoute<Resource>): OperationObject {
  const { body, query, result } = (schemas as Record<string, Record<string, OperationSchemas>>)[
    resource
  ]![action]!;
  const parameters = parametersOf(route, query);
  const takes = { body: body !== undefined, filters: parameters.some(isRefusable) };
  return {
    operationId: resource + action[0]!.toUpperCase() + action.slice(1),
    tags: [resourceTags[resource].name],
    summary: route.summary,
    ...(route.description !== undefined && { description: route.description }),
    security: securityOf(route),
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: requestBodyOf(body) }),
    responses: { [route.status]: successOf(route, result), ...failuresOf(route, takes) },
  };
}

/** The operation that answers this very document. */
const describe: OperationObject = {
  operationId: "serviceDescribe",
  tags: [serviceTag.name],
  summary: "Show this document",
  description: "Extension: the OpenAPI document, without an envelope.",
  security: [],
  responses: {
    200: {
      description: "The OpenAPI 3.1 document of this API.",
      content: {
        "application/json": {
          schema: {
            type: "object",
            properties: { openapi: { type: "string", pattern: String.raw`^3\.1\.\d+$` } },
            required: ["openapi"],
          },
        },
      },
    },
    500: { $ref: "#/components/responses/InternalError" },
  },
  "x-extension": true,
};

function pathsOf(): OpenApiDocument["paths"] {
  const paths: OpenApiDocument["paths"] = {};
  for (const named of allRoutes()) {
    const { method, path } = named.route;
    paths[path] = { ...paths[path], [method.toLowerCase()]: operationOf(named) };
  }
  return { ...paths, "/openapi.json": { get: describe } };
}

/**
 * The OpenAPI 3.1 document of the whole API, derived from the route table and
 * the schemas. It takes some milliseconds to make: keep it.
 *
 * @param options.version the program's version
 */
export function openApiDocument({ version }: { version: string }): OpenApiDocument {
  return {
    openapi: "3.1.1",
    info: infoOf(version),
    servers: [{ url: apiPrefix, description: "This server" }],
    tags: [...Object.values(resourceTags), serviceTag],
    paths: pathsOf(),
    components: {
      schemas: { ...modelSchemas(), ...envelopeSchemas },
      responses: sharedResponses,
      headers: sharedHeaders,
      securitySchemes,
    },
  };
}
