import { Command, CommanderError } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { addServeCommand } from "./commands/serve.ts";
import { CliError, exitCodes } from "./errors.ts";

/** The command line as commander knows it. */
export function createProgram(): Command {
  const program = new Command("todo")
    .description("A self-hosted todo service and its command line")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .showSuggestionAfterError()
    .exitOverride();
  addServeCommand(program);
  return program;
}

/**
 * Runs the command line.
 *
 * @param args what follows the program's name
 * @returns the exit code
 */
export async function run(args: readonly string[]): Promise<number> {
  try {
    await createProgram().parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return report(error);
  }
}

function report(error: unknown): number {
  // commander has printed its message, or the help that was asked for.
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : exitCodes.usage;
  if (error instanceof CliError) {
    process.stderr.write(`todo: ${error.message}\n`);
    return exitCodes[error.failure];
  }
  // Storage says in its own words what to do; its module is not loaded for a name.
  const known = error instanceof Error && error.name === "StorageError";
  const detail = error instanceof Error ? (error.stack ?? error.message) : String(error);
  process.stderr.write(`todo: ${known ? error.message : `unexpected failure: ${detail}`}\n`);
  return exitCodes.failed;
}
