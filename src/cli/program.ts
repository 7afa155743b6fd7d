// First: others look for the home as soon as they are loaded.
import "./home.ts";
import { Command } from "commander";
import packageJson from "../../package.json" with { type: "json" };
import { addAccountCommands } from "./commands/accounts.ts";
import { addAdminCommands } from "./commands/admin.ts";
import { addAgendaCommands } from "./commands/agenda.ts";
import { addApiCommand } from "./commands/api.ts";
import { addBackupCommand } from "./commands/backup.ts";
import { addCategoryCommands } from "./commands/categories.ts";
import { addCompletionCommands } from "./commands/completion.ts";
import { addDoctorCommand } from "./commands/doctor.ts";
import { addHealthCommand } from "./commands/health.ts";
import { addHelpCommand } from "./commands/help.ts";
import { addKeysCommands } from "./commands/keys.ts";
import { addLogCommand } from "./commands/log.ts";
import { addLogoutCommand } from "./commands/logout.ts";
import { addProfileCommands } from "./commands/profile.ts";
import { addProfilesCommands } from "./commands/profiles.ts";
import { addProjectCommands } from "./commands/projects.ts";
import { addRecurringCommands } from "./commands/recurring.ts";
import { addRestoreCommand } from "./commands/restore.ts";
import { addServeCommand } from "./commands/serve.ts";
import { addThemeCommands } from "./commands/themes.ts";
import { addTodoCommands } from "./commands/todos.ts";
import { addVersionCommand } from "./commands/version.ts";
import { CliError, exitCodes } from "./errors.ts";
import { addFlags } from "./flags.ts";
import { addExamples } from "./help/examples.ts";
import { groupCommands } from "./help/groups.ts";
import { setUpHelp } from "./help/layout.ts";
import { type Style, report } from "./report.ts";
import { adviseHelp } from "./usage-advice.ts";

/** The command line as commander knows it. */
export function createProgram(): Command {
  const program = new Command("todo")
    .description("A self-hosted todo service and its command line")
    .version(packageJson.version, "-V, --version", "print the version")
    .helpOption("-h, --help", "print help")
    // The program has a help command of its own, which knows topics; see commands/help.ts.
    .helpCommand(false)
    .showSuggestionAfterError()
    .exitOverride()
    // What went wrong is said in one place; see report.ts.
    .configureOutput({ outputError: () => {} });
  addExamples(program, [
    ['todo add "Pay rent" --due friday', "note something to do"],
    ["todo", "what is due today"],
    ["todo list", "what is open"],
    ["todo done 9e0b1c2", "done; the id is the one that is shown"],
    ["todo help dates", "how to say when something is due"],
  ]);
  setUpHelp(program);
  addFlags(program);
  addServeCommand(program);
  addAdminCommands(program);
  addHealthCommand(program);
  addDoctorCommand(program);
  addBackupCommand(program);
  addRestoreCommand(program);
  addAccountCommands(program);
  addLogoutCommand(program);
  addTodoCommands(program);
  addAgendaCommands(program);
  addProjectCommands(program);
  addCategoryCommands(program);
  addRecurringCommands(program);
  addThemeCommands(program);
  addProfileCommands(program);
  addProfilesCommands(program);
  addKeysCommands(program);
  addLogCommand(program);
  addApiCommand(program);
  addCompletionCommands(program);
  addHelpCommand(program);
  addVersionCommand(program);
  groupCommands(program);
  return program;
}

/**
 * Runs the command line.
 *
 * @param args what follows the program's name
 * @returns the exit code
 */
export async function run(args: readonly string[]): Promise<number> {
  const style = readStyle(args);
  watchOutput(style);
  const program = createProgram();
  try {
    await program.parseAsync(args, { from: "user" });
    return 0;
  } catch (error) {
    adviseHelp(error, program);
    return report(error, style);
  }
}

/** Read before commander does, which may fail; what follows `--` is text. */
function readStyle(args: readonly string[]): Style {
  const end = args.indexOf("--");
  const flags = end === -1 ? args : args.slice(0, end);
  // Also where the log is JSON, down to the line that says why there is none.
  const isJsonLog = flags.some(
    (flag, index) =>
      flag === "--log-format=json" || (flag === "--log-format" && flags[index + 1] === "json"),
  );
  return { json: flags.includes("--json") || isJsonLog, debug: flags.includes("--debug") };
}

/** Whoever reads our output may stop (`| head -1`): that ends no server, and is no crash. */
function watchOutput(style: Style): void {
  for (const stream of [process.stdout, process.stderr]) {
    stream.on("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EPIPE") return;
      const message = `The output cannot be written: ${error.message}.`;
      const failure = new CliError("failed", message, { cause: error });
      // Where stderr itself fails, nothing can be said.
      process.exit(stream === process.stdout ? report(failure, style) : exitCodes.failed);
    });
  }
}
