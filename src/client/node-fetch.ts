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
export function nodeFetch(input: string, init: PlainRequest = {}): Promise<PlainResponse> {
  return fetchText(new URL(input), init);
}

/** The same over a local socket (or Windows pipe), whatever host the URL names. */
export function socketFetch(
  socketPath: string,
): (input: string, init?: PlainRequest) => Promise<PlainResponse> {
  return (input, init = {}) => fetchText(new URL(input), init, { socketPath, agent: false });
}

/** An answer whose bytes are read as they come. */
export interface ByteResponse {
  status: number;
  /** Fails when the answer breaks off. */
  bytes: AsyncIterable<Uint8Array>;
}

/** Gets bytes over a local socket; rejects with the system's error when it is unreachable. */
export async function socketBytes(socketPath: string, input: string): Promise<ByteResponse> {
  const incoming = await send(new URL(input), {}, { socketPath, agent: false });
  return { status: incoming.statusCode ?? 0, bytes: incoming };
}

async function fetchText(
  url: URL,
  init: PlainRequest,
  via?: Http.RequestOptions,
): Promise<PlainResponse> {
  try {
    const incoming = await send(url, init, via);
    return toResponse(incoming, await collect(incoming));
  } catch (error) {
    // Of an answer that breaks off, the socket's error tells less than why it was given up.
    throw init.signal?.aborted ? init.signal.reason : error;
  }
}

async function send(
  url: URL,
  { method = "GET", headers = new PlainHeaders(), body, signal }: PlainRequest,
  via?: Http.RequestOptions,
): Promise<Http.IncomingMessage> {
  const { request, agent } = await transportFor(url);
  return new Promise((resolve, reject) => {
    const outgoing = request(url, {
      agent,
      ...via,
      method,
      headers: Object.fromEntries(headers),
      ...(signal !== undefined && { signal }),
    });
    outgoing.on("error", reject);
    outgoing.on("response", resolve);
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
