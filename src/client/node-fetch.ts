import http from "node:http";
import https from "node:https";

/** As much of the standard's `Headers` as ofetch and our client use. */
export class PlainHeaders {
  readonly #values = new Map<string, string>();

  constructor(init: Iterable<[string, string]> | Record<string, string> = {}) {
    const entries = Symbol.iterator in init ? init : Object.entries(init);
    for (const [name, value] of entries) this.set(name, value);
  }
  get(name: string): string | null {
    return this.#values.get(name.toLowerCase()) ?? null;
  }
  has(name: string): boolean {
    return this.#values.has(name.toLowerCase());
  }
  set(name: string, value: string): void {
    this.#values.set(name.toLowerCase(), value);
  }
  [Symbol.iterator](): IterableIterator<[string, string]> {
    return this.#values.entries();
  }
}

/** As much of the standard's `Response` as ofetch and our client use. */
export interface PlainResponse {
  ok: boolean;
  status: number;
  headers: PlainHeaders;
  body: true;
  text(): Promise<string>;
}

export interface PlainRequest {
  method?: string;
  headers?: PlainHeaders;
  body?: string;
  signal?: AbortSignal;
}

/** Answers are pages of JSON; a server that sends much more is not one of ours. */
const maxBytes = 64 * 1024 * 1024;

/** Connections are kept for the next request, and not too many of them. */
export const agentOptions = { keepAlive: true, maxSockets: 8 };
const agents = { "http:": new http.Agent(agentOptions), "https:": new https.Agent(agentOptions) };

/**
 * A small fetch over `node:http`. It follows no redirect: a key must not reach
 * another host. Idle connections do not keep the process alive. Rejects with the system's error
 * when the server is unreachable, with the signal's reason, and with RangeError for a huge answer.
 */
export function nodeFetch(input: string, init?: PlainRequest): Promise<PlainResponse> {
  return fetchWith(agents[new URL(input).protocol as keyof typeof agents], input, init);
}

/** The same over the connections of that agent. */
export function fetchWith(
  agent: http.Agent,
  input: string,
  { method = "GET", headers = new PlainHeaders(), body, signal }: PlainRequest = {},
): Promise<PlainResponse> {
  const url = new URL(input);
  const { request } = url.protocol === "https:" ? https : http;
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      method,
      headers: Object.fromEntries(headers),
      agent,
      ...(signal !== undefined && { signal }),
    });
    // Of an answer that breaks off, the socket's error tells less than why it was given up.
    const fail = (error: unknown) => reject(signal?.aborted ? signal.reason : error);
    outgoing.on("error", fail);
    outgoing.on("response", (incoming) => {
      collect(incoming).then((text) => resolve(toResponse(incoming, text)), fail);
    });
    outgoing.end(body);
  });
}

function toResponse(incoming: http.IncomingMessage, text: string): PlainResponse {
  const status = incoming.statusCode ?? 0;
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: toHeaders(incoming),
    body: true,
    text: () => Promise.resolve(text),
  };
}

async function collect(incoming: http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new RangeError("an answer that is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toHeaders(incoming: http.IncomingMessage): PlainHeaders {
  const entries = Object.entries(incoming.headers);
  return new PlainHeaders(entries.map(([name, value]): [string, string] => [name, String(value)]));
}
