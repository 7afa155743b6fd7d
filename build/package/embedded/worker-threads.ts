import { Worker as FileWorker, type WorkerOptions } from "node:worker_threads";
import { threadSource } from "todo:assets";

/** Stands for `node:worker_threads` in modules that start a worker from a file beside them. */
export * from "node:worker_threads";

/** A thread that runs an embedded file. */
export class Worker extends FileWorker {
  constructor(file: URL, options: WorkerOptions = {}) {
    const entry = file.pathname
      .slice(1)
      .replace(/\.mjs$/, "")
      .replaceAll("/", ".");
    super(threadSource(entry), { ...options, eval: true });
  }
}
