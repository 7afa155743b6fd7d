import { mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { type Fixture, copyFixture } from "./fixture.ts";
import type { Prepared } from "./limit.ts";
import { type Server, startLimit, startPeer, startProject } from "./servers.ts";

/** The project and both yardsticks, each with a copy of the same database. */
export interface Yardsticks {
  todo: Server;
  peer: Server;
  /** Only where requests were given for it. */
  limit: Server | undefined;
  [Symbol.asyncDispose]: () => Promise<void>;
}

/**
 * Starts the servers that are compared.
 *
 * @param options.prepared the requests that the limit can answer
 * @param options.syncMs how much longer each sync of the disk takes, in milliseconds
 */
export async function startYardsticks(
  folder: string,
  fixture: Fixture,
  { prepared = [], syncMs = 0 }: { prepared?: readonly string[]; syncMs?: number } = {},
): Promise<Yardsticks> {
  copyFixture(fixture, join(folder, "todo"));
  const todo = await startProject(join(folder, "todo"), syncMs);
  const peer = await startPeer(copyFixture(fixture, join(folder, "peer")), syncMs);
  const limit =
    prepared.length === 0
      ? undefined
      : await startLimit(await prepare(join(folder, "limit", "answers.json"), todo, prepared));
  return {
    todo,
    peer,
    limit,
    async [Symbol.asyncDispose]() {
      for (const server of [todo, peer, limit]) await server?.[Symbol.asyncDispose]();
    },
  };
}

/** Asks the project for what the limit will answer. */
async function prepare(path: string, todo: Server, requests: readonly string[]): Promise<string> {
  const answers: Prepared[] = [];
  for (const request of new Set(requests)) {
    const [start = "", ...lines] = request.split("\r\n\r\n")[0]!.split("\r\n");
    const [method = "", target = ""] = start.split(" ");
    const key = lines.find((line) => line.startsWith("x-api-key: "))!.slice(11);
    const response = await fetch(`http://127.0.0.1:${todo.port}${target}`, {
      headers: { "x-api-key": key },
    });
    const names = ["cache-control", "content-length", "content-type", "x-content-type-options"];
    const headers = Object.fromEntries(names.map((name) => [name, response.headers.get(name)!]));
    headers["access-control-allow-origin"] = "*";
    const body = await response.text();
    answers.push({ request: `${method} ${target} ${key}`, status: response.status, headers, body });
  }
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, JSON.stringify(answers));
  return path;
}
