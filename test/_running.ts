import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { once } from "node:events";
import type { Finished, Home } from "./_cli.ts";
import { bundledProgram } from "./_program.ts";

/** A command that runs. */
export interface Running {
  child: ChildProcessWithoutNullStreams;
  /** Resolves as soon as stdout or stderr, from here on, shows the text. */
  shows(text: string): Promise<void>;
  finished: Promise<Finished & { signal: NodeJS.Signals | null }>;
}

function watch(child: ChildProcessWithoutNullStreams): Running {
  const texts = { stdout: "", stderr: "" };
  let unseen = "";
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => {
      texts[name] += text;
      unseen += text;
      child.emit("shown");
    });
  }
  child.stdin.on("error", () => {});
  let hasEnded = false;
  const finished = once(child, "close").then(([code, signal]) => {
    hasEnded = true;
    child.emit("shown");
    return {
      code: (code as number | null) ?? -1,
      signal: signal as NodeJS.Signals | null,
      ...texts,
    };
  });
  return {
    child,
    finished,
    async shows(text) {
      while (!unseen.includes(text)) {
        if (hasEnded) throw new Error(`It ended without "${text}": ${texts.stdout}${texts.stderr}`);
        await once(child, "shown");
      }
      unseen = unseen.slice(unseen.indexOf(text) + text.length);
    },
  };
}

/** Starts a command of that user, with a pipe as stdin. */
export function start(
  home: Home,
  args: readonly string[],
  env: Record<string, string> = {},
): Running {
  const [command = "", ...words] = [...bundledProgram, ...args];
  return watch(spawn(command, words, { env: { ...home.env, ...env }, stdio: "pipe" }));
}

/** Starts it in a terminal (a pty) of so many columns, where somebody can answer questions. */
export function startInTerminal(home: Home, args: readonly string[], columns = 80): Running {
  const words = [...bundledProgram, ...args];
  const quoted = words.map((word) => `'${word.replaceAll("'", String.raw`'\''`)}'`).join(" ");
  const command = `stty cols ${columns} rows 24; exec ${quoted}`;
  return watch(
    spawn("script", ["-qec", command, "/dev/null"], { env: { ...home.env }, stdio: "pipe" }),
  );
}

/** Answers questions as they come: what is shown, and what is typed then. */
export async function converse(
  running: Running,
  steps: readonly (readonly [shown: string, typed: string])[],
): Promise<Finished> {
  for (const [shown, typed] of steps) {
    await running.shows(shown);
    running.child.stdin.write(typed);
  }
  return running.finished;
}

/** A server as a process of its own. */
export interface ServeProcess extends AsyncDisposable {
  url: string;
  stop(): Promise<void>;
}

/** Runs `todo serve` on a free port, on the user's own data folder unless told otherwise. */
export async function startServeProcess(
  home: Home,
  args: readonly string[] = [],
): Promise<ServeProcess> {
  const running = start(home, ["serve", "--port", "0", "--log-level", "silent", ...args]);
  let shown = "";
  running.child.stdout.on("data", (text: string) => (shown += text));
  await running.shows(" from ");
  const url = /serving (\S+) from/.exec(shown)![1]!;
  async function stop(): Promise<void> {
    running.child.kill("SIGTERM");
    await running.finished;
  }
  return { url, stop, [Symbol.asyncDispose]: stop };
}
