import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Client, createClient } from "../src/client/client.ts";
import type { Model } from "../src/contract/schemas.ts";
import { createLog } from "../src/server/log.ts";
import { type ServeOptions, serve } from "../src/server/serve.ts";
import { linesInto } from "./_log-lines.ts";

/** A temporary folder that goes away with its scope. */
export function temporaryFolder(): { path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), "todo-test-"));
  return {
    path,
    [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 10 }),
  };
}

/** A response as it came over the wire. */
export interface RawResponse {
  status: number;
  headers: Headers;
  text: string;
  // oxlint-disable-next-line typescript/no-explicit-any -- tests look into bodies of any shape
  body: any;
}

export interface RawRequest {
  key?: string;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
}

/** A registered user with a client that has the user's key. */
export interface TestUser {
  user: Model<"User">;
  key: string;
  password: string;
  client: Client;
}

export interface TestServer extends AsyncDisposable {
  url: string;
  folder: string;
  /** The lines of the log. */
  log: string[];
  /** Moves the server's clock, which stands still otherwise. */
  advance(milliseconds: number): void;
  now(): number;
  client(credentials?: { key?: string; token?: string }): Client;
  register(fields?: { email?: string; password?: string; name?: string }): Promise<TestUser>;
  /** Any request, below the server's URL. */
  request(method: string, path: string, request?: RawRequest): Promise<RawResponse>;
}

/** The real server on a real file in a temporary folder, with a clock of its own. */
export async function startServer(options: Partial<ServeOptions> = {}): Promise<TestServer> {
  const folder = options.folder === undefined ? temporaryFolder() : undefined;
  const lines: string[] = [];
  let time = Date.UTC(2026, 10, 20, 12, 0, 0);
  const now = () => time;
  const serving = await serve({
    host: "127.0.0.1",
    port: 0,
    folder: options.folder ?? folder!.path,
    log: createLog({ format: "json", level: "info", write: linesInto(lines), now }),
    passwordCost: 4,
    now,
    ...options,
  });
  const client: TestServer["client"] = (credentials = {}) =>
    createClient({ server: serving.url, ...credentials });

  return {
    url: serving.url,
    folder: options.folder ?? folder!.path,
    log: lines,
    now,
    advance(milliseconds) {
      time += milliseconds;
    },
    client,

    async register(fields = {}) {
      const password = fields.password ?? "correct horse";
      const { data } = await client().auth.register({
        body: {
          email: fields.email ?? `${randomUUID()}@example.org`,
          password,
          name: fields.name ?? "Ada",
        },
      });
      return {
        user: data.user,
        key: data.api_key,
        password,
        client: client({ key: data.api_key }),
      };
    },

    async request(method, path, { key, headers, body } = {}) {
      const response = await fetch(serving.url + path, {
        method,
        headers: { ...(key !== undefined && { "x-api-key": key }), ...headers },
        ...(body !== undefined && {
          body: typeof body === "string" ? body : JSON.stringify(body),
        }),
      });
      const text = await response.text();
      const isJson = response.headers.get("content-type")?.startsWith("application/json");
      return {
        status: response.status,
        headers: response.headers,
        text,
        body: isJson && text !== "" ? JSON.parse(text) : undefined,
      };
    },

    async [Symbol.asyncDispose]() {
      serving.stop();
      await serving.stopped;
      folder?.[Symbol.dispose]();
    },
  };
}
