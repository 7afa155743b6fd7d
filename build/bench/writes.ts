import { compare, compareLoads, inTurn } from "./compare.ts";
import { copyFixture, findFixture } from "./fixture.ts";
import { type Measured, measure } from "./loader.ts";
import { usual } from "./reads.ts";
import { creations, mixture } from "./requests.ts";
import type { Figure, Section, Settings } from "./section.ts";
import { canSlowSyncs, startProject } from "./servers.ts";
import { startYardsticks } from "./yardsticks.ts";

/** What an SD card or a hard disk takes for a sync, in milliseconds. */
const slowSyncMs = 5;

export const createSection: Section = {
  name: "create",
  title: "a new todo, on the disk",
  run: (settings) => compareCreations(settings),
};

export const mixedSection: Section = {
  name: "mixed",
  title: "four reads for each write",
  run: (settings) => compareMixture(settings),
};

export const slowDiskSection: Section = {
  name: "slow-disk",
  title: `the same when each sync takes ${slowSyncMs} ms longer`,
  async run(settings) {
    if (!canSlowSyncs()) {
      settings.tell("left out: it needs strace");
      return [];
    }
    return [
      ...(await compareCreations(settings, slowSyncMs)),
      ...(await compareMixture(settings, slowSyncMs)),
    ];
  },
};

const circumstances = (syncMs: number) => (syncMs > 0 ? `, syncs ${syncMs} ms slower` : "");

async function compareCreations(settings: Settings, syncMs = 0): Promise<Figure[]> {
  const fixture = findFixture(usual);
  await using servers = await startYardsticks(settings.folder, fixture, { syncMs });
  const requests = creations(fixture.users, 100);
  const figures: Figure[] = [];
  for (const [connections, atLeast] of [
    [1, 0.7],
    [64, 2.5],
  ] as const) {
    const job = { connections, ms: settings.ms, requests };
    const { todo, peer } = await inTurn<"todo" | "peer", Measured>(settings, {
      todo: () => measure(servers.todo, job),
      peer: () => measure(servers.peer, job),
    });
    const count = `${connections} connection${connections === 1 ? "" : "s"}`;
    const work = `POST /todos, ${count}${circumstances(syncMs)}`;
    const what = { work, unit: "requests/s", against: "peer", bar: { atLeast } } as const;
    figures.push(compareLoads(what, "perSecond", todo, peer));
  }
  return figures;
}

async function compareMixture(settings: Settings, syncMs = 0): Promise<Figure[]> {
  const fixture = findFixture(usual);
  await using servers = await startYardsticks(settings.folder, fixture, { syncMs });
  const job = {
    connections: 64,
    ms: settings.ms * 2,
    requests: mixture(fixture.users, 100),
  };
  const { todo, peer } = await inTurn<"todo" | "peer", Measured>(settings, {
    todo: () => measure(servers.todo, job),
    peer: () => measure(servers.peer, job),
  });
  const work = `mixed 80/20, 64 connections${circumstances(syncMs)}`;
  const against = "peer";
  const speed = { work, unit: "requests/s", against, bar: { atLeast: 1.5 } } as const;
  const slowest = { work: `${work}, p99`, unit: "ms", against, bar: { atMost: 1 } } as const;
  return [compareLoads(speed, "perSecond", todo, peer), compareLoads(slowest, "p99", todo, peer)];
}

export const checkpointsSection: Section = {
  name: "checkpoints",
  title: "the slowest writes of all",
  async run(settings) {
    const fixture = findFixture(usual);
    copyFixture(fixture, settings.folder);
    await using server = await startProject(settings.folder);
    const requests = creations(fixture.users, 100);
    const { todo } = await inTurn<"todo", Measured>(settings, {
      todo: () => measure(server, { connections: 64, ms: settings.ms * 3, requests }),
    });
    const work = "POST /todos, 64 connections, p99.9";
    const what = { work, unit: "ms", against: "its median", bar: { atMost: 10 } } as const;
    return [
      compare(
        what,
        todo.map(({ p999 }) => p999),
        todo.map(({ p50 }) => p50),
      ),
    ];
  },
};
