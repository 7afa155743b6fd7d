import { readFileSync } from "node:fs";
import { CliError } from "./errors.ts";

/**
 * The key of `TODO_API_KEY`, or of the file that `TODO_API_KEY_FILE` names.
 *
 * @throws CliError `usage` when the file cannot be read
 */
export function keyFromEnvironment(): string | undefined {
  const key = process.env["TODO_API_KEY"];
  const file = process.env["TODO_API_KEY_FILE"];
  if (key !== undefined && key !== "") return key;
  if (file === undefined || file === "") return undefined;
  try {
    return readFileSync(file, "utf8").trim();
  } catch (error) {
    const message = `TODO_API_KEY_FILE: ${(error as Error).message}`;
    throw new CliError("usage", message, { cause: error });
  }
}
