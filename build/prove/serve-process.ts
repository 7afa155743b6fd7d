import { spawn } from "node:child_process";
import { once } from "node:events";

/** A server as a process of its own, stopped at the end of its scope. */
export interface ServeProcess extends AsyncDisposable {
  url: string;
}

/**
 * Runs `todo serve` from this checkout on a free port.
 *
 * @throws Error when it ends before it serves
 */
export async function startServer(folder: string): Promise<ServeProcess> {
  const flags = ["serve", "--port", "0", "--data", folder, "--log-level", "error"];
  const args = ["--import", "tsx", "bin/todo.ts", ...flags];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "close");
  const url = await new Promise<string>((resolve, reject) => {
    let shown = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      shown += text;
      const found = /serving (\S+) from/.exec(shown)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once("close", (code) => reject(new Error(`todo serve ended with ${code}`)));
  });
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill("SIGTERM");
      await ended;
    },
  };
}
