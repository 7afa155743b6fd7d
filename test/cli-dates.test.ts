import assert from "node:assert/strict";
import { describe, test } from "node:test";
import {
  addDays,
  formatDay,
  formatMoment,
  formatNearDay,
  formatTime,
  localDay,
} from "../src/cli/dates.ts";
import { CliError } from "../src/cli/errors.ts";
import {
  parseDueFilter,
  parseSort,
  parseStatuses,
  statusesOf,
} from "../src/cli/todos/todo-query.ts";
import { parseWhen } from "../src/cli/todos/when.ts";

// An hour or two ahead of UTC: a day taken from UTC would show.
process.env["TZ"] = "Europe/Berlin";

/** A Friday. */
const now = new Date(2026, 10, 20, 10, 0);

async function due(text: string, moment = now): Promise<string> {
  const { due_date, due_time } = await parseWhen(text, moment);
  return `${due_date} ${due_time}`;
}

function isUsage(error: unknown): boolean {
  return error instanceof CliError && error.failure === "usage";
}

describe("when", () => {
  const understood: Record<string, string> = {
    today: "2026-11-20 null",
    Tomorrow: "2026-11-21 null",
    yesterday: "2026-11-19 null",
    "day after tomorrow": "2026-11-22 null",
    "in 3 days": "2026-11-23 null",
    "in 2 weeks": "2026-12-04 null",
    "next monday": "2026-11-23 null",
    "next month": "2026-12-20 null",
    "24 dec": "2026-12-24 null",
    "last friday": "2026-11-13 null",
    "2026-12-24": "2026-12-24 null",
    "2026-12-24 18:00": "2026-12-24 18:00:00",
    "2026-12-24T9:05": "2026-12-24 09:05:00",
    "2026-12-24 18:00:30": "2026-12-24 18:00:30",
    "2026-11-30 9am": "2026-11-30 09:00:00",
    "tomorrow at 5pm": "2026-11-21 17:00:00",
    "mon 9:30 pm": "2026-11-23 21:30:00",
    "in 2 hours": "2026-11-20 12:00:00",
    eod: "2026-11-20 null",
    eow: "2026-11-22 null",
    sow: "2026-11-23 null",
    eom: "2026-11-30 null",
    "eom 18:00": "2026-11-30 18:00:00",
    som: "2026-12-01 null",
    eoq: "2026-12-31 null",
    soq: "2027-01-01 null",
    eoy: "2026-12-31 null",
    soy: "2027-01-01 null",
    none: "null null",
  };
  for (const [text, expected] of Object.entries(understood)) {
    test(`"${text}" is understood`, async () => {
      assert.equal(await due(text), expected);
    });
  }

  test("a bare weekday is the next one, also on that weekday", async () => {
    assert.equal(await due("sat"), "2026-11-21 null");
    assert.equal(await due("fri"), "2026-11-27 null");
    assert.equal(await due("fri 11am"), "2026-11-27 11:00:00");
  });

  test("what has been already is meant for the future", async () => {
    assert.equal(await due("9am"), "2026-11-21 09:00:00");
    assert.equal(await due("11am"), "2026-11-20 11:00:00");
    assert.equal(await due("3 nov"), "2027-11-03 null");
  });

  test("days are those of the terminal's time zone", async () => {
    const afterMidnight = new Date(Date.UTC(2026, 10, 20, 23, 30));
    assert.equal(await due("today", afterMidnight), "2026-11-21 null");
    assert.equal(await due("tomorrow", afterMidnight), "2026-11-22 null");
    assert.equal(await due("in 2 days", afterMidnight), "2026-11-23 null");
  });

  test("the end of a month is found from each of its days", async () => {
    assert.equal(await due("eom", new Date(2027, 0, 31)), "2027-01-31 null");
    assert.equal(await due("som", new Date(2027, 0, 31)), "2027-02-01 null");
    assert.equal(await due("eom", new Date(2028, 1, 1)), "2028-02-29 null");
    assert.equal(await due("eow", new Date(2026, 10, 22)), "2026-11-22 null");
    assert.equal(await due("sow", new Date(2026, 10, 23)), "2026-11-30 null");
  });

  const refused = [
    "",
    " ",
    "tomorow",
    "tomorrow rubbish",
    "rubbish tomorrow",
    "eom rubbish",
  ].concat(
    ["none 5", "31 feb", "2026-02-30", "2026-02-30 9am", "2026-13-01", "25:00", "5"],
    [
      "2026-12-24 24:00",
      "mon to fri",
      "sat or sun",
      "thu 25 nov",
      "constructor",
      "in 9999999 days",
    ],
  );
  for (const text of refused) {
    test(`"${text}" is not understood`, async () => {
      await assert.rejects(due(text), isUsage);
    });
  }
});

