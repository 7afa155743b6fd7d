import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { type Http, createHttp } from "./http.ts";

const project = fileURLToPath(new URL("../..", import.meta.url));

export interface ServerOptions {
  folder: string;
  /** Flags after those that every server here gets. */
  flags?: readonly string[];
  /** Added to this process's environment, of which nothing named TODO_* is passed on. */
  env?: Record<string, string>;
  /** A module loaded before the program, as with Node's `--import`. */
  preload?: string;
  /** A bundle of the program to run instead of the source; see bundle.ts. */
  main?: string;
}

/** How a process ended: by itself with a code, or by a signal. */
export interface Exit {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** A running `todo serve`, killed at the end of its scope. */
export interface ServerProcess extends AsyncDisposable {
  url: string;
  pid: number;
  /** Milliseconds from the start of the process until it named its URL. */
  readyMs: number;
  /** A client with connections of its own, which end with the scope. */
  http: Http;
  /** All of stdout and stderr so far: the log, too. */
  output: () => string;
  /** Sends the signal and waits for the end. */
  end(signal: NodeJS.Signals): Promise<Exit>;
  ended: Promise<Exit>;
  /** The memory in use (resident set), in MiB. */
  memory(): number;
  /** The most memory that was ever in use, in MiB. */
  peakMemory(): number;
}

/**
 * Starts the real server as a process of its own, on a free port, and waits until it serves.
 *
 * @throws Error with its output when it ends instead
 */
export async function startServerProcess(options: ServerOptions): Promise<ServerProcess> {
  const started = performance.now();
  const child = spawnServer(options);
  let output = "";
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
      child.emit("shown");
    });
  }
  let hasEnded = false;
  const ended = once(child, "close").then((exit): Exit => {
    const [code, signal] = exit as [Exit["code"], Exit["signal"]];
    hasEnded = true;
    child.emit("shown");
    return { code, signal };
  });
  let url: string | undefined;
  while ((url = /^todo is serving (\S+) from/m.exec(output)?.[1]) === undefined) {
    if (hasEnded) throw new Error(`The server did not start: ${output}`);
    await once(child, "shown");
  }
  const http = createHttp(url);
  const end = (signal: NodeJS.Signals) => {
    child.kill(signal);
    return ended;
  };
  return {
    url,
    pid: child.pid!,
    readyMs: performance.now() - started,
    http,
    output: () => output,
    end,
    ended,
    memory: () => memoryMiB(child.pid!, "VmRSS"),
    peakMemory: () => memoryMiB(child.pid!, "VmHWM"),
    async [Symbol.asyncDispose]() {
      http[Symbol.dispose]();
      await end("SIGKILL");
    },
  };
}

function spawnServer(options: ServerOptions): ChildProcess {
  const { folder, flags = [], env = {}, preload, main } = options;
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("TODO_"));
  const loaders = [main === undefined && "tsx", preload].filter(
    (module) => typeof module === "string",
  );
  const imports = loaders.flatMap((module) => ["--import", module]);
  const serve = [
    main ?? "bin/todo.ts",
    "serve",
    "--port",
    "0",
    "--data",
    folder,
    "--log-level",
    "error",
  ];
  return spawn(process.execPath, [...imports, ...serve, ...flags], {
    cwd: project,
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
}

function memoryMiB(pid: number, name: "VmRSS" | "VmHWM"): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, "m").exec(status)?.[1]) / 1024;
}
