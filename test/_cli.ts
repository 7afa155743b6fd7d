import { spawn } from "node:child_process";
import { join } from "node:path";
import { bundledProgram } from "./_program.ts";
import { temporaryFolder } from "./_server.ts";

/** What a command has done. */
export interface Finished {
  code: number;
  stdout: string;
  stderr: string;
}

export interface RunOptions {
  /** What the command reads from stdin, which is no terminal. */
  input?: string;
  env?: Record<string, string>;
}

/** A user with a home of their own, who runs commands as real processes. */
export interface Home extends Disposable {
  path: string;
  env: Record<string, string>;
  run(args: readonly string[], options?: RunOptions): Promise<Finished>;
  /** The same in a terminal (a pty) of so many columns; what it shows is `stdout`. */
  runInTerminal(
    args: readonly string[],
    options?: RunOptions & { columns?: number },
  ): Promise<Finished>;
}

/**
 * An empty home: no configuration, no data.
 *
 * @param program the words that run `todo`
 */
export function createHome(program: readonly string[] = bundledProgram): Home {
  const folder = temporaryFolder();
  const env = {
    PATH: process.env["PATH"]!,
    HOME: folder.path,
    XDG_CONFIG_HOME: join(folder.path, "config"),
    XDG_DATA_HOME: join(folder.path, "data"),
    TZ: "UTC",
    TERM: "xterm-256color",
  };
  const [command = "", ...words] = program;
  return {
    path: folder.path,
    env,
    run: (args, options) => start(command, [...words, ...args], env, options),
    runInTerminal(args, { columns = 80, ...options } = {}) {
      const quoted = [...program, ...args].map(
        (word) => `'${word.replaceAll("'", String.raw`'\''`)}'`,
      );
      const line = `stty cols ${columns} rows 50 -echo; exec ${quoted.join(" ")}`;
      return start("script", ["-qec", line, "/dev/null"], env, options);
    },
    [Symbol.dispose]: () => folder[Symbol.dispose](),
  };
}

function start(
  command: string,
  args: readonly string[],
  env: Record<string, string>,
  { input = "", env: extra = {} }: RunOptions = {},
): Promise<Finished> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, { env: { ...env, ...extra }, stdio: "pipe" });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.on("error", reject);
    child.on("close", (code) => resolve({ code: code ?? -1, stdout, stderr }));
    child.stdin.on("error", () => {});
    child.stdin.end(input);
  });
}
