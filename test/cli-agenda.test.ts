import assert from "node:assert/strict";
import { describe, test } from "node:test";
import type { Agenda } from "../src/cli/agenda/agenda.ts";
import { addDays, localDay } from "../src/cli/dates.ts";
import { type SignedIn, signIn } from "./_signed-in.ts";

// As in the commands' environment.
process.env["TZ"] = "UTC";
const day = (offset: number) => addDays(localDay(new Date()), offset);

async function addTodos(user: SignedIn, todos: [title: string, offset: number, time?: string][]) {
  for (const [title, offset, time] of todos) {
    const due = { due_date: day(offset), due_time: time ?? null };
    await user.client.todos.create({ body: { title, ...due } });
  }
}

/** What the agenda has, by title. */
function titlesOf({ overdue, days }: Agenda) {
  const title = (record: { title: string }) => record.title;
  return {
    overdue: overdue.map(title),
    days: days.map(({ date, todos, recurring }) => [date, todos.map(title), recurring.map(title)]),
  };
}

describe("todo agenda", { concurrency: 2 }, () => {
  test("has what is overdue, and what is due on each day in order of time", async () => {
    await using user = await signIn();
    await addTodos(user, [
      ["yesterday", -1],
      ["long ago", -40, "09:00:00"],
      ["some time", 0],
      ["late", 0, "17:00:00"],
      ["early", 0, "08:00:00"],
      ["tomorrow", 1],
      ["in a week", 7],
    ]);
    await user.client.todos.create({ body: { title: "no date" } });
    const gone = { status: "completed", due_date: day(-1) } as const;
    await user.client.todos.create({ body: { title: "done", ...gone } });
    await user.client.todos.create({
      body: { title: "started", status: "in_progress", due_date: day(1), due_time: "07:00:00" },
    });
    assert.deepEqual(titlesOf(await user.json(["agenda", "--days", "2"])), {
      overdue: ["long ago", "yesterday"],
      days: [
        [day(0), ["early", "late", "some time"], []],
        [day(1), ["started", "tomorrow"], []],
      ],
    });
    const week = await user.json(["agenda"]);
    assert.equal(week.days.length, 7);
    assert.ok(!JSON.stringify(week).includes("in a week"));
    assert.match(await user.fail(2, ["agenda", "--days", "0"]), /from 1 to 366/);
  });

  test("has the recurring tasks of each day", async () => {
    await using user = await signIn();
    const create = (title: string, fields: object) =>
      user.client.recurring.create({ body: { title, ...fields } });
    await create("each day", { schedule: "daily" });
    await create("weekend", { schedule: "custom", custom_days: ["sat", "sun"] });
    await create("weekly", { schedule: "weekly" });
    const { days } = titlesOf(await user.json(["agenda", "--days", "14"]));
    // The server's clock stands at a Friday.
    for (const [date, , recurring] of days) {
      const weekday = new Date(date as string).getUTCDay();
      const expected = ["each day"];
      if (weekday === 0 || weekday === 6) expected.push("weekend");
      if (weekday === 5) expected.push("weekly");
      assert.deepEqual(recurring, expected, date as string);
    }
  });

  test("takes three requests however many todos there are, and says what it leaves out", async () => {
    await using user = await signIn();
    const add = (offset: number) =>
      user.client.todos.create({ body: { title: "t", due_date: day(offset) } });
    await Promise.all(Array.from({ length: 420 }, (_, index) => add(index % 2 === 0 ? -1 : 0)));
    const before = user.server.log.length;
    const { stdout, stderr } = await user.run(["agenda", "--json"]);
    assert.equal(user.server.log.length - before, 3);
    const { overdue, days } = JSON.parse(stdout) as Agenda;
    assert.deepEqual([overdue.length, days[0]!.todos.length], [200, 200]);
    assert.match(stderr, /10 more are overdue. See `todo list --due overdue --limit 210`/);
    assert.match(stderr, /10 more are due. See `todo list --due \S+ --limit 210`/);
  });

  test("prints a line for each thing to a program, and nothing that it would obey", async () => {
    await using user = await signIn();
    await addTodos(user, [["a\tb\u001B[31m\nc", 0, "08:00:00"]]);
    await user.client.recurring.create({ body: { title: "r", schedule: "daily" } });
    const { stdout } = await user.run(["agenda", "--days", "1"]);
    const lines = stdout.split("\n").map((line) => line.split("\t"));
    assert.deepEqual(lines[0]!.toSpliced(3, 1), [day(0), "08:00:00", "todo", "a b␛[31m c", ""]);
    assert.deepEqual(lines[1]!.toSpliced(3, 1), [day(0), "", "recurring", "r", ""]);
  });

  test("keeps within a narrow terminal", async () => {
    await using user = await signIn();
    const title =
      "A long title\u001B]0;x\u0007 with 日本語 and 🚆🚆🚆 and averyverylongwordthatmustbreak";
    const { data } = await user.client.categories.create({
      body: { name: "home", color: "#112233" },
    });
    const due = { due_date: day(0), due_time: "09:30:00", category_id: data.id };
    await user.client.todos.create({ body: { title, ...due } });
    await addTodos(user, [["late", -1]]);
    const shown = await user.show(["agenda"], { columns: 40, env: { NO_COLOR: "1" } });
    const { default: stringWidth } = await import("string-width");
    for (const line of shown.split("\n")) assert.ok(stringWidth(line) <= 40, line);
    assert.match(
      shown,
      /^Overdue\n[\da-f]{7} {2}yesterday {2}late\n\nToday, \w{3} \d+ \w{3} \d{4}\n/,
    );
    assert.match(shown, /09:30 {2}A long title␛\]0;x␇/);
    assert.match(shown, /@home/);
    assert.ok(!shown.includes("\u001B"), JSON.stringify(shown));
  });
});

describe("todo today", { concurrency: 2 }, () => {
  test("is what `todo` alone shows", async () => {
    await using user = await signIn();
    await addTodos(user, [
      ["late", -3],
      ["now", 0],
      ["later", 1],
    ]);
    const expected = { overdue: ["late"], days: [[day(0), ["now"], []]] };
    assert.deepEqual(titlesOf(await user.json(["today"])), expected);
    assert.deepEqual(titlesOf(await user.json([])), expected);
  });

  test("says when nothing is due, and succeeds", async () => {
    await using user = await signIn();
    const { stdout, stderr } = await user.run([]);
    assert.equal(stdout, "");
    assert.match(stderr, /^Nothing is due today/);
    assert.equal((await user.run(["-q"])).stderr, "");
  });

  test("is in the terminal's time zone", async () => {
    await using user = await signIn();
    const zones = ["Pacific/Kiritimati", "Pacific/Pago_Pago"];
    const dates: string[] = [];
    for (const TZ of zones) dates.push((await user.json([], { env: { TZ } })).days[0].date);
    // They are 25 hours apart.
    assert.ok(dates[0]! > dates[1]!, dates.join());
  });

  test("is not what a typo runs", async () => {
    await using user = await signIn();
    const before = user.server.log.length;
    assert.match(await user.fail(2, ["tody"]), /unknown command 'tody' \(Did you mean today\?\)/);
    assert.match(await user.fail(2, ["--json", "frobnicate", "--days", "3"]), /unknown command/);
    assert.equal(user.server.log.length, before);
  });
});
