/**
 * Checks of text, shared by the fields of the contract. Each answers what the
 * text must be, or undefined when it is. Limits count Unicode code points.
 */

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const nilUuid = "00000000-0000-0000-0000-000000000000";

/** Whether the text has the form of a UUID, in either case and of any version. */
export function isUuid(value: unknown): value is string {
  return typeof value === "string" && uuid.test(value);
}

/** Whether the text is a UUID or the start of one, hyphens included. */
export function isUuidPrefix(value: string): boolean {
  return value.length <= nilUuid.length && isUuid(value + nilUuid.slice(value.length));
}

/** The number of Unicode code points. */
export function countCharacters(text: string): number {
  let count = 0;
  for (let i = 0; i < text.length; i += 1) {
    if (text.codePointAt(i)! > 0xffff) i += 1;
    count += 1;
  }
  return count;
}

/** The length of the text in UTF-8. */
export function countBytes(text: string): number {
  return new TextEncoder().encode(text).length;
}

/** Checks well-formed Unicode without NUL, at most `max` characters. */
export function checkText(value: unknown, max = Infinity): string | undefined {
  if (typeof value !== "string") return "a string";
  if (/\p{Surrogate}/u.test(value)) return "well-formed Unicode";
  if (value.includes("\0")) return "free of NUL characters";
  return countCharacters(value) > max ? `at most ${max} characters` : undefined;
}

/** Like `checkText`, and not blank. */
export function checkName(value: unknown, max: number): string | undefined {
  return (
    checkText(value, max) ?? (/\S/.test(value as string) ? undefined : "more than white space")
  );
}

// The HTML standard's definition of a valid e-mail address, opened to letters
// and digits of all scripts (RFC 6531).
const label = String.raw`[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?`;
const email = new RegExp(
  String.raw`^[\p{L}\p{M}\p{N}.!#$%&'*+/=?^_\x60{|}~-]+@${label}(?:\.${label})*$`,
  "u",
);

/** Checks the shape of an e-mail address, at most 254 characters (RFC 5321). */
export function checkEmail(value: unknown): string | undefined {
  if (checkText(value) !== undefined) return checkText(value);
  const text = value as string;
  return countCharacters(text) <= 254 && email.test(text) ? undefined : "a valid e-mail address";
}

/** Checks an absolute http or https URI without white space, at most `max` characters. */
export function checkUri(value: unknown, max: number): string | undefined {
  const expected = `an http or https URL of at most ${max} characters`;
  if (typeof value !== "string" || countCharacters(value) > max) return expected;
  return /^https?:\/\/[^\s\p{C}]+$/iu.test(value) && URL.canParse(value) ? undefined : expected;
}
