import { compareLoads, inTurn } from "./compare.ts";
import { findFixture } from "./fixture.ts";
import { type Measured, measure } from "./loader.ts";
import { usual } from "./reads.ts";
import { type Target, get } from "./requests.ts";
import type { Figure, Section } from "./section.ts";
import { startYardsticks } from "./yardsticks.ts";

const sortable = ["title", "status", "due_date", "due_time", "created_at", "updated_at"];
const flags = ["sync_enabled", "reminder_enabled", "recurring_enabled"];

/** Every filter and order of the list, by its name. */
export const variants: readonly [name: string, target: Target][] = [
  ...[
    "status=open",
    "status=archived",
    "status=open,in_progress",
    ...flags.flatMap((flag) => [`${flag}=0`, `${flag}=1`]),
    "due_from=2026-06-01",
    "due_to=2026-06-01",
    "due_from=2026-06-01&due_to=2026-06-30",
    "due_from=2026-06-01&due_to=2026-06-30&sort=due_date",
    "status=open&sort=due_date",
    "status=open&recurring_enabled=1",
    "q=river+milk",
    "q=nothing+like+it",
    ...sortable.flatMap((field) => [`sort=${field}`, `sort=-${field}`]),
    "page=150",
    "sort=title&page=150",
  ].map((query): [string, Target] => [query, () => `/todos?${query}&per_page=50`]),
  ["project_id", ({ projects }) => `/todos?project_id=${projects[3]!}&per_page=50`],
  ["category_id", ({ categories }) => `/todos?category_id=${categories[3]!}&per_page=50`],
  ["id (4 characters)", ({ todos }) => `/todos?id=${todos[3]!.slice(0, 4)}&per_page=50`],
];

export const filtersSection: Section = {
  name: "filters",
  title: "each filter and order of the list",
  async run(settings) {
    const fixture = findFixture(usual);
    await using servers = await startYardsticks(settings.folder, fixture);
    const figures: Figure[] = [];
    for (const [name, target] of variants) {
      const requests = fixture.users.map((user) => get(user, target));
      const job = { connections: 32, ms: settings.ms / 4, requests };
      const { todo, peer } = await inTurn<"todo" | "peer", Measured>(settings, {
        todo: () => measure(servers.todo, job),
        peer: () => measure(servers.peer, job),
      });
      const work = `GET /todos, 50 of 10,000, ${name}`;
      const what = { work, unit: "requests/s", against: "peer", bar: { atLeast: 0.7 } } as const;
      figures.push(compareLoads(what, "perSecond", todo, peer));
    }
    return figures;
  },
};
