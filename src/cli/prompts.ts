import { CliError } from "./errors.ts";
import type { Flags } from "./flags.ts";

type AskFlags = Pick<Flags, "input" | "color">;

/** A question for the person at the terminal. */
export interface Question {
  message: string;
  /** How the answer is given without a prompt, such as `--name`. */
  flag: string;
  default?: string | undefined;
  /** True, or what is wrong with the answer. */
  validate?: (answer: string) => true | string;
}

/** Whether somebody is there to be asked. */
function canAsk({ input }: Pick<Flags, "input">): boolean {
  return input && process.stdin.isTTY && process.stderr.isTTY;
}

/**
 * Asks for a line of text.
 *
 * @throws CliError `usage`, naming the flag, when nobody can be asked
 */
export async function askText(flags: AskFlags, question: Question): Promise<string> {
  const { input } = await loadPrompts(flags, question);
  return input(
    {
      message: question.message,
      ...(question.default !== undefined && { default: question.default }),
      validate: question.validate ?? required,
    },
    onStderr,
  );
}

/**
 * Asks for a secret, which shows as asterisks.
 *
 * @throws CliError `usage`, naming the flag, when nobody can be asked
 */
export async function askSecret(flags: AskFlags, question: Question): Promise<string> {
  const { password } = await loadPrompts(flags, question);
  const { message, validate = required } = question;
  return password({ message, mask: "*", toggleMask: false, validate }, onStderr);
}

/**
 * Asks for consent; `--yes` gives it.
 *
 * @throws CliError `usage` when nobody can be asked
 */
export async function askConsent(
  flags: AskFlags & Pick<Flags, "yes">,
  message: string,
): Promise<boolean> {
  if (flags.yes) return true;
  const { confirm } = await loadPrompts(flags, { message, flag: "--yes" });
  return confirm({ message, default: false }, onStderr);
}

/** Stdout is for results, also while somebody is asked. */
const onStderr = { output: process.stderr };

function required(answer: string): true | string {
  return answer.trim() !== "" || "Please give an answer.";
}

async function loadPrompts(flags: AskFlags, { message, flag }: Question) {
  if (!canAsk(flags)) {
    const question = message.replace(/[:?]$/, "");
    throw new CliError(
      "usage",
      `An answer is missing (${question}), and nobody can be asked. Give it with ${flag}.`,
    );
  }
  if (!flags.color) process.env["NO_COLOR"] = "1";
  return import("@inquirer/prompts");
}
