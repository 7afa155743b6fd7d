import { randomUUID } from "node:crypto";
import type { Http } from "./http.ts";

/** A user of a server under proof. */
export interface Account {
  email: string;
  password: string;
  key: string;
  token: string;
}

/** Posts a JSON body, and returns the status and the `data` of the answer. */
export async function post(
  http: Http,
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<{ status: number; data: unknown }> {
  const target = `/api/v1${path}`;
  const text = JSON.stringify(body);
  const answer = await http.send({ method: "POST", target, headers, body: text });
  const { data } = JSON.parse(answer.text) as { data?: unknown };
  return { status: answer.status, data };
}

/**
 * Registers a user with an e-mail of its own.
 *
 * @throws Error when the server does not register it
 */
export async function createAccount(http: Http): Promise<Account> {
  const email = `${randomUUID()}@example.org`;
  // Of its own: nobody else on the machine has it in sight.
  const password = `correct horse ${randomUUID()}`;
  const body = { email, password, name: "Ada" };
  const { status, data } = await post(http, "/auth/jwt/register", body);
  if (status !== 201) throw new Error(`The server answered ${status} to a registration.`);
  const { api_key: key, token } = data as { api_key: string; token: string };
  return { email, password, key, token };
}
