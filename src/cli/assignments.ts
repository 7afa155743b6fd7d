import { CliError } from "./errors.ts";

/**
 * Reads fields as they are given on a command line: `name=text`, or `name:=json` for anything else
 * than text.
 *
 * @param flag for the message, such as `-f`
 * @throws CliError `usage`
 */
export function parseAssignments(flag: string, texts: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(texts.map((text) => parseAssignment(flag, text)));
}

function parseAssignment(flag: string, text: string): [name: string, value: unknown] {
  const [, name, sign, value] = /^([^=:]+)(:?=)(.*)$/s.exec(text) ?? [];
  if (name === undefined || value === undefined) {
    throw new CliError("usage", `${flag} ${text}: give name=text or name:=json.`);
  }
  return [name, sign === "=" ? value : parseJson(`${flag} ${name}:=`, value)];
}

/**
 * The value of JSON that was given on a command line.
 *
 * @param flag for the message
 * @throws CliError `usage`
 */
export function parseJson(flag: string, text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (error) {
    const message = `${flag} wants JSON: ${(error as Error).message}.`;
    throw new CliError("usage", message, { cause: error });
  }
}

/** For commander: an option that may be given several times. */
export function collect(value: string, before: readonly string[] = []): string[] {
  return [...before, value];
}
