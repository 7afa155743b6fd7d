import { statSync } from "node:fs";
import { join } from "node:path";
import { compare, inTurn } from "./compare.ts";
import { copyFixture, findFixture } from "./fixture.ts";
import { large } from "./growth.ts";
import { measure } from "./loader.ts";
import { usual } from "./reads.ts";
import { mixture } from "./requests.ts";
import type { Section } from "./section.ts";
import { startProject } from "./servers.ts";

/** What a server has needed when it is ready, in milliseconds and MiB. */
async function start(folder: string): Promise<{ ms: number; memory: number }> {
  await using server = await startProject(folder);
  return { ms: server.readyAfter, memory: server.memory() ?? Number.NaN };
}

export const startSection: Section = {
  name: "start",
  title: "the start with a large file",
  async run(settings) {
    const [largeFolder, emptyFolder] = ["large", "empty"].map((name) =>
      join(settings.folder, name),
    ) as [string, string];
    const { size } = statSync(copyFixture(findFixture(large), largeFolder));
    const taken = await inTurn<"large" | "empty", { ms: number; memory: number }>(settings, {
      large: () => start(largeFolder),
      empty: () => start(emptyFolder),
    });
    const work = `start with ${(size / 1e9).toFixed(1)} GB`;
    const against = "an empty database";
    return [
      compare(
        { work, unit: "ms", against, bar: { atMost: 1.3 } },
        taken.large.map(({ ms }) => ms),
        taken.empty.map(({ ms }) => ms),
      ),
      compare(
        { work: `${work}, memory`, unit: "MiB", against, bar: { atMost: 1.1 } },
        taken.large.map(({ memory }) => memory),
        taken.empty.map(({ memory }) => memory),
      ),
    ];
  },
};

export const memorySection: Section = {
  name: "memory",
  title: "memory after a million requests",
  async run({ folder, tell }) {
    const fixture = findFixture(usual);
    copyFixture(fixture, folder);
    await using server = await startProject(folder);
    const idle = server.memory() ?? Number.NaN;
    const requests = mixture(fixture.users, 100);
    const after: number[] = [];
    for (const part of [1, 2, 3, 4]) {
      await measure(server, { connections: 64, ms: 0, count: 250_000, requests });
      after.push(server.memory() ?? Number.NaN);
      tell(`after ${part * 250_000} requests: ${after.at(-1)!.toFixed(0)} MiB`);
    }
    const work = "memory after 1,000,000 mixed requests";
    const what = { work, unit: "MiB", against: "at the start", bar: { atMost: 1.2 } } as const;
    return [compare(what, after.slice(-1), [idle])];
  },
};
