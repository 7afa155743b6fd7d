import { type Command, Argument } from "commander";
import { completeWords } from "../completion/words.ts";
import { type Shell, completionScript, shells } from "../completion/scripts.ts";
import { formatAnswer, readRequest } from "../completion/shells.ts";
import { liveValues } from "../completion/values.ts";
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";

/** `todo completion`: the script for a shell; and the hidden command which that script asks. */
export function addCompletionCommands(program: Command): void {
  const command = program
    .command("completion")
    .description(
      "Print a script that lets a shell complete commands, flags and, from a server that runs, what is in your list.",
    )
    .summary("set up completion in a shell")
    .addArgument(new Argument("<shell>", "the shell").choices(shells))
    .action((shell: Shell) => {
      process.stdout.write(completionScript(shell));
    });
  addExamples(command, [
    ["source <(todo completion bash)", "in ~/.bashrc"],
    ["source <(todo completion zsh)", "in ~/.zshrc, after compinit"],
    ["todo completion fish | source", "in ~/.config/fish/config.fish"],
  ]);
  program
    .command("__complete <shell> [words...]", { hidden: true })
    .description("Print what may stand at the end of a command line.")
    .action(async (shell: Shell, words: string[], _options: unknown, self: Command) => {
      const text = await answer(program, shell, words, self.optsWithGlobals<Flags>());
      // The shell waits for the end of this process, whatever request is still under way.
      process.stdout.write(text, () => process.exit(0));
    });
}

async function answer(program: Command, shell: Shell, args: string[], flags: Flags) {
  const request = readRequest(shell, args);
  const { kind, candidates, prefix, given } = completeWords(program, request.words);
  const live = await liveValues(kind, flags, given);
  const all = [...candidates, ...live].map(({ value, description }) => ({
    value: prefix + value,
    description,
  }));
  return formatAnswer(request, kind === "files", all);
}
