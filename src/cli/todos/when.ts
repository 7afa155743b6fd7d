import { isDate, isTime } from "../../contract/time.ts";
import { addDays, localDay, localTime } from "../dates.ts";
import { CliError } from "../errors.ts";

/** When a todo is due, as the API has it: a day, perhaps with a time, or never. */
export interface Due {
  due_date: string | null;
  due_time: string | null;
}

const whens = "tomorrow, fri 9am, next monday, in 3 days, eom, 2026-12-24 18:00, or none";

/**
 * Understands when something is due: natural English, ISO dates, the short words of Taskwarrior
 * (`eow`, `eom`, `som`, …), or `none`. What could be past or future is taken as future; a bare
 * weekday is the next one after today. A day without a time has none.
 *
 * @param now in the terminal's time zone
 * @throws CliError `usage` for anything that is not understood as a whole
 */
export async function parseWhen(given: string, now = new Date()): Promise<Due> {
  const text = replaceWord(given.trim().toLowerCase(), localDay(now));
  if (text === "none") return { due_date: null, due_time: null };
  const due = parseExact(text) ?? (startsAsDate(text) ? undefined : await parseNatural(text, now));
  if (due !== undefined) return due;
  throw new CliError("usage", `"${given}" is not understood as a date. Try ${whens}.`);
}

/** The words that the library does not know, as days; a time may follow. */
function replaceWord(text: string, today: string): string {
  const [word = "", rest] = /^(\p{L}+)(.*)$/su.exec(text)?.slice(1) ?? [];
  const day = Object.hasOwn(days, word) ? days[word]!(today) : undefined;
  return day === undefined ? text.replace(/^(the )?day after tomorrow\b/, "in 2 days") : day + rest;
}

const days: Record<string, (today: string) => string> = {
  today: (today) => today,
  tomorrow: (today) => addDays(today, 1),
  yesterday: (today) => addDays(today, -1),
  eod: (today) => today,
  sow: startOfNextWeek,
  eow: (today) => addDays(startOfNextWeek(today), -1),
  som: (today) => firstOfMonth(today, 1),
  eom: (today) => addDays(firstOfMonth(today, 1), -1),
  soq: startOfNextQuarter,
  eoq: (today) => addDays(startOfNextQuarter(today), -1),
  soy: (today) => firstOfMonth(`${today.slice(0, 4)}-12-01`, 1),
  eoy: (today) => `${today.slice(0, 4)}-12-31`,
};

/** Weeks start on Monday (ISO 8601). */
function startOfNextWeek(today: string): string {
  const weekday = new Date(today).getUTCDay();
  return addDays(today, 7 - ((weekday + 6) % 7));
}

function startOfNextQuarter(today: string): string {
  const month = Number(today.slice(5, 7)) - 1;
  return firstOfMonth(today, 3 - (month % 3));
}

/** The first day of the month, so many months later. */
function firstOfMonth(day: string, months: number): string {
  const date = new Date(`${day.slice(0, 7)}-01`);
  date.setUTCMonth(date.getUTCMonth() + months);
  return date.toISOString().slice(0, 10);
}

/** `YYYY-MM-DD`, perhaps with a time of 24 hours: needs no library, and no year is guessed. */
function parseExact(text: string): Due | undefined {
  const [date = "", time] =
    /^(\d{4}-\d{2}-\d{2})(?:[ t]+(\d{1,2}:\d{2}(?::\d{2})?))?$/.exec(text)?.slice(1) ?? [];
  if (!isDate(date)) return undefined;
  if (time === undefined) return { due_date: date, due_time: null };
  const full = `${time.padStart(time.length < 6 ? 5 : 8, "0")}:00`.slice(0, 8);
  return isTime(full) ? { due_date: date, due_time: full } : undefined;
}

/** A date that does not exist, which the library would move to another day. */
function startsAsDate(text: string): boolean {
  const [date] = /^\d{4}-\d{2}-\d{2}/.exec(text) ?? [];
  return date !== undefined && !isDate(date);
}

async function parseNatural(text: string, now: Date): Promise<Due | undefined> {
  // Only the English part of the library, and only for those who write so.
  const { casual } = await import("chrono-node/en");
  const isPast = /\b(last|ago|past|previous)\b/.test(text);
  const results = casual.parse(text, now, { forwardDate: !isPast });
  const [result] = results;
  const isWhole = results.length === 1 && result?.text === text && result.end == null;
  if (!isWhole) return undefined;
  const { start } = result;
  const moment = start.date();
  if (Number.isNaN(moment.getTime()) || moment.getFullYear() > 9999) return undefined;
  // "thu 25 nov" of a year in which that is a Wednesday is a slip of somebody's.
  const isContradiction =
    start.isCertain("weekday") &&
    start.isCertain("day") &&
    start.get("weekday") !== moment.getDay();
  if (isContradiction) return undefined;
  const day = localDay(moment);
  const isBareWeekday = start.isCertain("weekday") && !start.isCertain("day");
  const isToday = isBareWeekday && !isPast && day === localDay(now);
  return {
    due_date: isToday ? addDays(day, 7) : day,
    due_time: start.isCertain("hour") ? localTime(moment) : null,
  };
}
