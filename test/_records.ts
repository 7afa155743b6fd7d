import { randomUUID } from "node:crypto";
import type { Route } from "../src/contract/routes.ts";
import type { TestServer, TestUser } from "./_server.ts";

/** A record of each kind that paths name, made by the user: its id, by the subject's resource. */
export async function makeRecords(
  server: TestServer,
  { client }: TestUser,
): Promise<Record<string, string>> {
  const themes = (await server.client().catalogue.list()).data;
  const category = await client.categories.create({
    body: { name: randomUUID(), color: "#112233" },
  });
  const project = await client.projects.create({ body: { name: "project" } });
  const todo = await client.todos.create({ body: { title: "todo" } });
  const recurring = await client.recurring.create({ body: { title: "task" } });
  const key = await client.keys.create({ body: {} });
  const theme = await client.userThemes.create({ body: { theme_id: themes[0]!.id } });
  const activity = await client.activity.list();
  return {
    categories: category.data.id,
    projects: project.data.id,
    todos: todo.data.id,
    recurring: recurring.data.id,
    keys: key.data.id,
    userThemes: theme.data.id,
    activity: activity.data[0]!.id,
    catalogue: themes[0]!.id,
  };
}

/** A body that every operation with one accepts (fields that it does not know are ignored). */
export function validBody(records: Record<string, string>): object {
  return {
    email: `${randomUUID()}@example.org`,
    password: "correct horse",
    name: randomUUID(),
    title: "title",
    color: "#112233",
    category_id: records["categories"],
    theme_id: records["catalogue"],
  };
}

/** The path of a route with its record's id filled in. */
export function pathOf(route: Route, id: string): string {
  const path = route.path.replace("{id}", encodeURIComponent(id));
  return `/api/v1${path.replace("{categoryId}", randomUUID())}`;
}
