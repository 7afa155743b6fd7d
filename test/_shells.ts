import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import type { Shell } from "../src/cli/completion/scripts.ts";
import { bundledProgram } from "./_program.ts";

/** An interactive shell in a terminal, in which `todo` is completed. */
export interface ShellSession extends Disposable {
  /**
   * Types a line, in which `\t` is the Tab key, and presses Enter.
   *
   * @returns the words that the command `show` was given
   */
  show(line: string): Promise<string[]>;
  /**
   * Types without Enter, and waits until the terminal shows what is looked for. The Tab key is
   * pressed again as long as it does not: on a busy machine the server may answer too late.
   */
  see(line: string, pattern: RegExp): Promise<string>;
}

/** A shell that shows nothing for so long will not any more. */
const patienceMs = 60_000;

/** Whether this machine has the shell. */
export function hasShell(shell: Shell): boolean {
  return spawnSync(shell, ["-c", "exit 0"]).status === 0;
}

const commands: Record<Shell, string> = {
  bash: "bash --norc --noprofile -i",
  zsh: "zsh -f -i",
  fish: "fish --no-config -i",
};

/** Sets completion up as its help says, and for `show` as for `todo`. */
const setUps: Record<Shell, string> = {
  bash: "source <(todo completion bash); complete -F _todo show",
  zsh: "autoload -U compinit; compinit -D -u; source <(todo completion zsh); compdef _todo show",
  fish: "todo completion fish | source; complete -c show -f -k -a '(__todo_complete)'",
};

/** @param home where the shell starts, with the environment of its user */
export async function startShell(
  shell: Shell,
  home: { path: string; env: Record<string, string> },
): Promise<ShellSession> {
  const shown = join(home.path, "shown");
  const todo = bundledProgram.map((word) => `'${word}'`).join(" ");
  writeExecutable(home, "todo", `exec ${todo} "$@"`);
  writeExecutable(
    home,
    "show",
    `printf '%s\\0' "$@" > '${shown}.new'; mv '${shown}.new' '${shown}'`,
  );
  const child = spawn("script", ["-qfec", commands[shell], "/dev/null"], {
    cwd: home.path,
    env: { ...home.env, PATH: `${home.path}:${home.env["PATH"]}`, PS1: "> " },
    stdio: "pipe",
  });
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
  const until = async (isDone: () => boolean, what: string) => {
    const end = Date.now() + patienceMs;
    while (!isDone()) {
      if (Date.now() > end) throw new Error(`${shell} does not ${what}. It shows:\n${screen}`);
      await sleep(20);
    }
  };
  const show = async (line: string) => {
    rmSync(shown, { force: true });
    child.stdin.write(`${line}\n`);
    await until(() => existsSync(shown), `run ${JSON.stringify(line)}`);
    return readFileSync(shown, "utf8").split("\0").slice(0, -1);
  };
  await show(`${setUps[shell]}; show ready`);
  return {
    show,
    async see(line, pattern) {
      const start = screen.length;
      child.stdin.write(line);
      const again = setInterval(() => child.stdin.write("\t"), 3000);
      try {
        await until(() => pattern.test(screen.slice(start)), `show ${pattern}`);
      } finally {
        clearInterval(again);
      }
      return screen.slice(start);
    },
    [Symbol.dispose]: () => kill(child),
  };
}

function kill(child: ChildProcess): void {
  child.stdin?.destroy();
  child.kill("SIGKILL");
}

function writeExecutable(home: { path: string }, name: string, script: string): void {
  const path = join(home.path, name);
  writeFileSync(path, `#!/bin/sh\n${script}\n`);
  chmodSync(path, 0o755);
}
