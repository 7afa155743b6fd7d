import * as fc from "fast-check";
import { openApiDocument } from "../src/contract/openapi.ts";
import { type Route, allRoutes } from "../src/contract/routes.ts";

/** A request that somebody might send who means no good. */
export interface HostileRequest {
  method: string;
  /** Below the server's URL; printable ASCII. */
  target: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}

export interface HostileOptions {
  /** Ids of records, the caller's and others'. */
  ids: readonly string[];
  keys: readonly string[];
}

/** The names of all fields and query parameters that the contract knows. */
function knownNames(): { fields: string[]; parameters: string[] } {
  const document = openApiDocument({ version: "0.0.0" }) as {
    components: { schemas: Record<string, { properties?: object }> };
    paths: Record<string, Record<string, { parameters?: { in?: string; name?: string }[] }>>;
  };
  const fields = Object.values(document.components.schemas).flatMap(({ properties = {} }) =>
    Object.keys(properties),
  );
  const operations = Object.values(document.paths).flatMap((item) => Object.values(item));
  const parameters = operations.flatMap(({ parameters: all = [] }) =>
    all.flatMap((one) => (one.in === "query" && one.name !== undefined ? [one.name] : [])),
  );
  return { fields: [...new Set(fields)], parameters: [...new Set(parameters)] };
}

const special = ["__proto__", "constructor", "prototype", "toString", "toJSON", "", "\0", "id"];

const nasty = fc.constantFrom(
  "",
  " ",
  "\0",
  "a\0b",
  "\ud800",
  "\udc00\ud800",
  "👣".repeat(255),
  "👣".repeat(256),
  "x".repeat(70_000),
  "'",
  "' OR 1=1 --",
  "'; DROP TABLE todos; --",
  '" UNION SELECT * FROM users',
  "%",
  "%_\\",
  "../../../etc/passwd",
  "${1}{{1}}",
  "\u202e\u2028\ufeff",
  "\r\nSet-Cookie: a=b",
  "2026-02-30",
  "2026-02-28 24:00:00",
  "9999999-01-01",
  "24:00:00",
  "javascript:alert(1)",
  "http://",
  "NaN",
  "-0",
  "1e999",
);

/** What a field or parameter takes, so that some requests get through. */
const plausible = fc.constantFrom(
  "Buy milk",
  "open",
  "completed",
  "weekly",
  "custom",
  "#112233",
  "2026-12-24",
  "18:00:00",
  "true",
  "0",
  "-created_at,title",
  "read",
  "mon",
  "https://example.org/a.png",
  "ada@example.org",
  "correct horse",
  "2027-01-01 00:00:00",
);

/** JSON as text, so that it may hold what no value of JavaScript does. */
function json(ids: readonly string[]): fc.Arbitrary<string> {
  const text = fc.oneof(plausible, nasty, fc.string({ unit: "binary" }), fc.constantFrom(...ids));
  return fc.oneof(
    { weight: 6, arbitrary: text.map((value) => JSON.stringify(value)) },
    { weight: 2, arbitrary: fc.json() },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        "null",
        "true",
        "false",
        "0",
        "-1",
        "1e999",
        "-1e-999",
        "9".repeat(400),
        "[]",
        "{}",
        '["read"]',
        '["mon","mon"]',
        '[["read"]]',
        '{"__proto__":{"a":1}}',
        '{"toJSON":1}',
        `${"[".repeat(50_000)}${"]".repeat(50_000)}`,
        `${'{"a":'.repeat(33)}1${"}".repeat(33)}`,
        `{"a":"${"x".repeat(70_000)}"}`,
      ),
    },
  );
}

const encodings = [
  (text: string) => Buffer.from(text),
  (text: string) => Buffer.from(text, "latin1"),
  (text: string) => Buffer.from(text, "utf16le"),
  (text: string) => Buffer.from(text).subarray(0, -1),
  (text: string) => Buffer.from(`\ufeff${text}`),
  (text: string) => Buffer.from(`${text},`),
  (text: string) => Buffer.from(`[${text}]`),
  (text: string) => Buffer.concat([Buffer.from(text), Buffer.from([0xff])]),
];

