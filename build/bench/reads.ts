import { findFixture } from "./fixture.ts";
import { compareLoads, inTurn } from "./compare.ts";
import { type Measured, measure } from "./loader.ts";
import { listOf, oneTodo, reads } from "./requests.ts";
import type { Figure, Section, Settings } from "./section.ts";
import { startYardsticks } from "./yardsticks.ts";

/** What most sections begin with. */
export const usual = { users: 8, todosPerUser: 10_000, description: 80 };

interface Read {
  work: string;
  requests: readonly string[];
  connections: readonly number[];
  bars: { peer: number; limit: number };
}

async function compareRead(
  settings: Settings,
  { work, requests, connections, bars }: Read,
): Promise<Figure[]> {
  await using servers = await startYardsticks(settings.folder, findFixture(usual), {
    prepared: requests,
  });
  const { todo, peer, limit } = servers;
  const figures: Figure[] = [];
  for (const count of connections) {
    const job = { connections: count, ms: settings.ms, requests };
    const loads = await inTurn<string, Measured>(settings, {
      todo: () => measure(todo, job),
      peer: () => measure(peer, job),
      limit: () => measure(limit!, job),
    });
    for (const against of ["peer", "limit"] as const) {
      const what = {
        work: `${work}, ${count} connection${count === 1 ? "" : "s"}`,
        unit: "requests/s",
        against,
        bar: { atLeast: bars[against] },
      } as const;
      figures.push(compareLoads(what, "perSecond", loads["todo"]!, loads[against]!));
    }
  }
  return figures;
}

export const getSection: Section = {
  name: "get",
  title: "one todo",
  run: (settings) =>
    compareRead(settings, {
      work: "GET /todos/{id}",
      requests: reads(findFixture(usual).users, 100, oneTodo),
      connections: [1, 32, 64],
      bars: { peer: 0.8, limit: 0.45 },
    }),
};

export const listSection: Section = {
  name: "list",
  title: "a page of todos",
  run: (settings) =>
    compareRead(settings, {
      work: "GET /todos, 50 of 10,000",
      requests: reads(findFixture(usual).users, 4, (index) =>
        listOf(`per_page=50&page=${index + 1}`),
      ),
      connections: [1, 32],
      bars: { peer: 0.9, limit: 0.5 },
    }),
};
