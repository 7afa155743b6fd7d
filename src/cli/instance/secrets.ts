import { readFileSync } from "node:fs";
import { text } from "node:stream/consumers";
import { CliError } from "../errors.ts";
import { type Question, askSecret } from "../prompts.ts";
import type { Flags } from "../flags.ts";

/**
 * The key of `TODO_API_KEY`, or of the file that `TODO_API_KEY_FILE` names.
 *
 * @throws CliError `usage` when the file cannot be read, or what is there cannot be a key
 */
export function keyFromEnvironment(): string | undefined {
  const key = process.env["TODO_API_KEY"];
  const file = process.env["TODO_API_KEY_FILE"];
  if (key !== undefined && key !== "") return checkKey(key.trim(), "TODO_API_KEY");
  if (file === undefined || file === "") return undefined;
  try {
    return checkKey(readFileSync(file, "utf8").trim(), "The file of TODO_API_KEY_FILE");
  } catch (error) {
    if (error instanceof CliError) throw error;
    const message = `TODO_API_KEY_FILE: ${(error as Error).message}`;
    throw new CliError("usage", message, { cause: error });
  }
}

/**
 * A key that can go into a header.
 *
 * @param source where it comes from, for the message, which never shows it
 * @throws CliError `usage`
 */
export function checkKey(key: string, source: string): string {
  if (/^[\x21-\x7e]{1,200}$/.test(key)) return key;
  throw new CliError("usage", `${source} does not hold an API key, which is one word.`);
}

/**
 * A secret from stdin, without its last line break; asked for when stdin is a terminal.
 *
 * @throws CliError `usage` when there is none
 */
export async function secretFromStdin(flags: Flags, question: Question): Promise<string> {
  if (process.stdin.isTTY) return askSecret(flags, question);
  const secret = (await text(process.stdin)).replace(/\r?\n$/, "");
  if (secret !== "") return secret;
  throw new CliError("usage", `${question.flag} reads stdin, which is empty.`);
}
