import type * as Http from "node:http";

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

const agentOptions = { keepAlive: true, maxSockets: 8 };
const transports = new Map<string, Transport>();

interface Transport {
  request: typeof Http.request;
  agent: Http.Agent;
}

/** Loaded when it is needed: HTTP takes 10 ms, TLS 15 more. */
async function transportFor({ protocol }: URL): Promise<Transport> {
  const http = protocol === "https:" ? await import("node:https") : await import("node:http");
  const known = transports.get(protocol);
  if (known !== undefined) return known;
  const transport = { request: http.request, agent: new http.Agent(agentOptions) };
  transports.set(protocol, transport);
  return transport;
}

/**
 * A small fetch over `node:http`. It follows no redirect: a key must not reach
 * another host. Idle connections do not keep the process alive. Rejects with the system's error
 * when the server is unreachable, with the signal's reason, and with RangeError for a huge answer.
 */
export async function nodeFetch(
  input: string,
  { method = "GET", headers = new PlainHeaders(), body, signal }: PlainRequest = {},
): Promise<PlainResponse> {
  const url = new URL(input);
  const { request, agent } = await transportFor(url);
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

function toResponse(incoming: Http.IncomingMessage, text: string): PlainResponse {
  const status = incoming.statusCode ?? 0;
  return {
    ok: status >= 200 && status < 300,
    status,
    headers: toHeaders(incoming),
    body: true,
    text: () => Promise.resolve(text),
  };
}

async function collect(incoming: Http.IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of incoming as AsyncIterable<Buffer>) {
    length += chunk.length;
    if (length > maxBytes) throw new RangeError("an answer that is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function toHeaders(incoming: Http.IncomingMessage): PlainHeaders {
  const entries = Object.entries(incoming.headers);
  return new PlainHeaders(entries.map(([name, value]): [string, string] => [name, String(value)]));
}
