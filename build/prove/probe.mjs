// Loaded into a server before its program: on SIGUSR2 it frees what is garbage and writes, as a line
// `probe {…}`, how the process fares; see probe.ts. Plain JavaScript, since worker threads load it
// as well, and do not go through tsx; signals reach the main thread only.
import { monitorEventLoopDelay, performance } from "node:perf_hooks";
import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";

setFlagsFromString("--expose-gc");
const collectGarbage = /** @type {() => void} */ (runInNewContext("gc"));

/** Milliseconds between two looks: a delay is what a look comes later than that. */
const resolution = 5;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let before = performance.eventLoopUtilization();

/** Large buffers are freed beside the main thread, some time after their owners. */
const settleMs = 500;

process.on("SIGUSR2", () => {
  const { utilization } = performance.eventLoopUtilization(before);
  const longestMs = delays.max / 1e6 - resolution;
  collectGarbage();
  setTimeout(collectGarbage, settleMs);
  setTimeout(() => {
    const memoryMiB = process.memoryUsage.rss() / 2 ** 20;
    process.stderr.write(`probe ${JSON.stringify({ longestMs, utilization, memoryMiB })}\n`);
    // What the loop has noticed of this belongs to no measurement.
    before = performance.eventLoopUtilization();
    delays.reset();
  }, 2 * settleMs);
});
