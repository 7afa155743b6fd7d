import { CommanderError } from "commander";
import { ConnectionError } from "../client/connection-error.ts";
import { ApiError } from "../contract/errors.ts";
import { CliError, type Failure, exitCodes } from "./errors.ts";
import { describeApiError, describeConnectionError, failureOf, sentence } from "./failures.ts";
import { harmlessLines } from "./output/text.ts";

/** How failures are said. */
export interface Style {
  /** One JSON object instead of words. */
  json: boolean;
  /** With what developers want to know. */
  debug: boolean;
}

/**
 * Says on stderr what ended a command, in one style whoever noticed it.
 *
 * @returns the exit code
 */
export function report(error: unknown, style: Style): number {
  if (error instanceof CommanderError && error.exitCode === 0) return 0;
  const { failure, code = failure, message, errors } = understand(error, style);
  if (message !== undefined) {
    const text = style.json
      ? JSON.stringify({ code, message, ...(errors !== undefined && { errors }) })
      : `todo: ${harmlessLines(message)}`;
    process.stderr.write(`${text}\n`);
  }
  if (style.debug && error instanceof Error) {
    process.stderr.write(`${harmlessLines(error.stack ?? "")}\n`);
  }
  return exitCodes[failure];
}

interface Understood {
  failure: Failure;
  /** The API's name for it. */
  code?: string;
  /** Undefined when it has been printed already. */
  message: string | undefined;
  errors?: Record<string, string> | undefined;
}

function understand(error: unknown, { debug }: Style): Understood {
  if (error instanceof CommanderError) return understandUsage(error);
  if (error instanceof CliError) {
    const { failure, message, cause } = error;
    if (failure === "interrupted") return { failure, message: undefined };
    return { failure, message, ...(cause instanceof ApiError && { code: cause.code }) };
  }
  if (error instanceof ApiError) {
    const { code, errors } = error;
    return { failure: failureOf(error), code, errors, message: describeApiError(error) };
  }
  if (error instanceof ConnectionError) {
    return { failure: "unreachable", code: error.failure, message: describeConnectionError(error) };
  }
  if (!(error instanceof Error)) {
    return { failure: "failed", message: `unexpected failure: ${String(error)}` };
  }
  // @inquirer/prompts throws this on Ctrl-C; its module is not loaded for a name.
  if (error.name === "ExitPromptError") return { failure: "interrupted", message: undefined };
  // Storage says in its own words what to do.
  if (error.name === "StorageError") return { failure: "failed", message: error.message };
  const hint = debug ? "" : " --debug shows more.";
  return { failure: "failed", message: `unexpected failure: ${sentence(error.message)}${hint}` };
}

function understandUsage({ code, message }: CommanderError): Understood {
  // The help itself, which was printed when no command was given.
  if (code === "commander.help") return { failure: "usage", message: undefined };
  return {
    failure: "usage",
    message: message.replace(/^error: /, "").replace(/\n\(/, " ("),
  };
}
