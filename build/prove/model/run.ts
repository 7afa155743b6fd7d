import { randomUUID } from "node:crypto";
import type { Answer, Http, Request } from "../http.ts";
import { difference, hasEnvelope } from "./compare.ts";
import { predict } from "./predict.ts";
import { resolve } from "./resolve.ts";
import type { Step } from "./steps.ts";
import { createWorld } from "./world.ts";

/** What has been seen of all requests, in all runs. */
export interface Tally {
  requests: number;
  serverErrors: number;
  brokenEnvelopes: number;
  /** Answers by status. */
  statuses: Map<number, number>;
  /** Operations (`GET /todos/{id}`) that were answered with success. */
  succeeded: Set<string>;
}

export function createTally(): Tally {
  return {
    requests: 0,
    serverErrors: 0,
    brokenEnvelopes: 0,
    statuses: new Map(),
    succeeded: new Set(),
  };
}

/** An answer is not what the model says. */
export class Difference extends Error {
  override readonly name = "Difference";
}

/** So many of the last requests are shown with a difference. */
const shownTail = 12;

/**
 * Sends the steps, one after the other, for two new users.
 *
 * @param isEnough asked before each step: true leaves out the rest
 * @throws Difference with the last requests and answers
 */
export async function runSteps(
  http: Http,
  tally: Tally,
  steps: readonly Step[],
  isEnough: () => boolean,
): Promise<void> {
  const run = randomUUID().slice(0, 8);
  const trace: string[] = [];
  const { text } = await http.send({ method: "GET", target: "/api/v1/marketplace/themes" });
  const world = createWorld((JSON.parse(text) as { data: { id: string }[] }).data);

  async function exchange(request: Request, operation: string): Promise<void> {
    const sent = Date.now();
    const answer = await http.send(request);
    const expected = predict(world, request, answer, { sent, received: Date.now() });
    note(tally, request, answer, operation);
    trace.push(show(request, answer));
    const wrong = difference(expected, request, answer);
    if (wrong === undefined) return;
    const tail = trace.slice(-shownTail).join("\n");
    throw new Difference(
      `${operation}: ${wrong}\n\nThe last of ${trace.length} requests:\n${tail}`,
    );
  }

  for (const name of ["Ada", "Grace"]) {
    const body = { email: `${name}.${run}@Example.org`, password: "correct horse", name };
    const target = "/api/v1/auth/jwt/register";
    await exchange(
      { method: "POST", target, body: JSON.stringify(body) },
      "POST /auth/jwt/register",
    );
  }
  for (const step of steps) {
    if (isEnough()) return;
    await exchange(resolve(step, world, run), `${step.method} ${step.path}`);
  }
}

function note(tally: Tally, request: Request, answer: Answer, operation: string): void {
  const { status } = answer;
  tally.requests += 1;
  tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1);
  if (status >= 500) tally.serverErrors += 1;
  if (!hasEnvelope(request, answer)) tally.brokenEnvelopes += 1;
  if (status < 300) tally.succeeded.add(operation);
}

function show({ method, target, headers, body }: Request, { status, text }: Answer): string {
  const shortened = (whole: string) => (whole.length > 400 ? `${whole.slice(0, 400)}…` : whole);
  const key = headers?.["x-api-key"] ?? headers?.["authorization"] ?? "-";
  return `${method} ${target} ${key} ${shortened(body?.toString() ?? "")}\n  → ${status} ${shortened(text)}`;
}
