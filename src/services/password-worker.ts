import { parentPort } from "node:worker_threads";
import { compareSync, hashSync } from "bcryptjs";

/** What the worker is asked: to hash a password, or to compare it with a hash. */
export type PasswordJob = { id: number; password: string } & ({ cost: number } | { hash: string });
export type PasswordAnswer = { id: number; result: string | boolean };

// bcrypt in JavaScript takes a processor for about a tenth of a second: here
// it holds up no request.
parentPort?.on("message", (job: PasswordJob) => {
  const result =
    "hash" in job ? compareSync(job.password, job.hash) : hashSync(job.password, job.cost);
  parentPort?.postMessage({ id: job.id, result } satisfies PasswordAnswer);
});
