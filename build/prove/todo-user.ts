import { randomUUID } from "node:crypto";
import type { Http } from "./http.ts";

/** A user of a server under proof, who remembers what was confirmed. */
export interface TodoUser {
  /** The titles of the todos that must be there, by their ids. */
  readonly confirmed: Map<string, string>;
  /**
   * Each answers the status (a creation also the id), and remembers what a success changed; without an answer, that it may
   * have.
   *
   * @throws the socket's error when there is no answer.
   */
  create(title: string): Promise<{ status: number; id?: string }>;
  rename(id: string, title: string): Promise<number>;
  remove(id: string): Promise<number>;
  read(id: string): Promise<number>;
  /** How many todos are not as confirmed: lost, changed, or come back. */
  differences(): Promise<number>;
  /** Goes on with the same user at another server, on the same data. */
  moveTo(http: Http): void;
}

interface Todo {
  id: string;
  title: string;
}

interface Page {
  data: Todo[];
  pagination: { has_more: boolean };
}

/**
 * Registers a user.
 *
 * @throws Error when the server does not register it
 */
export async function registerUser(first: Http): Promise<TodoUser> {
  let http = first;
  const account = { email: `${randomUUID()}@example.org`, password: "correct horse", name: "Ada" };
  const registered = await send(http, "POST", "/auth/register", { body: account });
  if (registered.status !== 201)
    throw new Error(`A registration was answered ${registered.status}`);
  const key = (registered.body as { data: { api_key: string } }).data.api_key;
  const confirmed = new Map<string, string>();
  /** The ids and titles of what was asked for and not answered. */
  const unsure = new Set<string>();

  async function write(about: string, method: string, path: string, body?: object) {
    try {
      return await send(http, method, path, { key, ...(body && { body }) });
    } catch (error) {
      unsure.add(about);
      throw error;
    }
  }

  async function all(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let page = 1; ; page++) {
      const path = `/todos?per_page=200&sort=created_at&page=${page}`;
      const { status, body } = await send(http, "GET", path, { key });
      if (status !== 200) throw new Error(`A list was answered ${status}`);
      for (const { id, title } of (body as Page).data) found.set(id, title);
      if (!(body as Page).pagination.has_more) return found;
    }
  }

  return {
    confirmed,
    async create(title) {
      const { status, body } = await write(title, "POST", "/todos", { title });
      if (status !== 201) return { status };
      const { id } = (body as { data: Todo }).data;
      confirmed.set(id, title);
      return { status, id };
    },
    async rename(id, title) {
      const { status } = await write(id, "PUT", `/todos/${id}`, { title });
      if (status === 200) confirmed.set(id, title);
      return status;
    },
    async remove(id) {
      const { status } = await write(id, "DELETE", `/todos/${id}`);
      if (status === 200) confirmed.delete(id);
      return status;
    },
    async read(id) {
      return (await send(http, "GET", `/todos/${id}`, { key })).status;
    },
    async differences() {
      const found = await all();
      const ids = [...new Set([...found.keys(), ...confirmed.keys()])];
      return ids.filter((id) => {
        const title = found.get(id);
        const isUnsure = unsure.has(id) || (title !== undefined && unsure.has(title));
        return title !== confirmed.get(id) && !isUnsure;
      }).length;
    },
    moveTo(next) {
      http = next;
    },
  };
}

async function send(
  http: Http,
  method: string,
  path: string,
  { key, body }: { key?: string; body?: object },
): Promise<{ status: number; body: unknown }> {
  const answer = await http.send({
    method,
    target: `/api/v1${path}`,
    headers: {
      ...(key !== undefined && { "x-api-key": key }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: JSON.parse(answer.text) as unknown };
}
