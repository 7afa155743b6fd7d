import assert from "node:assert/strict";
import { describe, test } from "node:test";

import { errorStatus } from "../src/contract/errors.ts";
import { examples } from "../src/contract/examples.ts";
import { limits } from "../src/contract/limits.ts";
import type {
  OperationObject,
  ResponseObject,
  SchemaObject,
} from "../src/contract/openapi-types.ts";
import { openApiDocument } from "../src/contract/openapi.ts";
import { ProjectQuery } from "../src/contract/projects.ts";
import { type Route, allRoutes } from "../src/contract/routes.ts";
import { models } from "../src/contract/schemas.ts";
import { validate } from "../src/contract/validate.ts";

const document = openApiDocument({ version: "1.2.3" });
const operations = Object.values(document.paths).flatMap((item) => Object.values(item));

/** Every object in the value with its path, the value first. */
function* walk(value: unknown, path = "#"): Generator<[path: string, node: object]> {
  if (typeof value !== "object" || value === null) return;
  yield [path, value];
  for (const [name, child] of Object.entries(value)) yield* walk(child, `${path}/${name}`);
}

/** What a `$ref` points to (RFC 6901), undefined when that is nothing. */
function resolve(reference: string): unknown {
  const names = reference.replace(/^#\//, "").split("/");
  let target: unknown = document;
  for (const name of names) {
    target = (target as Record<string, unknown> | undefined)?.[
      name.replaceAll("~1", "/").replaceAll("~0", "~")
    ];
  }
  return target;
}

function operation(method: string, path: string): OperationObject {
  const found = document.paths[path]?.[method.toLowerCase()];
  assert.ok(found, `${method} ${path}`);
  return found;
}

function response(method: string, path: string, status: number): ResponseObject {
  const found = operation(method, path).responses[status];
  assert.ok(found, `${method} ${path}: ${status}`);
  return ("$ref" in found ? resolve(found.$ref) : found) as ResponseObject;
}

/** What an operation adds to the envelope: data, and pagination for pages. */
function payload({ method, path, status }: Route): Record<string, SchemaObject> {
  const { content } = response(method, path, status);
  const [envelope, own] = content["application/json"].schema.allOf ?? [];
  assert.deepEqual(envelope, { $ref: "#/components/schemas/Envelope" });
  assert.ok(own?.properties);
  assert.deepEqual(own.required, Object.keys(own.properties));
  return own.properties;
}

function statuses(method: string, path: string): string {
  return Object.keys(operation(method, path).responses).join(" ");
}

function parameter(path: string, name: string) {
  const found = operation("GET", path).parameters?.find((one) => one.name === name);
  assert.ok(found, name);
  return found;
}

describe("the OpenAPI document", () => {
  test("is JSON without undefined values", () => {
    assert.deepEqual(JSON.parse(JSON.stringify(document)), document);
  });

  test("tells the API's version from the program's", () => {
    assert.equal(document.info.version, "1.0.0");
    assert.equal(document.info["x-program-version"], "1.2.3");
  });

  test("tells of no failure that there is not", () => {
    const known: readonly number[] = Object.values(errorStatus);
    const told = document.info.description.match(/\b[45]\d\d\b/g) ?? [];
    assert.ok(told.length > 0);
    for (const status of told) assert.ok(known.includes(Number(status)), status);
  });

  test("refers only to what is there", () => {
    for (const [path, node] of walk(document)) {
      if ("$ref" in node) assert.ok(resolve(String(node.$ref)), `${path}: ${String(node.$ref)}`);
    }
  });

  test("refers to every component", () => {
    const references = new Set(
      [...walk(document)].flatMap(([, node]) => ("$ref" in node ? [node.$ref] : [])),
    );
    const { headers, responses, schemas } = document.components;
    for (const [kind, components] of Object.entries({ headers, responses, schemas })) {
      for (const name of Object.keys(components)) {
        assert.ok(references.has(`#/components/${kind}/${name}`), `${kind}/${name}`);
      }
    }
  });

  test("says of every schema what it accepts", () => {
    for (const [path, node] of walk(document)) {
      if (!/\/(schema|items|properties\/[^/]+|schemas\/[^/]+)$/.test(path)) continue;
      if (/\/examples?\//.test(path)) continue;
      assert.ok("type" in node || "$ref" in node || "allOf" in node, path);
    }
  });

  test("names no dialect inside", () => {
    for (const [path, node] of walk(document)) assert.ok(!("$schema" in node), path);
  });

  test("has the operations of the route table and the one that answers it", () => {
    const expected = allRoutes().map(({ route }) => `${route.method} ${route.path}`);
    const actual = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item).map((method) => `${method.toUpperCase()} ${path}`),
    );
    assert.deepEqual(actual.toSorted(), [...expected, "GET /openapi.json"].toSorted());
  });

  test("gives every operation an id of its own, a known tag and a summary", () => {
    const ids = operations.map(({ operationId }) => operationId);
    assert.equal(new Set(ids).size, ids.length);
    assert.ok(ids.includes("todosList"));
    const tags = new Set(document.tags.map(({ name }) => name));
    for (const { operationId, summary, tags: own } of operations) {
      assert.ok(summary, operationId);
      assert.ok(own.length === 1 && tags.has(own[0]), operationId);
    }
  });

  test("declares every parameter of a path, and describes all parameters", () => {
    for (const { route } of allRoutes()) {
      const { parameters = [] } = operation(route.method, route.path);
      const declared = parameters.filter((one) => one.in === "path");
      const named = [...route.path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.deepEqual(
        declared.map((one) => one.name),
        named,
        route.path,
      );
      assert.ok(declared.every((one) => one.required));
      for (const { description, name } of parameters)
        assert.ok(description, `${route.path} ${name}`);
    }
  });

  test("gives the defaults and bounds of numbers as numbers", () => {
    const { schema } = parameter("/todos", "per_page");
    assert.deepEqual(schema, { type: "integer", minimum: 1, maximum: 200, default: 50 });
  });

  test("gives the form of the start of an id", () => {
    const { pattern } = parameter("/todos", "id").schema;
    const id = "0b9f2f6c-7D0f-4c53-9a0e-0f6a3f1f7c11";
    const starts = Array.from(id, (_, last) => id.slice(0, last + 1));
    for (const text of [...starts, "", `${id}0`, "ghij", "0b9f 2f6c", `${id}\n`]) {
      const isTaken = starts.includes(text) && text.length >= limits.idPrefixMin;
      assert.equal(new RegExp(pattern!, "u").test(text), isTaken, text);
      if (isTaken) assert.doesNotThrow(() => validate(ProjectQuery, { id: text }));
      else assert.throws(() => validate(ProjectQuery, { id: text }), text);
    }
  });

  test("marks what goes beyond the contract", () => {
    const marked = Object.entries(document.paths).flatMap(([path, item]) =>
      (item.get?.parameters ?? [])
        .filter((one) => one["x-extension"])
        .map((one) => `${path} ${one.name}`),
    );
    assert.deepEqual(marked.toSorted(), [
      "/categories id",
      "/projects id",
      "/recurring-tasks id",
      "/todos category_id",
      "/todos due_from",
      "/todos due_to",
      "/todos id",
      "/todos q",
      "/todos status",
    ]);
    const extensions = operations.filter((one) => one["x-extension"]);
    assert.deepEqual(
      extensions.map((one) => one.operationId),
      ["serviceDescribe"],
    );
  });
});

describe("the successes in the OpenAPI document", () => {
  test("show the whole answer, with the message of their route", () => {
    for (const { route } of allRoutes()) {
      const { message, method, path, status } = route;
      const { example } = response(method, path, status).content["application/json"];
      assert.deepEqual(Object.keys(example ?? {}), [
        "success",
        "message",
        ...Object.keys(payload(route)),
      ]);
      assert.deepEqual({ ...example, success: true, message }, example);
    }
  });

  test("carry a record, a list, a page or null", () => {
    for (const { route } of allRoutes()) {
      const { data, pagination } = payload(route);
      assert.ok(data);
      const shape = {
        record: data.$ref !== undefined,
        list: data.type === "array" && data.items?.$ref !== undefined,
        page: data.type === "array" && pagination?.$ref === "#/components/schemas/Pagination",
        nothing: data.type === "null",
      };
      assert.ok(shape[route.returns], `${route.method} ${route.path}`);
      assert.equal(pagination !== undefined, route.returns === "page");
    }
  });

  test("carry Location when a record with an id is created", () => {
    const located = allRoutes()
      .map(({ route }) => route)
      .filter((route) => response(route.method, route.path, route.status).headers?.Location)
      .map((route) => `${route.method} ${route.path} ${route.status}`);
    assert.deepEqual(located, [
      "POST /categories 201",
      "POST /projects 201",
      "POST /todos 201",
      "POST /recurring-tasks 201",
      "POST /user/themes 201",
    ]);
  });
});

describe("the failures in the OpenAPI document", () => {
  const cases = {
    "POST /auth/register": "201 400 403 409 413 422 500 503 507",
    "POST /auth/login": "200 400 401 413 422 429 500 503 507",
    "POST /auth/jwt/refresh": "200 401 500 507",
    "GET /marketplace/themes": "200 500",
    "GET /marketplace/themes/{id}": "200 404 500",
    "GET /activity-logs": "200 401 403 500",
    "GET /todos": "200 401 403 422 500",
    "POST /todos": "201 400 401 403 413 422 500 507",
    "PUT /categories/{id}": "200 400 401 403 404 409 413 422 500 507",
    "DELETE /todos/{id}/categories/{categoryId}": "200 401 403 404 500 507",
    "POST /user/themes": "201 400 401 403 404 413 422 500 507",
  };
  for (const [name, expected] of Object.entries(cases)) {
    test(`are all there for ${name}`, () => {
      const [method = "", path = ""] = name.split(" ");
      assert.equal(statuses(method, path), expected);
    });
  }

  const bodies: [method: string, path: string, status: number, schema: string][] = [
    ["GET", "/todos", 401, "Unauthorized"],
    ["GET", "/todos", 403, "Forbidden"],
    ["POST", "/auth/login", 401, "Error"],
    ["POST", "/auth/jwt/refresh", 401, "Error"],
    ["POST", "/auth/register", 403, "Error"],
    ["POST", "/todos", 422, "ValidationError"],
  ];
  for (const [method, path, status, schema] of bodies) {
    test(`answer ${status} of ${method} ${path} in the shape ${schema}`, () => {
      const { content } = response(method, path, status);
      const { $ref } = content["application/json"].schema;
      assert.equal($ref, `#/components/schemas/${schema}`);
    });
  }

  test("carry the headers that tell what to do next", () => {
    for (const { responses } of operations) {
      for (const [status, one] of Object.entries(responses)) {
        const target = ("$ref" in one ? resolve(one.$ref) : one) as ResponseObject;
        assert.equal(target.headers?.["WWW-Authenticate"] !== undefined, status === "401");
        const isTemporary = status === "429" || status === "503";
        assert.equal(target.headers?.["Retry-After"] !== undefined, isTemporary);
      }
    }
  });
});

describe("the credentials in the OpenAPI document", () => {
  test("are a key with the scope that is needed, a JWT, or none", () => {
    assert.deepEqual(operation("GET", "/todos").security, [{ apiKey: ["read"] }]);
    assert.deepEqual(operation("PUT", "/todos/{id}").security, [{ apiKey: ["write"] }]);
    assert.deepEqual(operation("POST", "/auth/jwt/refresh").security, [{ bearer: [] }]);
    assert.deepEqual(operation("POST", "/auth/login").security, []);
  });

  test("are declared as schemes", () => {
    for (const { operationId, security } of operations) {
      for (const scheme of security.flatMap((one) => Object.keys(one))) {
        assert.ok(document.components.securitySchemes[scheme], operationId);
      }
    }
  });
});

describe("the schemas in the OpenAPI document", () => {
  const { schemas } = document.components;

  test("hold every model by its name", () => {
    for (const name of Object.keys(models)) assert.ok(schemas[name], name);
  });

  test("refer to each other by name", () => {
    const items = { $ref: "#/components/schemas/LinkedCategory" };
    assert.deepEqual(schemas.Todo?.properties?.categories, { type: "array", items });
    assert.deepEqual(schemas.LoggedIn?.properties?.user, {
      $ref: "#/components/schemas/UserSummary",
    });
  });

  test("require of a body only what has no default", () => {
    assert.deepEqual(schemas.NewTodo?.required, ["title"]);
    assert.equal(schemas.NewTodo?.properties?.sync_enabled?.default, true);
    assert.equal(schemas.NewTodo?.properties?.status?.default, "open");
    assert.deepEqual(schemas.NewRecurringTask?.properties?.custom_days?.default, []);
  });

  test("give the form of a timestamp that is sent", () => {
    const { pattern } = schemas.NewApiKey!.properties!.expires_at!;
    const day = "2026-12-24";
    const good = [" 18:00:00", "T18:00:00Z", "t18:00:00.25+01:00", " 18:00:00z"];
    for (const end of [...good, "", "T18:00:00", " 18:00", " 18:00:00.5", " 18:00:00\n"]) {
      const isTaken = good.includes(end);
      assert.equal(new RegExp(pattern!, "u").test(day + end), isTaken, end);
      const body = { expires_at: day + end };
      if (isTaken) assert.doesNotThrow(() => validate(models.NewApiKey, body));
      else assert.throws(() => validate(models.NewApiKey, body), end);
    }
  });

  test("make a body required when a field of it is", () => {
    assert.equal(operation("POST", "/todos").requestBody?.required, true);
    assert.equal(operation("PUT", "/todos/{id}").requestBody?.required, false);
    assert.equal(operation("DELETE", "/todos/{id}").requestBody, undefined);
  });

  for (const [name, model] of Object.entries(models)) {
    test(`show a valid example of ${name}`, () => {
      const example = examples[name as keyof typeof models];
      // Validation fills the defaults in, in place.
      assert.doesNotThrow(() => validate(model, structuredClone<object>(example)));
      const known = Object.keys(schemas[name]?.properties ?? {});
      assert.deepEqual(
        Object.keys(example).filter((field) => !known.includes(field)),
        [],
      );
      assert.deepEqual(schemas[name]?.examples, [example]);
    });
  }
});
