import { isDate, isTime, parseTimestamp } from "../contract/time.ts";
import { CliError } from "./errors.ts";
import { isNone } from "./none.ts";

/**
 * When a key expires, as the API takes it: from a day (of which the key has the whole), a local
 * time, or a timestamp with an offset.
 *
 * @returns UTC, as `YYYY-MM-DD HH:MM:SS`; null for "none"
 * @throws CliError `usage` for anything else, and for the past
 */
export function parseExpiry(text: string, now: Date): string | null {
  if (isNone(text)) return null;
  const [, day = "", time = "23:59:59"] =
    /^(\S{10})(?:[ T](\d\d:\d\d(?::\d\d)?))?$/.exec(text) ?? [];
  const seconds = time.length === 5 ? `${time}:00` : time;
  const local = isDate(day) && isTime(seconds) ? new Date(`${day}T${seconds}`).toISOString() : text;
  const hasOffset = /([Zz]|[+-]\d\d:\d\d)$/.test(local);
  const moment = hasOffset ? parseTimestamp(local) : undefined;
  if (moment === undefined) {
    throw new CliError(
      "usage",
      `--expires ${text}: give a day such as 2027-01-31, a time such as "2027-01-31 18:00", or none.`,
    );
  }
  if (Date.parse(`${moment.replace(" ", "T")}Z`) > now.getTime()) return moment;
  throw new CliError("usage", `--expires ${text} has passed already.`);
}
