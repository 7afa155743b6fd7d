import * as fc from "fast-check";

/** Values for fields and filters: mostly right, sometimes wrong in every way that matters. */

/** A record that exists when the request is sent: the n-th of its kind. */
export interface Ref {
  ref: "categories" | "projects" | "todos" | "tasks" | "installed" | "log" | "keys" | "themes";
  nth: number;
  /** Of another user. */
  foreign: boolean;
  upper: boolean;
  /** So many characters of its id. */
  length: number;
}

export function isRef(value: unknown): value is Ref {
  return typeof value === "object" && value !== null && "ref" in value;
}

const unlikely = (arbitrary: fc.Arbitrary<unknown>) => ({ weight: 1, arbitrary });
const likely = (weight: number, arbitrary: fc.Arbitrary<unknown>) => ({ weight, arbitrary });

const seldom = fc.nat(15).map((one) => one === 15);

export function ref(kind: Ref["ref"], length: fc.Arbitrary<number> = fc.constant(36)) {
  return fc.record<Ref>({
    ref: fc.constant(kind),
    nth: fc.nat(1000),
    foreign: seldom,
    upper: seldom,
    length,
  });
}

/** Mostly the first, seldom the second. */
function mostly(right: fc.Arbitrary<unknown>, wrong: fc.Arbitrary<unknown>) {
  return fc.oneof(likely(40, right), unlikely(wrong));
}

// Few letters, so that names meet; of several scripts, cases and lengths in UTF-16.
const letter = fc.constantFrom(
  "a",
  "A",
  "b",
  "B",
  "ä",
  "Ä",
  "ß",
  "ж",
  "Ж",
  "3",
  " ",
  "👣",
  "%",
  "'",
);
const word = fc.array(letter, { maxLength: 4 }).map((letters) => letters.join(""));
const nameText = fc.oneof(
  likely(
    30,
    word.map((text) => `t${text}`),
  ),
  unlikely(
    fc.constantFrom("👣".repeat(255), "x".repeat(255), " x ", "'; DROP TABLE todos; --", "\u202e"),
  ),
);
const noText = fc.constantFrom<unknown>(5, true, [], {}, "a\0b", "\ud800", "x\udc00");
const noName = fc.oneof(
  noText,
  fc.constantFrom<unknown>(null, "", " \t ", "x".repeat(256), "👣".repeat(256)),
);

