import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { fileURLToPath } from "node:url";

/** A process that writes all the time; see _storage-child.ts. */
export interface Writer {
  /** The texts of the notes that it has said to be durable. */
  readonly acknowledged: readonly string[];
  /** Settles when it has acknowledged so many notes. */
  reaches: (count: number) => Promise<void>;
  /** As `kill -9`. */
  kill: () => Promise<void>;
  /** Lets it close the database; answers its exit code. */
  stop: () => Promise<number | null>;
}

export async function startWriter(t: TestContext, folder: string, writers = 8): Promise<Writer> {
  const script = fileURLToPath(new URL("_storage-child.ts", import.meta.url));
  const child = spawn(process.execPath, ["--import", "tsx", script, folder, String(writers)], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  t.after(() => child.kill("SIGKILL"));
  const lines = createInterface({ input: child.stdout });
  // All that it said before its end has then been read.
  const ended = once(child, "close").then(([code]) => code as number | null);
  const unexpected = ended.then((code) => {
    throw new Error(`The writer ended with ${code}`);
  });
  unexpected.catch(() => {});
  await Promise.race([once(lines, "line"), unexpected]);

  const acknowledged: string[] = [];
  let changed = (): void => {};
  lines.on("line", (line) => {
    acknowledged.push(line);
    changed();
  });
  return {
    acknowledged,
    async reaches(count) {
      const reached = new Promise<void>((resolve) => {
        changed = () => {
          if (acknowledged.length >= count) resolve();
        };
        changed();
      });
      await Promise.race([reached, unexpected]);
    },
    async kill() {
      child.kill("SIGKILL");
      await ended;
    },
    stop() {
      child.stdin.end();
      return ended;
    },
  };
}
