import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { type Client, createClient } from "../src/client/client.ts";

const project = fileURLToPath(new URL("..", import.meta.url));

/** How the command is run. */
export interface CommandOptions {
  /** Added to this process's environment, of which nothing named TODO_* is passed on. */
  env?: Record<string, string>;
  /** Lets permissions count, which they do not for root. */
  unprivileged?: boolean;
  /** Loaded before the program, as with Node's `--import`. */
  preload?: string;
}

/** How a process ended: by itself with a code, or by a signal. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

export interface CommandResult extends Exit {
  stdout: string;
  stderr: string;
}

/** A command that should have ended is killed after so long, so that its test fails. */
const patienceMs = 60_000;

/** Runs `todo` with arguments until it ends. */
export async function runCommand(
  args: readonly string[],
  options: CommandOptions = {},
): Promise<CommandResult> {
  const child = spawnCommand(args, options);
  const output = { stdout: "", stderr: "" };
  child.stdout!.setEncoding("utf8").on("data", (text: string) => (output.stdout += text));
  child.stderr!.setEncoding("utf8").on("data", (text: string) => (output.stderr += text));
  const patience = setTimeout(() => child.kill("SIGKILL"), patienceMs);
  const [code, signal] = (await once(child, "close")) as [number | null, NodeJS.Signals | null];
  clearTimeout(patience);
  return { code, signal, ...output };
}

export interface ServerOptions extends CommandOptions {
  folder: string;
  /** Flags after those that every server here gets. */
  flags?: readonly string[];
}

/** A running `todo serve`, killed at the end of its scope. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  pid: number;
  /** The lines of stdout so far, the first of which names the URL. */
  stdout: string[];
  /** The lines of stderr so far. */
  stderr: string[];
  /** Milliseconds from the start of the process until it named its URL. */
  readyMs: number;
  kill(signal: NodeJS.Signals): void;
  /** Stops reading its output, as a pager does that has seen enough. */
  closeOutput(): void;
  /** Settles when the process has ended and all of its output was read. */
  exit: Promise<Exit>;
  /** A new user's key, and a client that has it. */
  register(): Promise<{ key: string; client: Client }>;
}

/**
 * Starts the real server on a folder, and waits until it says that it serves.
 *
 * @throws Error with its stderr when it ends before that
 */
export async function startProcess(options: ServerOptions): Promise<ServerProcess> {
  const { folder, flags = [] } = options;
  return startServe(["--host", "127.0.0.1", "--port", "0", "--data", folder, ...flags], options);
}

/** As {@link startProcess}, with no flags but the given ones. */
export async function startServe(
  flags: readonly string[],
  options: CommandOptions = {},
): Promise<ServerProcess> {
  const started = performance.now();
  const child = spawnCommand(["serve", ...flags], options);
  const [stdout, stderr] = [collectLines(child.stdout!), collectLines(child.stderr!)];
  const exit = once(child, "close").then(([code, signal]): Exit => ({ code, signal }));
  const url = await Promise.race([firstUrl(child), exit.then(() => undefined)]);
  if (url === undefined) throw new Error(`The server ended at once:\n${stderr.join("\n")}`);
  return {
    url,
    pid: child.pid!,
    stdout,
    stderr,
    readyMs: performance.now() - started,
    kill: (signal) => void child.kill(signal),
    closeOutput() {
      child.stdout!.destroy();
      child.stderr!.destroy();
    },
    exit,
    async register() {
      const email = `${randomUUID()}@example.org`;
      const { data } = await createClient({ server: url }).auth.register({
        body: { email, password: "correct horse", name: "Ada" },
      });
      const key = data.api_key;
      return { key, client: createClient({ server: url, key }) };
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}

function spawnCommand(
  args: readonly string[],
  { env = {}, unprivileged = false, preload }: CommandOptions,
): ChildProcess {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TODO_"));
  const imports = ["--import", "tsx", ...(preload === undefined ? [] : ["--import", preload])];
  const command = [process.execPath, ...imports, "bin/todo.ts", ...args];
  // As root, but without its privileges: unlike another user, it can read any checkout of root's.
  const isRoot = process.getuid?.() === 0;
  if (unprivileged && isRoot) command.unshift("setpriv", "--bounding-set=-all", "--inh-caps=-all");
  return spawn(command[0]!, command.slice(1), {
    cwd: project,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function collectLines(stream: NodeJS.ReadableStream): string[] {
  const lines: string[] = [];
  createInterface({ input: stream }).on("line", (line) => lines.push(line));
  return lines;
}

function firstUrl(child: ChildProcess): Promise<string> {
  return new Promise((resolve) => {
    createInterface({ input: child.stdout! }).on("line", (line) => {
      const url = /https?:\/\/\S+/.exec(line)?.[0];
      if (url !== undefined) resolve(url);
    });
  });
}
