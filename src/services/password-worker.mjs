// Plain JavaScript: a worker thread does not go through tsx.
import { parentPort } from "node:worker_threads";
import { compareSync, hashSync } from "bcryptjs";

/** @import { PasswordJob, PasswordAnswer } from "./passwords.ts" */

// bcrypt in JavaScript takes a processor for about a tenth of a second: here
// it holds up no request.
parentPort?.on("message", (/** @type {PasswordJob} */ job) => {
  const result =
    "hash" in job ? compareSync(job.password, job.hash) : hashSync(job.password, job.cost);
  /** @type {PasswordAnswer} */
  const answer = { id: job.id, result };
  parentPort?.postMessage(answer);
});
