// A process of the proof: it is sent tasks, one at a time, and answers each with its result.
import type { Task } from "./tasks.ts";
import { exploreCrashes } from "./crashes.ts";
import { exploreFailedSyncs } from "./failed-syncs.ts";
import { exploreRecoveries } from "./recoveries.ts";

const explorers = {
  crash: exploreCrashes,
  recovery: exploreRecoveries,
  "failed-sync": exploreFailedSyncs,
};

process.on("message", (task: Task) => {
  explorers[task.part](task).then(
    (result) => process.send?.(result),
    (error: unknown) => {
      process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
      process.exit(1);
    },
  );
});
