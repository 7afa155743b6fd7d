/** Dates, times of day and timestamps of the contract: existence, and normal forms. */

const datePattern = /^(\d{4})-(\d{2})-(\d{2})$/;
const timePattern = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d$/;
const timestampPattern =
  /^(\d{4}-\d{2}-\d{2})[ Tt](\d{2}:\d{2}:\d{2})(?:\.\d+)?(?:[Zz]|([+-])(\d{2}):(\d{2}))?$/;
const barePattern = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;

/** Whether the text is a day that exists, as `YYYY-MM-DD`. */
export function isDate(text: string): boolean {
  const [, year, month, day] = datePattern.exec(text) ?? [];
  if (year === undefined || month === undefined || day === undefined) return false;
  const date = new Date(0);
  date.setUTCFullYear(Number(year), Number(month) - 1, Number(day));
  return date.getUTCMonth() === Number(month) - 1 && date.getUTCDate() === Number(day);
}

/** Whether the text is a time of day that exists, as `HH:MM:SS`. */
export function isTime(text: string): boolean {
  return timePattern.test(text);
}

/** A moment as the contract writes it: UTC, `YYYY-MM-DD HH:MM:SS`. */
export function formatTimestamp(milliseconds: number): string {
  return new Date(milliseconds).toISOString().slice(0, 19).replace("T", " ");
}

/**
 * The normal form of a timestamp given as `YYYY-MM-DD HH:MM:SS` (UTC) or by
 * RFC 3339; undefined when it is neither, does not exist, or lies outside the
 * years 0 to 9999 in UTC.
 */
export function parseTimestamp(text: string): string | undefined {
  const [, date = "", time = "", sign, hours = "0", minutes = "0"] =
    timestampPattern.exec(text) ?? [];
  const hasZone = sign !== undefined || /[Zz]$/.test(text);
  if (!isDate(date) || !isTime(time) || !(hasZone || barePattern.test(text))) return undefined;
  if (Number(hours) > 23 || Number(minutes) > 59) return undefined;
  const offset = (Number(hours) * 60 + Number(minutes)) * 60_000 * (sign === "-" ? -1 : 1);
  const moment = new Date(Date.parse(`${date}T${time}Z`) - offset);
  const year = moment.getUTCFullYear();
  return year < 0 || year > 9999 ? undefined : formatTimestamp(moment.getTime());
}