export const name = mostly(nameText, noName);
export const label = mostly(
  fc.oneof(nameText, fc.constant("")),
  fc.oneof(noText, fc.constantFrom<unknown>(null, "x".repeat(256))),
);
export const description = mostly(fc.oneof(word, fc.constant(null)), noText);
export const status = mostly(
  fc.constantFrom("open", "in_progress", "completed", "archived"),
  fc.constantFrom<unknown>("Open", "done", "", null, 1),
);
export const date = mostly(
  fc.constantFrom("2026-11-30", "2026-12-01", "2028-02-29", "0001-01-01", "9999-12-31", null),
  fc.constantFrom<unknown>("2026-02-30", "2027-02-29", "2026-1-1", "tomorrow", "", 20261201),
);
export const time = mostly(
  fc.constantFrom("00:00:00", "09:30:00", "23:59:59", null),
  fc.constantFrom<unknown>("24:00:00", "9:30:00", "09:30", "12:60:00", "", 9),
);
export const truthy = fc.constantFrom<unknown>(true, false, 1, 0, "", "false", null, [], {}, "0");
export const color = mostly(
  fc.constantFrom("#8B5CF6", "#abcdef", "#000000"),
  fc.constantFrom<unknown>("#abc", "8B5CF6", "#8B5CF67", "#gggggg", "", null, 7),
);
export const schedule = mostly(
  fc.constantFrom("daily", "weekly", "monthly", "custom"),
  fc.constantFrom<unknown>("yearly", "", null, 1),
);
export const days = mostly(
  fc.array(fc.constantFrom("mon", "tue", "wed", "thu", "fri", "sat", "sun"), { maxLength: 5 }),
  fc.constantFrom<unknown>(["monday"], "mon", null, [1], [["mon"]], {}),
);
export const url = mostly(
  fc.constantFrom("https://example.org/a.png", "http://localhost:1/", null),
  fc.constantFrom<unknown>("javascript:alert(1)", "a.png", "", 5, `https://a/${"x".repeat(2048)}`),
);
const nested = (levels: number): unknown => (levels === 0 ? 1 : { a: nested(levels - 1) });
export const object = mostly(
  fc.oneof(
    fc.constantFrom<unknown>(null, {}, { theme: "dark", language: "en" }, { a: [1, 2.5, "ä"] }),
    fc.constantFrom<unknown>(nested(32), { __proto__x: 1, toString: 2 }, { b: null, a: { c: [] } }),
  ),
  fc.constantFrom<unknown>([], "x", 5, true, nested(33), { a: "x".repeat(70_000) }),
);
export const scopes = mostly(
  fc.constantFrom(["read"], ["write"], ["read", "write"], ["write", "read", "write"]),
  fc.constantFrom<unknown>([], ["admin"], "read", null, [1]),
);
export const expiry = mostly(
  fc.constantFrom(
    null,
    "2001-01-01 00:00:00",
    "2999-12-31 23:59:59",
    "2999-01-01T00:00:00+02:00",
    "2001-01-01T00:00:00Z",
  ),
  fc.constantFrom<unknown>(
    "2026-02-30 00:00:00",
    "2999-01-01",
    "never",
    "",
    1,
    "2999-01-01T00:00:00",
  ),
);
export const categoryId = fc.oneof(
  likely(12, ref("categories")),
  unlikely(fc.constantFrom<unknown>(null, "", "x", 5, {})),
  unlikely(fc.uuid()),
);
export const linkedId = fc.oneof(
  likely(12, ref("categories")),
  unlikely(fc.constantFrom<unknown>(null, "", "x", 5)),
  unlikely(fc.uuid()),
);
export const projectId = fc.oneof(
  likely(12, ref("projects")),
  likely(3, fc.constant(null)),
  unlikely(fc.constantFrom<unknown>("", "x", 5)),
  unlikely(fc.uuid()),
);
export const themeId = fc.oneof(
  likely(20, ref("themes")),
  unlikely(fc.constantFrom<unknown>(null, "x", 5)),
  unlikely(fc.uuid()),
);

/** For query strings: everything is text. */
export const filter = {
  flag: mostly(
    fc.constantFrom("true", "false", "1", "0"),
    fc.constantFrom("maybe", "", "TRUE", "2"),
  ),
  statuses: mostly(
    fc.constantFrom("open", "completed", "open,in_progress", "archived,open,archived"),
    fc.constantFrom("foo", "", "open,", "Open", "open, completed"),
  ),
  schedule: mostly(fc.constantFrom("daily", "weekly", "custom"), fc.constantFrom("x", "")),
  date: mostly(
    fc.constantFrom("2026-11-30", "2026-12-01", "2027-06-01", "0001-01-01"),
    fc.constantFrom("2026-02-30", "", "x", "2026-12-01 00:00:00"),
  ),
  uuid: (kind: "categories" | "projects") =>
    fc.oneof(
      likely(20, ref(kind)),
      unlikely(fc.constantFrom("1", "", "x", "null")),
      unlikely(fc.uuid()),
    ),
  id: (kind: "categories" | "projects" | "todos" | "tasks") =>
    fc.oneof(
      likely(20, ref(kind, fc.integer({ min: 4, max: 36 }))),
      unlikely(fc.constantFrom("abc", "zzzz", "", "0000-0000", "0".repeat(37))),
    ),
  text: word,
  page: fc.oneof(
    likely(8, fc.integer({ min: 1, max: 6 }).map(String)),
    unlikely(fc.constantFrom("0", "-3", "x", "", "100000", "NaN")),
  ),
  perPage: fc.oneof(
    likely(8, fc.integer({ min: 1, max: 12 }).map(String)),
    unlikely(fc.constantFrom("0", "-3", "x", "", "200", "201", "100000")),
  ),
  sort: (...fields: string[]) =>
    fc
      .array(
        fc
          .tuple(fc.constantFrom("", "-"), fc.constantFrom(...fields, "nonsense", ""))
          .map((parts) => parts.join("")),
        { maxLength: 3 },
      )
      .map((parts) => parts.join(",")),
};