describe("the due filter", () => {
  const filters: Record<string, unknown> = {
    today: { due_from: "2026-11-20", due_to: "2026-11-20" },
    overdue: { due_to: "2026-11-19" },
    week: { due_from: "2026-11-20", due_to: "2026-11-26" },
    none: "none",
    "today..eom": { due_from: "2026-11-20", due_to: "2026-11-30" },
    "2026-12-01..": { due_from: "2026-12-01" },
    "..mon": { due_to: "2026-11-23" },
    tomorrow: { due_from: "2026-11-21", due_to: "2026-11-21" },
  };
  for (const [text, expected] of Object.entries(filters)) {
    test(`"${text}" is understood`, async () => {
      assert.deepEqual(await parseDueFilter(text, now), expected);
    });
  }

  for (const text of ["", "..", "rubbish", "today..rubbish", "none..fri", "mon..tue..wed"]) {
    test(`"${text}" is not understood`, async () => {
      await assert.rejects(parseDueFilter(text, now), isUsage);
    });
  }
});

describe("the other filters", () => {
  test("a status may be written as people do", () => {
    assert.deepEqual(parseStatuses("Open,in-progress"), ["open", "in_progress"]);
    assert.deepEqual(parseStatuses("done", ["open"]), ["open", "completed"]);
    assert.equal(parseStatuses("all"), "all");
    assert.throws(() => parseStatuses("opne"), /open, in_progress, completed, archived/);
  });

  test("what is to be done is the default, and never left for what is overdue", () => {
    assert.deepEqual(statusesOf(undefined, {}), ["open", "in_progress"]);
    assert.equal(statusesOf(undefined, { all: true }), undefined);
    assert.deepEqual(statusesOf(undefined, { all: true, due: "overdue" }), ["open", "in_progress"]);
    assert.equal(statusesOf("all", { due: "overdue" }), undefined);
    assert.deepEqual(statusesOf(["archived"], { all: true }), ["archived"]);
  });

  test("a sort is written out for the API, and unknown fields are refused", () => {
    assert.equal(parseSort("-due, title"), "-due_date,-due_time,title");
    assert.equal(parseSort("created"), "created_at");
    assert.throws(() => parseSort("tilte"), /Did you mean title\?/);
    assert.throws(() => parseSort(""));
  });
});

describe("dates", () => {
  test("days are counted across months and clock changes", () => {
    assert.equal(addDays("2026-10-24", 2), "2026-10-26");
    assert.equal(addDays("2026-03-01", -1), "2026-02-28");
    assert.equal(localDay(new Date(2026, 0, 1, 0, 30)), "2026-01-01");
  });

  test("days near today are words, others short", () => {
    assert.equal(formatNearDay("2026-11-19", "2026-11-20"), "yesterday");
    assert.equal(formatNearDay("2026-11-20", "2026-11-20"), "today");
    assert.equal(formatNearDay("2026-11-21", "2026-11-20"), "tomorrow");
    assert.equal(formatNearDay("2026-11-30", "2026-11-20"), "Mon 30 Nov");
    assert.equal(formatNearDay("2027-01-04", "2026-11-20"), "Mon 4 Jan 2027");
    assert.equal(formatDay("2026-11-30"), "Mon 30 Nov 2026");
  });

  test("times lose seconds that nobody gave; timestamps become local", () => {
    assert.equal(formatTime("18:00:00"), "18:00");
    assert.equal(formatTime("18:00:30"), "18:00:30");
    assert.equal(formatMoment("2026-11-20 23:30:00"), "Sat 21 Nov 2026 00:30:00");
  });
});
