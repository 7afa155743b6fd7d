import { readFileSync } from "node:fs";
import { text as readText } from "node:stream/consumers";
import { CliError } from "./errors.ts";

/**
 * The text of a file that the user names; `-` reads stdin.
 *
 * @param flag by which it was named, for the message
 * @throws CliError `usage` when it cannot be read
 */
export async function readInput(file: string, flag = file): Promise<string> {
  if (file === "-") return readText(process.stdin);
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new CliError("usage", `${flag}: ${(error as Error).message}.`, { cause: error });
  }
}
