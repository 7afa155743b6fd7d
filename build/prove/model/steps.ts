import * as fc from "fast-check";
import { type Draft, type Fields, drafts } from "./drafts.ts";
import * as value from "./values.ts";

/** One request, as far as it can be said before the records exist that it names. */
export interface Step {
  method: string;
  /** As in the contract, such as `/todos/{id}`. */
  path: string;
  /** What `{id}` and `{categoryId}` become. */
  id: unknown;
  categoryId: unknown;
  query: Record<string, unknown>;
  /** An object is sent as JSON, a string as it is. */
  body: Record<string, unknown> | string | undefined;
  credentials: Credentials;
  agent: string | undefined;
}

export interface Credentials {
  kind: "usable" | "any" | "none" | "wrong" | "token";
  user: number;
  key: number;
}

const agents = fc.constantFrom("todo/1.0", "curl/8", undefined, "x".repeat(300));

const credentials: fc.Arbitrary<Credentials> = fc.record({
  kind: fc.oneof<fc.WeightedArbitrary<Credentials["kind"]>[]>(
    { weight: 60, arbitrary: fc.constant("usable") },
    { weight: 4, arbitrary: fc.constant("any") },
    { weight: 2, arbitrary: fc.constantFrom("none", "wrong", "token") },
  ),
  user: fc.nat(3),
  key: fc.nat(100),
});

const noJson = fc.constantFrom(
  "{",
  "[]",
  "null",
  "5",
  '"x"',
  "{'a':1}",
  "\ufeff{}",
  "{}{}",
  `"${"x".repeat(1_100_000)}"`,
);

function optional(fields: Fields, required: string[] = []): fc.Arbitrary<Record<string, unknown>> {
  const all = fc.record(fields, { requiredKeys: required });
  if (required.length === 0) return all;
  return fc.oneof(
    { weight: 30, arbitrary: all },
    { weight: 1, arbitrary: fc.record(fields, { requiredKeys: [] }) },
  );
}

/** At most three filters at once: more of them leave nothing to compare. */
function queryOf(fields: Fields): fc.Arbitrary<Record<string, unknown>> {
  return fc
    .subarray(Object.keys(fields), { maxLength: Math.min(3, Object.keys(fields).length) })
    .chain((names) => fc.record(Object.fromEntries(names.map((name) => [name, fields[name]!]))));
}

function toStep({ start, id, body, required, query }: Draft): fc.Arbitrary<Step> {
  const [method = "", path = ""] = start.split(" ");
  const known = fc.oneof(
    { weight: 25, arbitrary: id ?? fc.constant("") },
    { weight: 1, arbitrary: fc.oneof(fc.uuid(), fc.constantFrom("1", "x", "null", "todos")) },
  );
  const content =
    body === undefined
      ? fc.constant(undefined)
      : fc.oneof(
          { weight: 60, arbitrary: optional(body, required) },
          { weight: 1, arbitrary: fc.oneof(noJson, fc.constant(undefined)) },
        );
  return fc.record({
    method: fc
      .constant(method)
      .chain((one) =>
        one === "GET"
          ? fc.oneof(
              { weight: 40, arbitrary: fc.constant("GET") },
              { weight: 1, arbitrary: fc.constantFrom("HEAD", "OPTIONS") },
            )
          : fc.constant(one),
      ),
    path: fc.constant(path),
    id: known,
    categoryId: path.includes("{categoryId}") ? value.linkedId : fc.constant(""),
    query: query === undefined ? fc.constant({}) : queryOf(query),
    body: content,
    credentials,
    agent: agents,
  });
}

/** Any request to the API, in the proportions in which people use it. */
export const anyStep: fc.Arbitrary<Step> = fc.oneof(
  ...drafts.map((draft) => ({ weight: draft.weight, arbitrary: toStep(draft) })),
);
