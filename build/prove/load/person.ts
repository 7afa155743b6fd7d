import { type Account, createAccount, post } from "../account.ts";
import type { Http } from "../http.ts";
import { oneOf, pathOf } from "./changes.ts";
import { differingKeys, isSameEntry, readWorlds, toEntry } from "./world.ts";
import { type Writer, createWriter, makeChange } from "./writer.ts";

/** Somebody who uses the API as programs do, and knows what it must answer. */
export interface Person {
  /**
   * Sends a request.
   *
   * @returns what is wrong with the answer, if anything is
   */
  act(): Promise<string | undefined>;
  /** How many of their records are not as acknowledged. */
  differences(): Promise<number>;
}

/** What shows many records, or others than todos. */
const lists = [
  "/todos?per_page=50",
  "/todos?status=open,in_progress&sort=title",
  "/todos?q=77&sort=-updated_at",
  "/recurring-tasks?sort=title",
  "/categories",
  "/activity-logs?limit=20",
  "/user/profile",
];

/** Registers a person. */
export async function createPerson(http: Http, number: number): Promise<Person> {
  const account = await createAccount(http);
  const writer = createWriter(number);
  return {
    act() {
      const choice = Math.random();
      if (choice < 0.3 || writer.world.size === 0) return makeChange(writer, http, account.key);
      if (choice < 0.7) return readRecord(writer, http, account);
      if (choice < 0.999) return readList(http, account);
      return logIn(http, account);
    },
    async differences() {
      const { worlds } = await readWorlds(http, account.key);
      return differingKeys(writer.world, worlds.get(number) ?? new Map()).length;
    },
  };
}

async function readRecord(
  writer: Writer,
  http: Http,
  account: Account,
): Promise<string | undefined> {
  const record = oneOf([...writer.world.keys()])!;
  const expected = writer.world.get(record)!;
  const path = pathOf(writer, record);
  const { status, text } = await get(http, account, path);
  const { data } = JSON.parse(text) as { data: Record<string, unknown> };
  const isRight = status === 200 && isSameEntry(toEntry(expected.kind, data), expected);
  return isRight ? undefined : `GET ${path}: ${status} ${text.slice(0, 200)}`;
}

async function readList(http: Http, account: Account): Promise<string | undefined> {
  const path = oneOf(lists)!;
  const { status, text } = await get(http, account, path);
  return status === 200 ? undefined : `GET ${path}: ${status} ${text.slice(0, 200)}`;
}

async function logIn(http: Http, { email, password }: Account): Promise<string | undefined> {
  const { status } = await post(http, "/auth/login", { email, password });
  return status === 200 ? undefined : `POST /auth/login: ${status}`;
}

function get(http: Http, { key }: Account, path: string) {
  const headers = { "x-api-key": key };
  return http.send({ method: "GET", target: `/api/v1${path}`, headers });
}
