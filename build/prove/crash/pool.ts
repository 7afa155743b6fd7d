import { fork, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { availableParallelism } from "node:os";
import { fileURLToPath } from "node:url";

import { bundleModule } from "../bundle.ts";
import type { Result, Task } from "./tasks.ts";

const WORKER = fileURLToPath(new URL("worker.ts", import.meta.url));

/**
 * For processes that open very many databases: each has a WebAssembly memory of its own, so
 * collecting garbage is most of the work. It takes half the processor's time when it is not spread
 * over threads.
 */
export const GARBAGE_FLAGS = ["--single-threaded-gc"];

/**
 * Lets processes, one for each core, carry out tasks; see worker.ts.
 *
 * @param nextTask answers undefined when there is nothing more to do
 * @param take is given each task's result
 * @throws Error when a process fails; the others are ended
 */
export async function inProcesses(
  nextTask: () => Task | undefined,
  take: (result: Result) => void,
): Promise<void> {
  const children: ChildProcess[] = [];
  // Without tsx there is less in memory through which garbage is looked for.
  using worker = await bundleModule(WORKER);
  try {
    const processes = Array.from({ length: availableParallelism() }, async () => {
      const first = nextTask();
      if (!first) return;
      const child = fork(worker.main, { execArgv: GARBAGE_FLAGS });
      children.push(child);
      const ended = once(child, "exit").then(([code]: unknown[]) => {
        throw new Error(`A process of the proof ended with ${String(code)}`);
      });
      ended.catch(() => {});
      for (let task: Task | undefined = first; task; task = nextTask()) {
        child.send(task);
        const [result] = (await Promise.race([once(child, "message"), ended])) as [Result];
        take(result);
      }
    });
    await Promise.all(processes);
  } finally {
    for (const child of children) child.kill();
  }
}
