import { limits } from "../contract/limits.ts";
import { countCharacters } from "../contract/text.ts";
import type { Flags } from "./flags.ts";
import { secretFromStdin } from "./instance/secrets.ts";
import { askSecret } from "./prompts.ts";

export const passwordQuestion = { message: "Password:", flag: "--password-stdin" };

/**
 * A password that somebody chooses: from stdin, or asked for twice.
 *
 * @throws CliError `usage` when nobody can be asked, or stdin is empty
 */
export async function newPassword(flags: Flags, fromStdin: boolean): Promise<string> {
  if (fromStdin && !process.stdin.isTTY) return secretFromStdin(flags, passwordQuestion);
  const validate = (answer: string) =>
    countCharacters(answer) >= limits.passwordMin ||
    `A password has at least ${limits.passwordMin} characters.`;
  const password = await askSecret(flags, { ...passwordQuestion, validate });
  await askSecret(flags, {
    message: "The same again:",
    flag: passwordQuestion.flag,
    validate: (answer) => answer === password || "The two are different.",
  });
  return password;
}
