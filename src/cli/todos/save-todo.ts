import type { Client } from "../../client/client.ts";
import type { Model } from "../../contract/schemas.ts";
import { linkCategories } from "../link-categories.ts";
import type { Names } from "./names.ts";
import type { Fields } from "./todo-fields.ts";

type Todo = Model<"Todo">;

/** Makes the todo. Its projects and categories are made where there are none yet. */
export async function createTodo(client: Client, names: Names, fields: Fields): Promise<Todo> {
  const { title = "", ...values } = fields.values;
  const links = await resolveLinks(names, fields);
  const { data } = await client.todos.create({ body: { title, ...values, ...links.values } });
  return linkOthers(client, data, links.others);
}

/** Changes the given fields of the todo. */
export async function updateTodo(
  client: Client,
  names: Names,
  id: string,
  fields: Fields,
): Promise<Todo> {
  const links = await resolveLinks(names, fields);
  const body = { ...fields.values, ...links.values };
  const { data } = await client.todos.update({ params: { id }, body });
  return linkOthers(client, data, links.others);
}

/** Ids in place of names. The API takes one category with the todo; the others are linked. */
async function resolveLinks(names: Names, { project, categories }: Fields) {
  const projectId = project == null ? project : (await names.makeProject(project)).id;
  const made = await Promise.all((categories ?? []).map((name) => names.makeCategory(name)));
  const [first = null, ...others] = new Set(made.map(({ id }) => id));
  return {
    values: {
      ...(projectId !== undefined && { project_id: projectId }),
      ...(categories !== undefined && { category_id: first }),
    },
    others,
  };
}

async function linkOthers(client: Client, todo: Todo, others: readonly string[]): Promise<Todo> {
  if (others.length === 0) return todo;
  await linkCategories(client, "todos", todo.id, others);
  return (await client.todos.get({ params: { id: todo.id } })).data;
}
