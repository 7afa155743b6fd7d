/** Days as the API writes them (`YYYY-MM-DD`), in the terminal's time zone. */

const dayMs = 86_400_000;

/** The local day of a moment. */
export function localDay(moment: Date): string {
  const part = (number: number) => String(number).padStart(2, "0");
  return [
    String(moment.getFullYear()).padStart(4, "0"),
    part(moment.getMonth() + 1),
    part(moment.getDate()),
  ].join("-");
}

/** The local time of a moment, as `HH:MM:SS`. */
export function localTime(moment: Date): string {
  return moment.toTimeString().slice(0, 8);
}

/** The day so many days later. */
export function addDays(day: string, days: number): string {
  return new Date(Date.parse(day) + days * dayMs).toISOString().slice(0, 10);
}

/** A day for people: `Mon 30 Nov 2026`. */
export function formatDay(day: string): string {
  const parts = new Intl.DateTimeFormat("en-GB", {
    timeZone: "UTC",
    weekday: "short",
    day: "numeric",
    month: "short",
    year: "numeric",
  });
  return parts.format(Date.parse(day)).replaceAll(",", "");
}

/** A day that is near in a word, another one in short: `today`, `Mon 30 Nov`, `Mon 4 Jan 2027`. */
export function formatNearDay(day: string, today: string): string {
  const words = new Map([
    [addDays(today, -1), "yesterday"],
    [today, "today"],
    [addDays(today, 1), "tomorrow"],
  ]);
  const isThisYear = day.slice(0, 4) === today.slice(0, 4);
  return words.get(day) ?? (isThisYear ? formatDay(day).slice(0, -5) : formatDay(day));
}

/** A time of day without the seconds that nobody gave: `18:00`, `18:00:30`. */
export function formatTime(time: string): string {
  return time.replace(/:00$/, "");
}

/** A timestamp of the API (UTC) in the terminal's time zone: `Fri 20 Nov 2026 12:00:07`. */
export function formatMoment(timestamp: string): string {
  const moment = new Date(`${timestamp.replace(" ", "T")}Z`);
  return `${formatDay(localDay(moment))} ${localTime(moment)}`;
}
