import { type ServerOptions, type ServerProcess, startServerProcess } from "../server-process.ts";

/** What clients need of a server that runs. */
export type Running = Pick<ServerProcess, "http" | "ended">;

/** A server that is killed and started again, on one data folder, for clients who go on. */
export interface RestartingServer extends AsyncDisposable {
  /** The server that runs, or the next one while there is none. */
  current(): Promise<Running>;
  /** Kills it with SIGKILL, and settles when the next one serves. */
  killAndRestart(): Promise<void>;
}

export function createRestartingServer(options: ServerOptions): RestartingServer {
  let current = startServerProcess(options);
  async function restart(old: ServerProcess): Promise<ServerProcess> {
    await old[Symbol.asyncDispose]();
    return startServerProcess(options);
  }
  return {
    current: () => current,
    async killAndRestart() {
      current = restart(await current);
      await current;
    },
    async [Symbol.asyncDispose]() {
      await (await current)[Symbol.asyncDispose]();
    },
  };
}