/** Printable ASCII, and whatever else stays percent-encoded or half-encoded. */
function toTarget(text: string): string {
  return Buffer.from(text)
    .toString("latin1")
    .replace(/[^!-~]|[?#]/g, (char) => `%${char.charCodeAt(0).toString(16).padStart(2, "0")}`)
    .slice(0, 3000);
}

/** Requests to every operation of the contract, mostly well-formed HTTP. */
export function hostileRequest({ ids, keys }: HostileOptions): fc.Arbitrary<HostileRequest> {
  const { fields, parameters } = knownNames();
  const value = json(ids);
  const id = fc.oneof(
    { weight: 5, arbitrary: fc.constantFrom(...ids) },
    { weight: 1, arbitrary: fc.uuid() },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        "%",
        "%zz",
        "%ff",
        "%00",
        "%2e%2e",
        "..",
        ".",
        "",
        "%2f",
        "%252f",
        "null",
        "__proto__",
        "*",
        ":id",
        "a;b",
        "'",
        "\\",
        "//",
        "%c0%ae",
      ),
    },
    { weight: 1, arbitrary: nasty.map((text) => toTarget(text)) },
  );
  const name = (known: string[]) =>
    fc.oneof(
      { weight: 8, arbitrary: fc.constantFrom(...known) },
      { weight: 1, arbitrary: fc.constantFrom(...special) },
    );
  const query = fc
    .array(fc.tuple(name(parameters), fc.oneof(plausible, nasty, fc.constantFrom(...ids))), {
      maxLength: 5,
    })
    .map((pairs) => pairs.map(([key, text]) => `${toTarget(key)}=${toTarget(text)}`).join("&"));
  // Half of the bodies hold what is required, unless something else follows: the last one counts.
  const required: [string, string][] = [
    ["title", '"Buy milk"'],
    ["color", '"#112233"'],
    ["password", '"correct horse"'],
  ];
  const start = fc.oneof(
    fc.constant([]),
    fc.tuple(fc.uuid(), fc.constantFrom(...ids)).map(([unique, one]) =>
      required.concat([
        ["name", `"${unique}"`],
        ["email", `"${unique}@example.org"`],
        ["category_id", `"${one}"`],
        ["theme_id", `"${one}"`],
      ]),
    ),
  );
  const members = fc
    .tuple(start, fc.array(fc.tuple(name(fields), value), { maxLength: 8 }))
    .map(([first, all]) =>
      [...first, ...all].map(([key, text]) => `${JSON.stringify(key)}:${text}`),
    )
    .map((pairs) => `{${pairs.join(",")}}`);
  const encoding = fc.oneof(
    { weight: 8, arbitrary: fc.constant(encodings[0]!) },
    { weight: 1, arbitrary: fc.constantFrom(...encodings) },
  );
  const body = fc
    .tuple(fc.oneof({ weight: 9, arbitrary: members }, { weight: 1, arbitrary: value }), encoding)
    .map(([text, encode]) => encode(text));
  const method = fc.constantFrom("GET", "POST", "PUT", "DELETE", "PATCH", "HEAD", "OPTIONS");
  const headers = fc.record(
    {
      "x-api-key": fc.oneof(
        { weight: 9, arbitrary: fc.constantFrom(...keys) },
        {
          weight: 1,
          arbitrary: fc.constantFrom("", "todo_", "x".repeat(5000), "\u00ff", "' OR 1=1"),
        },
      ),
      authorization: fc.constantFrom("Bearer", "Bearer x", "Bearer a.b.c", "Basic eA==", "\u00ff"),
      "content-type": fc.constantFrom("application/json", "text/plain", "", "multipart/form-data"),
      "x-forwarded-for": fc.constantFrom("1.2.3.4", "", ",,,", "x".repeat(1000), "::1%0"),
      "user-agent": fc.constantFrom("", "\u009b31m", "x".repeat(5000)),
    },
    { requiredKeys: ["x-api-key"] },
  );
  const route: fc.Arbitrary<Route> = fc.constantFrom(...allRoutes().map((named) => named.route));
  const bySome = { weight: 1, arbitrary: method };
  return route.chain((one) =>
    fc.record({
      method: fc.oneof({ weight: 9, arbitrary: fc.constant<string>(one.method) }, bySome),
      target: fc.tuple(id, id, query).map(([first, second, search]) => {
        const path = one.path.replace("{id}", () => first).replace("{categoryId}", () => second);
        return `/api/v1${path}${search === "" ? "" : `?${search}`}`;
      }),
      headers,
      body:
        one.method === "GET"
          ? fc.constant(undefined)
          : fc.option(body, { nil: undefined, freq: 9 }),
    }),
  );
}
