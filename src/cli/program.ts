import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { addServeCommand } from "./commands/serve.ts";
import { addExamples, addHelpCommand } from "./help.ts";
import { report } from "./report.ts";

/** The command line as commander knows it. */
export function createProgram(): Command {
  const program = new Command("todo")
    .description("A self-hosted todo service and its command line")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    .showSuggestionAfterError()
    .exitOverride()
    // What went wrong is said in one place; see report.ts.
    .configureOutput({ outputError: () => {} });
  addExamples(program, [
    ["todo serve", "serve the API at http://127.0.0.1:8636"],
    ["todo serve --help", "how to choose the port, the data folder, …"],
  ]);
  addServeCommand(program);
  program
    .command("version")
    .description("print the version")
    .action(() => {
      process.stdout.write(`${packageJson.version}\n`);
    });
  addHelpCommand(program);
  return program;
}

/**
 * Runs the command line.
 *
 * @param args what follows the program's name
 * @returns the exit code
 */
export async function run(args: readonly string[]): Promise<number> {
  outliveReaders();
  try {
    await createProgram().parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    return report(error);
  }
}

/** Whoever reads our output may stop (`| head -1`): that ends no server, and is no crash. */
function outliveReaders(): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code !== "EPIPE") throw error;
    });
  }
}
