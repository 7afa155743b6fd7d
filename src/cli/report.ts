import { CommanderError } from "commander";
import { CliError, exitCodes } from "./errors.ts";

/**
 * Says on stderr what ended a command, in one style whoever noticed it.
 *
 * @returns the exit code
 */
export function report(error: unknown): number {
  if (error instanceof CommanderError) return reportUsage(error);
  const failure = error instanceof CliError ? error.failure : "failed";
  print(describe(error));
  return exitCodes[failure];
}

function reportUsage({ exitCode, code, message }: CommanderError): number {
  if (exitCode === 0) return 0;
  // The help itself, which was printed when no command was given.
  if (code === "commander.help") return exitCodes.usage;
  print(message.replace(/^error: /, "").replace(/\n\(/, " ("));
  return exitCodes.usage;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return `unexpected failure: ${String(error)}`;
  // Storage says in its own words what to do; its module is not loaded for a name.
  if (error instanceof CliError || error.name === "StorageError") return error.message;
  return `unexpected failure: ${error.stack ?? error.message}`;
}

function print(message: string): void {
  process.stderr.write(`todo: ${message}\n`);
}
