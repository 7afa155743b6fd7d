import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

const program = fileURLToPath(new URL("_lock-child.ts", import.meta.url));

/** Another process that takes locks, driven by commands; see `_lock-child.ts` for them. */
export interface Racer {
  /** Sends a command and resolves to its answer. */
  say(command: string): Promise<string>;
  signal(name: "SIGSTOP" | "SIGCONT"): void;
  /** Kills the process as `kill -9` does, and waits until it is gone. */
  kill(): Promise<void>;
  /** Closes the process's input; resolves to its exit code, null when it had to be killed. */
  finish(): Promise<number | null>;
}

/** Starts a racer for a folder, as another user if need be, and ends it with the test. */
export async function startRacer(
  t: TestContext,
  folder: string,
  user: { uid?: number } = {},
): Promise<Racer> {
  const child = spawn(process.execPath, ["--import", "tsx", program, folder], {
    stdio: ["pipe", "pipe", "inherit"],
    ...user,
  });
  const exit = once(child, "exit");
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const kill = async (): Promise<void> => {
    child.kill("SIGKILL");
    await exit;
  };
  t.after(kill);
  await lines.next();
  return {
    async say(command) {
      child.stdin.write(`${command}\n`);
      const line = await lines.next();
      return line.done ? "gone" : line.value;
    },
    signal: (name) => void child.kill(name),
    kill,
    async finish() {
      child.stdin.end();
      const patience = setTimeout(() => child.kill("SIGKILL"), 60_000);
      const [code] = (await exit) as [number | null];
      clearTimeout(patience);
      return code;
    },
  };
}
