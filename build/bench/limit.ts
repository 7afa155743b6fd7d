import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import type { AddressInfo } from "node:net";

// The limit: Node's own HTTP server with answers that were prepared beforehand.
// `limit.ts ANSWERS.json`

/** An answer of the project, by the method, target and key that it belongs to. */
export interface Prepared {
  request: string;
  status: number;
  headers: Record<string, string>;
  body: string;
}

const prepared = JSON.parse(readFileSync(process.argv[2]!, "utf8")) as Prepared[];
const answers = new Map(
  prepared.map(({ request, status, headers, body }) => [
    request,
    { status, headers, body: Buffer.from(body) },
  ]),
);

const server = createServer((request, response) => {
  const { status, headers, body } = answers.get(
    `${request.method} ${request.url} ${String(request.headers["x-api-key"])}`,
  )!;
  response.writeHead(status, headers).end(body);
  request.resume();
});
server.listen(0, "127.0.0.1", () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
