import type { Model } from "../../contract/schemas.ts";
import { localDay } from "../dates.ts";

/** What decides on which days a recurring task falls. */
export type Recurrence = Pick<Model<"RecurringTask">, "schedule" | "custom_days" | "created_at">;

/** As `Date` counts the days of a week. */
const weekdays = ["sun", "mon", "tue", "wed", "thu", "fri", "sat"] as const;

/**
 * Whether a recurring task falls on the day: a daily one on each; a weekly one on the weekday and a
 * monthly one on the day of the month on which it was created, in the terminal's time zone; a
 * custom one on its days. A monthly one falls on the last day of a month that is too short for it.
 *
 * @param day `YYYY-MM-DD`
 */
export function occursOn(recurrence: Recurrence, day: string): boolean {
  switch (recurrence.schedule) {
    case "daily":
      return true;
    case "weekly":
      return weekdayOf(day) === weekdayOf(createdOn(recurrence));
    case "monthly":
      return dayOfMonth(day) === Math.min(dayOfMonth(createdOn(recurrence)), lastDayOfMonth(day));
    case "custom":
      return recurrence.custom_days.includes(weekdayOf(day));
  }
}

/** When a recurring task falls, in few words: `weekly Fri`, `monthly 31`, `Mon Thu`. */
export function describeRecurrence(recurrence: Recurrence): string {
  switch (recurrence.schedule) {
    case "daily":
      return "daily";
    case "weekly":
      return `weekly ${capitalize(weekdayOf(createdOn(recurrence)))}`;
    case "monthly":
      return `monthly ${dayOfMonth(createdOn(recurrence))}`;
    case "custom":
      return recurrence.custom_days.map(capitalize).join(" ") || "never";
  }
}

function capitalize(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}

/** The local day of creation; the API's timestamps are UTC. */
function createdOn({ created_at }: Recurrence): string {
  return localDay(new Date(`${created_at.replace(" ", "T")}Z`));
}

// A day has no time zone: as midnight UTC it can be reckoned with whatever the local clock does.

function weekdayOf(day: string) {
  return weekdays[new Date(day).getUTCDay()]!;
}

function dayOfMonth(day: string): number {
  return new Date(day).getUTCDate();
}

function lastDayOfMonth(day: string): number {
  const date = new Date(day);
  date.setUTCMonth(date.getUTCMonth() + 1, 0);
  return date.getUTCDate();
}
