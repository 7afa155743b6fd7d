import { randomUUID } from "node:crypto";
import type { Http } from "./http.ts";

/** A user of a server under proof, who remembers what was confirmed. */
export interface TodoUser {
  /** The titles of the todos that must be there, by their ids. */
  readonly confirmed: Map<string, string>;
  /** Each answers the status, and remembers what a success changed. */
  create(title: string): Promise<number>;
  rename(id: string, title: string): Promise<number>;
  remove(id: string): Promise<number>;
  read(id: string): Promise<number>;
  /** How many todos are not as confirmed: lost, changed, or come back. */
  differences(): Promise<number>;
  /** Goes on with the same user at another server, on the same data. */
  moveTo(http: Http): void;
}

interface Page {
  data: { id: string; title: string }[];
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
  const { status, body } = await send<{ data: { api_key: string } }>(
    http,
    "POST",
    "/auth/register",
    { body: account },
  );
  if (status !== 201) throw new Error(`The server answered ${status} to a registration`);
  const key = body.data.api_key;
  const confirmed = new Map<string, string>();

  async function all(): Promise<Map<string, string>> {
    const found = new Map<string, string>();
    for (let page = 1; ; page++) {
      const path = `/todos?per_page=200&sort=created_at&page=${page}`;
      const answer = await send<Page>(http, "GET", path, { key });
      if (answer.status !== 200) throw new Error(`The server answered ${answer.status} to a list`);
      for (const { id, title } of answer.body.data) found.set(id, title);
      if (!answer.body.pagination.has_more) return found;
    }
  }

  return {
    confirmed,
    async create(title) {
      const options = { key, body: { title } };
      const answer = await send<{ data: { id: string } }>(http, "POST", "/todos", options);
      if (answer.status === 201) confirmed.set(answer.body.data.id, title);
      return answer.status;
    },
    async rename(id, title) {
      const answer = await send(http, "PUT", `/todos/${id}`, { key, body: { title } });
      if (answer.status === 200) confirmed.set(id, title);
      return answer.status;
    },
    async remove(id) {
      const answer = await send(http, "DELETE", `/todos/${id}`, { key });
      if (answer.status === 200) confirmed.delete(id);
      return answer.status;
    },
    async read(id) {
      return (await send(http, "GET", `/todos/${id}`, { key })).status;
    },
    async differences() {
      const found = await all();
      const ids = new Set([...found.keys(), ...confirmed.keys()]);
      return [...ids].filter((id) => found.get(id) !== confirmed.get(id)).length;
    },
    moveTo(next) {
      http = next;
    },
  };
}

async function send<Body>(
  http: Http,
  method: string,
  path: string,
  { key, body }: { key?: string; body?: object },
): Promise<{ status: number; body: Body }> {
  const answer = await http.send({
    method,
    target: `/api/v1${path}`,
    headers: {
      ...(key !== undefined && { "x-api-key": key }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    body: body && JSON.stringify(body),
  });
  return { status: answer.status, body: JSON.parse(answer.text) as Body };
}
