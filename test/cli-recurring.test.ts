import assert from "node:assert/strict";
import { afterEach, describe, test } from "node:test";
import { type Recurrence, describeRecurrence, occursOn } from "../src/cli/agenda/occurrences.ts";
import { addDays } from "../src/cli/dates.ts";
import { signIn } from "./_signed-in.ts";

describe("todo recurring", { concurrency: 2 }, () => {
  test("adds a task with all its fields, making unknown categories", async () => {
    await using user = await signIn();
    const fields = ["-d", "the green ones", "--days", "Monday,thu", "--favorite"];
    const links = ["-c", "home", "-c", "garden", "-c", "Home"];
    const { stdout, stderr } = await user.run([
      "rec",
      "add",
      "Water",
      "the plants",
      ...fields,
      ...links,
      "--json",
    ]);
    const task = JSON.parse(stdout);
    assert.equal(task.title, "Water the plants");
    assert.equal(task.description, "the green ones");
    assert.equal(task.schedule, "custom");
    assert.deepEqual(task.custom_days, ["mon", "thu"]);
    assert.equal(task.favorite, true);
    const names = task.categories.map(({ name }: { name: string }) => name);
    assert.deepEqual(names, ["garden", "home"]);
    assert.match(stderr, /Made category @home/);
    assert.deepEqual(await user.json(["recurring", "show", task.id.slice(0, 7)]), task);
  });

  test("edits what is given, and leaves the rest", async () => {
    await using user = await signIn();
    const task = await user.json(["rec", "add", "Rent", "-c", "bills", "-d", "flat"]);
    assert.equal(task.schedule, "weekly");
    const monthly = await user.json(["rec", "edit", task.id, "--schedule", "monthly"]);
    assert.deepEqual([monthly.schedule, monthly.description], ["monthly", "flat"]);
    assert.deepEqual(monthly.categories, task.categories);
    const others = [
      "--title",
      "Pay",
      "-d",
      "none",
      "-c",
      "none",
      "--favorite",
      "--days",
      "sat sun",
    ];
    const edited = await user.json(["rec", "edit", task.id, ...others]);
    const { title, description, categories, favorite, schedule, custom_days } = edited;
    assert.deepEqual([title, description, categories, favorite], ["Pay", null, [], true]);
    assert.deepEqual([schedule, custom_days], ["custom", ["sat", "sun"]]);
  });

  test("lists by schedule, favorite and order, as lines for programs", async () => {
    await using user = await signIn();
    const create = (title: string, fields: object) =>
      user.client.recurring.create({ body: { title, ...fields } });
    await create("Standup", { schedule: "daily", favorite: true });
    await create("Bins", { schedule: "custom", custom_days: ["tue"] });
    await create("Backup", { schedule: "daily" });
    const titles = async (...args: string[]) =>
      (await user.json(["rec", ...args])).map(({ title }: { title: string }) => title);
    assert.deepEqual(await titles("--schedule", "daily"), ["Backup", "Standup"]);
    assert.deepEqual(await titles("list", "--favorite"), ["Standup"]);
    assert.deepEqual(await titles("--sort", "title", "--limit", "2"), ["Backup", "Bins"]);
    const { stdout } = await user.run(["rec", "--sort", "title"]);
    assert.match(stdout.split("\n")[1]!, /^[\da-f]{7}\tBins\tTue\t\t$/);
  });

  test("removes one without a question, several after one", async () => {
    await using user = await signIn();
    const ids: string[] = [];
    for (const title of ["a", "b", "c"]) {
      ids.push((await user.client.recurring.create({ body: { title } })).data.id);
    }
    assert.match((await user.run(["rec", "rm", ids[0]!])).stdout, /^Removed [\da-f]{7} {2}a/);
    assert.match(await user.fail(2, ["rec", "rm", ids[1]!, ids[2]!]), /Remove 2 recurring tasks/);
    const some = [ids[1]!, ids[0]!, ids[1]!];
    assert.match(await user.fail(3, ["rec", "rm", ...some, "-y"]), /1 of 2 failed/);
    assert.deepEqual(await user.json(["rec", "rm", "-", "-y"], { input: ids[2]! }), [null]);
    assert.match(await user.fail(3, ["rec", "rm", ids[0]!]), /No record has the id/);
  });

  test("refuses days and schedules that do not go together", async () => {
    await using user = await signIn();
    const add = ["rec", "add", "x"];
    assert.match(await user.fail(2, [...add, "--schedule", "custom"]), /Give --days/);
    assert.match(await user.fail(2, [...add, "--schedule", "daily", "--days", "mon"]), /custom/);
    assert.match(await user.fail(2, [...add, "--days", "monkey"]), /mon, tue/);
    assert.match(await user.fail(2, [...add, "--schedule", "yearly"]), /daily, weekly/);
    assert.match(await user.fail(2, ["rec", "edit", "1234567"]), /Nothing to change/);
    assert.deepEqual((await user.client.recurring.list()).data, []);
  });
});

