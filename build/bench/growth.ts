import { join } from "node:path";
import { compareLoads, inTurn } from "./compare.ts";
import {
  type Content,
  type Fixture,
  type FixtureUser,
  copyFixture,
  findFixture,
} from "./fixture.ts";
import { type Measured, measure } from "./loader.ts";
import { creations, listOf, oneTodo, reads } from "./requests.ts";
import type { Figure, Section, Settings } from "./section.ts";
import { type Server, startProject } from "./servers.ts";

/** Many users, much text: a file of about 1 GB. */
export const large: Content = { users: 1000, todosPerUser: 1000, description: 160 };
const small: Content = { users: 1, todosPerUser: 1000, description: 160 };
const grown: Content = { users: 1, todosPerUser: 100_000, description: 160 };

/** Of so many users, requests are sent. */
const active = 200;

type Work = [name: string, make: (users: readonly FixtureUser[]) => string[], count?: number];

const works: readonly Work[] = [
  ["GET /todos/{id}", (users) => reads(users, Math.ceil(1000 / users.length), oneTodo)],
  // So few that the small one stays small.
  ["POST /todos", (users) => creations(users, Math.ceil(100 / users.length)), 300],
  ["GET /todos, 50 rows", (users) => reads(users, 1, () => listOf("per_page=50"))],
  [
    "GET /todos, 50 rows by due date",
    (users) => reads(users, 1, () => listOf("per_page=50&sort=due_date")),
  ],
];

async function compareSizes(
  settings: Settings,
  titles: readonly [string, string],
  contents: readonly [Content, Content],
): Promise<Figure[]> {
  const fixtures = contents.map(findFixture);
  const folders = ["large", "small"].map((name) => join(settings.folder, name));
  for (const [index, folder] of folders.entries()) copyFixture(fixtures[index]!, folder);
  await using first = await startProject(folders[0]!);
  await using second = await startProject(folders[1]!);
  const figures: Figure[] = [];
  for (const [name, make, count] of works) {
    const load = (server: Server, { users }: Fixture) => {
      const job = { connections: 32, ms: settings.ms / 2, requests: make(users.slice(0, active)) };
      return () => measure(server, count === undefined ? job : { ...job, count });
    };
    const { large: larger, small: smaller } = await inTurn<"large" | "small", Measured>(settings, {
      large: load(first, fixtures[0]!),
      small: load(second, fixtures[1]!),
    });
    const work = `${name}, ${titles[0]}`;
    const what = { work, unit: "ms", against: titles[1], bar: { atMost: 1.3 } } as const;
    figures.push(compareLoads(what, "p50", larger, smaller));
  }
  return figures;
}

export const growthSection: Section = {
  name: "growth",
  title: "one user with many todos",
  run: (settings) => compareSizes(settings, ["100,000 todos", "1,000 todos"], [grown, small]),
};

export const usersSection: Section = {
  name: "users",
  title: "many users",
  run: (settings) => compareSizes(settings, ["1,000 × 1,000 todos", "1 × 1,000"], [large, small]),
};
