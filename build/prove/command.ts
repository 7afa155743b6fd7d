import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("../../bin/todo.ts", import.meta.url));

export interface Finished {
  code: number | null;
  stdout: string;
  stderr: string;
}

/**
 * Runs a command of todo to its end.
 *
 * @param env added to this process's environment, of which nothing named TODO_* is passed on
 * @param input what it reads from stdin
 */
export async function runTodo(
  args: readonly string[],
  { env = {}, input = "" }: { env?: Record<string, string>; input?: string } = {},
): Promise<Finished> {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TODO_"));
  const child = spawn(process.execPath, ["--import", "tsx", program, ...args], {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["pipe", "pipe", "pipe"],
  });
  child.stdin.on("error", () => {});
  child.stdin.end(input);
  const outputs = Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = (await once(child, "close")) as [number | null];
  const [stdout, stderr] = await outputs;
  return { code, stdout, stderr };
}
