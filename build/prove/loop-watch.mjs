import { monitorEventLoopDelay, performance } from "node:perf_hooks";

// Loaded into a server before its program: on SIGUSR2 it writes, as a line `loop-watch {…}`, how its
// event loop has fared since the last signal. Plain JavaScript, since worker threads load it as
// well, and do not go through tsx; signals reach the main thread only.

/** Milliseconds between two looks: a delay is what a look comes later than that. */
const resolution = 5;
const delays = monitorEventLoopDelay({ resolution });
delays.enable();
let before = performance.eventLoopUtilization();

process.on("SIGUSR2", () => {
  const now = performance.eventLoopUtilization();
  const { utilization } = performance.eventLoopUtilization(now, before);
  before = now;
  const longestMs = delays.max / 1e6 - resolution;
  process.stderr.write(`loop-watch ${JSON.stringify({ longestMs, utilization })}\n`);
  delays.reset();
});
