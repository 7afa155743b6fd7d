import { createHash } from "node:crypto";
import { type IncomingMessage, type ServerResponse, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { DatabaseSync } from "node:sqlite";
import { createPeerTodos } from "./peer-todos.ts";

// The peer: the good server that a user would write instead, in an evening and without a framework.
// Native SQLite, WAL, every commit synced, prepared statements, the same schema, the same answers.
// `peer.ts DATABASE`

interface Caller {
  owner: number;
  id: string;
  scopes: string;
}

const db = new DatabaseSync(process.argv[2]!);
db.exec(`PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON;
  PRAGMA cache_size = -16384; PRAGMA temp_store = MEMORY`);
const todos = createPeerTodos(db);
const findKey = db.prepare(
  `SELECT key.owner, user.id, key.scopes
     FROM api_keys AS key JOIN users AS user ON user.seq = key.owner
    WHERE key.hash = ? AND key.is_active = 1
      AND (key.expires_at IS NULL OR key.expires_at > datetime())`,
);

function authenticate(request: IncomingMessage): Caller | undefined {
  const key = request.headers["x-api-key"];
  if (typeof key !== "string") return undefined;
  return findKey.get(createHash("sha256").update(key).digest("hex")) as Caller | undefined;
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response
    .writeHead(status, {
      "access-control-allow-origin": "*",
      "cache-control": "no-store",
      "x-content-type-options": "nosniff",
      "content-type": "application/json;charset=UTF-8",
      "content-length": Buffer.byteLength(text),
    })
    .end(text);
}

function refuse(response: ServerResponse, status: number, message: string): void {
  send(response, status, { success: false, message });
}

function readBody(request: IncomingMessage): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = "";
    request.setEncoding("utf8");
    request.on("data", (chunk: string) => (text += chunk));
    request.on("end", () => resolve(text));
    request.on("error", reject);
  });
}

const root = "/api/v1/todos";

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = "/" } = request;
  const caller = authenticate(request);
  if (caller === undefined) return refuse(response, 401, "Invalid or expired API key");
  const end = url.indexOf("?");
  const path = end < 0 ? url : url.slice(0, end);
  if (method === "GET" && path === root) {
    const query = Object.fromEntries(new URLSearchParams(end < 0 ? "" : url.slice(end + 1)));
    const { items, pagination } = todos.list(caller, query);
    const message = "Todos retrieved successfully";
    return send(response, 200, { success: true, message, data: items, pagination });
  }
  if (method === "GET" && path.startsWith(`${root}/`)) {
    const todo = todos.find(caller, path.slice(root.length + 1).toLowerCase());
    if (todo === undefined) return refuse(response, 404, "Todo not found");
    const message = "Todo retrieved successfully";
    return send(response, 200, { success: true, message, data: todo });
  }
  if (method === "POST" && path === root) {
    if (!caller.scopes.includes("write")) return refuse(response, 403, "Forbidden");
    const body = JSON.parse(await readBody(request)) as Record<string, unknown>;
    const { title } = body;
    if (typeof title !== "string" || title.trim() === "" || title.length > 255) {
      return refuse(response, 422, "The given data was invalid.");
    }
    const client = {
      ip: request.socket.remoteAddress ?? "",
      userAgent: request.headers["user-agent"] ?? "",
    };
    const todo = todos.create(caller, client, { ...body, title });
    const message = "Todo created successfully";
    return send(response, 201, { success: true, message, data: todo });
  }
  return refuse(response, 404, "Route not found");
}

const server = createServer((request, response) => {
  answer(request, response).catch((error: unknown) => refuse(response, 500, String(error)));
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
process.on("SIGTERM", () => {
  db.close();
  process.exit(0);
});
