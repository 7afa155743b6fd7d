// Plain JavaScript: a worker thread does not go through tsx.
import { constants, setPriority } from "node:os";
import { parentPort } from "node:worker_threads";
import { compareSync, hashSync } from "bcryptjs";

/** @import { PasswordJob, PasswordAnswer } from "./passwords.ts" */

// Where processors are few, requests come first. Only Linux has a priority for each thread.
if (process.platform === "linux") {
  try {
    setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  } catch {
    // A sandbox may not allow it, and it works without.
  }
}

// bcrypt in JavaScript takes a processor for about a tenth of a second: here
// it holds up no request.
parentPort?.on("message", (/** @type {PasswordJob} */ job) => {
  const result =
    "hash" in job ? compareSync(job.password, job.hash) : hashSync(job.password, job.cost);
  /** @type {PasswordAnswer} */
  const answer = { id: job.id, result };
  parentPort?.postMessage(answer);
});