describe("a recurring task", () => {
  const zone = process.env["TZ"];
  afterEach(() => {
    if (zone === undefined) delete process.env["TZ"];
    else process.env["TZ"] = zone;
  });

  const created = (schedule: Recurrence["schedule"], created_at: string): Recurrence => ({
    schedule,
    custom_days: [],
    created_at,
  });
  /** The days on which it falls, of so many from the first on. */
  const daysOf = (recurrence: Recurrence, first: string, count: number) =>
    Array.from({ length: count }, (_, index) => addDays(first, index)).filter((day) =>
      occursOn(recurrence, day),
    );

  test("falls on every day if it is daily", () => {
    assert.equal(daysOf(created("daily", "2026-11-20 12:00:00"), "2026-11-20", 60).length, 60);
  });

  test("falls on the weekday of its creation if it is weekly", () => {
    process.env["TZ"] = "UTC";
    const weekly = created("weekly", "2026-11-20 12:00:00");
    assert.deepEqual(daysOf(weekly, "2026-11-21", 21), ["2026-11-27", "2026-12-04", "2026-12-11"]);
    assert.equal(describeRecurrence(weekly), "weekly Fri");
  });

  test("falls on the days of a custom schedule, on none without days", () => {
    const custom = { ...created("custom", "2026-11-20 12:00:00"), custom_days: ["sun", "wed"] };
    const recurrence = custom as Recurrence;
    assert.deepEqual(daysOf(recurrence, "2026-11-20", 7), ["2026-11-22", "2026-11-25"]);
    assert.equal(describeRecurrence(recurrence), "Sun Wed");
    assert.deepEqual(daysOf({ ...recurrence, custom_days: [] }, "2026-11-20", 14), []);
  });

  test("falls on the day of the month, or a shorter month's last day, if it is monthly", () => {
    process.env["TZ"] = "UTC";
    const on = (day: string) => created("monthly", `2026-01-${day} 12:00:00`);
    const ends = (year: number, february: string) =>
      ["01-31", february, "03-31", "04-30", "05-31", "06-30", "07-31", "08-31", "09-30"]
        .concat("10-31", "11-30", "12-31")
        .map((day) => `${year}-${day}`);
    assert.deepEqual(daysOf(on("31"), "2027-01-01", 365), ends(2027, "02-28"));
    assert.deepEqual(daysOf(on("31"), "2028-01-01", 366), ends(2028, "02-29"));
    assert.deepEqual(daysOf(on("30"), "2027-02-01", 59), ["2027-02-28", "2027-03-30"]);
    assert.deepEqual(daysOf(on("29"), "2027-02-01", 59), ["2027-02-28", "2027-03-29"]);
    assert.deepEqual(daysOf(on("29"), "2028-02-01", 60), ["2028-02-29", "2028-03-29"]);
    assert.deepEqual(daysOf(on("28"), "2028-02-01", 60), ["2028-02-28", "2028-03-28"]);
    assert.deepEqual(daysOf(on("29"), "2100-02-01", 28), ["2100-02-28"]);
    assert.deepEqual(daysOf(on("01"), "2027-02-01", 59), ["2027-02-01", "2027-03-01"]);
  });

  test("was created on the day that it was in the terminal's time zone", () => {
    const late = "2026-11-30 23:30:00";
    process.env["TZ"] = "America/New_York";
    assert.equal(describeRecurrence(created("monthly", late)), "monthly 30");
    process.env["TZ"] = "Asia/Tokyo";
    assert.equal(describeRecurrence(created("monthly", late)), "monthly 1");
    assert.equal(describeRecurrence(created("weekly", late)), "weekly Tue");
    process.env["TZ"] = "Pacific/Kiritimati";
    assert.equal(describeRecurrence(created("weekly", "2026-11-30 10:30:00")), "weekly Tue");
  });

  test("keeps its weekday over the changes of the clock", () => {
    // At 00:30 local time, an hour that some zones skip or repeat on these days.
    const zones = [
      ["Europe/Berlin", "2026-03-28 23:30:00", "weekly Sun"],
      ["Europe/Berlin", "2026-10-24 22:30:00", "weekly Sun"],
      ["America/Santiago", "2026-09-06 04:30:00", "weekly Sun"],
      ["Africa/Cairo", "2026-04-23 22:30:00", "weekly Fri"],
    ] as const;
    for (const [name, created_at, text] of zones) {
      process.env["TZ"] = name;
      const weekly = created("weekly", created_at);
      assert.equal(describeRecurrence(weekly), text, name);
      assert.equal(daysOf(weekly, "2026-03-01", 364).length, 52, name);
    }
  });
});
