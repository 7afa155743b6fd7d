import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { once } from "node:events";
import { tmpdir } from "node:os";
import path from "node:path";

/** How a program ended, and what it printed. */
export interface Result {
  code: number | null;
  stdout: string;
  stderr: string;
}

/** Where and how the executable is tried. */
export interface Surroundings {
  /** A program that runs the executable, such as an emulator, with its arguments. */
  through: readonly string[];
  /** The root of another system, of which the executable sees nothing else; only root can do that. */
  root: string;
}

/** A program that runs. */
export interface Running {
  child: ChildProcessWithoutNullStreams;
  /** Resolves as soon as its output shows the text; rejects when it ends without that. */
  shows(text: string): Promise<void>;
  ended: Promise<Result>;
}

/** Somebody who has nothing but the executable: no home, and no folder to write to but one. */
export interface User extends Disposable {
  /** The executable, with what it is run through. */
  command: readonly string[];
  /** The file that is run, as this process sees it. */
  executable: string;
  /** The only folder that this user may write to. */
  data: string;
  start(command: readonly string[], env?: Record<string, string>): Running;
  /** Runs `todo` on the data folder to its end. */
  todo(...args: string[]): Promise<Result>;
}

/** The user and the group that own nothing. */
const nobody = 65_534;

/** Nothing here takes nearly as long; what hangs is to fail. */
const patienceMs = 120_000;

/**
 * Makes such a user, with a copy of the executable. Only root can become another user; for anybody
 * else it is the same user without a home.
 */
export function createUser(file: string, { through, root }: Surroundings): User {
  const isRoot = process.getuid?.() === 0;
  const folder = mkdtempSync(path.join(root, tmpdir(), "todo-smoke-"));
  const [empty, data, executable] = ["empty", "data", "todo"].map((name) =>
    path.join(folder, name),
  ) as [string, string, string];
  mkdirSync(empty, { mode: 0o555 });
  mkdirSync(data);
  cpSync(file, executable);
  chmodSync(executable, 0o755);
  chmodSync(folder, 0o755);
  if (isRoot) chownSync(data, nobody, nobody);
  const isElsewhere = root !== "/";
  const seen = (inside: string) => path.join("/", path.relative(root, inside));
  const become =
    isRoot && !isElsewhere
      ? ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"]
      : [];
  // What is around the executable (curl, a terminal) need not be in the other root.
  const enter = isElsewhere
    ? [
        "unshare",
        `--root=${root}`,
        `--wd=${seen(empty)}`,
        `--setuid=${nobody}`,
        `--setgid=${nobody}`,
      ]
    : [];
  const command = [...enter, ...through, seen(executable)];

  function start(words: readonly string[], env: Record<string, string> = {}): Running {
    const [program, ...args] = [...become, ...words] as [string, ...string[]];
    const { PATH = "/usr/bin:/bin" } = process.env;
    return watch(spawn(program, args, { cwd: empty, env: { PATH, ...env }, timeout: patienceMs }));
  }

  return {
    command,
    executable,
    data: seen(data),
    start,
    todo: (...args) => start([...command, "--data", seen(data), ...args]).ended,
    [Symbol.dispose]: () => rmSync(folder, { recursive: true }),
  };
}

function watch(child: ChildProcessWithoutNullStreams): Running {
  const result: Result = { code: null, stdout: "", stderr: "" };
  let hasEnded = false;
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      result[name] += text;
      child.emit("shown");
    });
  }
  child.stdin.on("error", () => {});
  const ended = once(child, "close").then(([code]) => {
    hasEnded = true;
    child.emit("shown");
    return { ...result, code: code as number | null };
  });
  return {
    child,
    ended,
    async shows(text) {
      while (!(result.stdout + result.stderr).includes(text)) {
        if (hasEnded)
          throw new Error(`It ended without "${text}": ${result.stdout}${result.stderr}`);
        await once(child, "shown");
      }
    },
  };
}
