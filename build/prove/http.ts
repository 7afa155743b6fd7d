import {
  Agent,
  type AgentOptions,
  type IncomingHttpHeaders,
  request as httpRequest,
} from "node:http";

export interface Request {
  method: string;
  /** Path and query, below the server's URL. */
  target: string;
  headers?: Record<string, string>;
  /** Sent as it is. */
  body?: string | Buffer | undefined;
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
}

export interface Http extends Disposable {
  /** @throws the socket's error when there is no answer */
  send(request: Request): Promise<Answer>;
}

/**
 * A client of a server that keeps its connections.
 */
export function createHttp(url: string, options: AgentOptions = {}): Http {
  const agent = new Agent({ keepAlive: true, ...options });
  const { hostname, port } = new URL(url);
  return {
    send: ({ method, target, headers = {}, body }) =>
      new Promise((resolve, reject) => {
        const length = body === undefined ? {} : { "content-length": Buffer.byteLength(body) };
        const all = { ...headers, ...length };
        const sent = httpRequest({ agent, hostname, port, method, path: target, headers: all });
        sent.on("error", reject);
        sent.on("response", (response) => {
          const chunks: Buffer[] = [];
          response.on("data", (chunk: Buffer) => chunks.push(chunk));
          response.on("error", reject);
          response.on("end", () => {
            const text = Buffer.concat(chunks).toString();
            resolve({ status: response.statusCode!, headers: response.headers, text });
          });
        });
        sent.end(body);
      }),
    [Symbol.dispose]: () => agent.destroy(),
  };
}
