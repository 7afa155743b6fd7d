import { connect, createServer, type Server } from "node:net";

/** How long a live process may take to answer. A stopped one never does. */
const ANSWER_MS = 300;

/** An answer takes microseconds; more connections than this at once are no honest question. */
const MAX_CONNECTIONS = 64;

/** A longer answer is not ours. */
const MAX_ANSWER_LENGTH = 4096;

/** What a live lock socket says of its process. */
export type Answer = { state: "contending" } | { state: "holding"; url?: string };

/** What asking a socket found. `silent` is alive, but did not say what it is doing. */
export type Probe = Answer | { state: "dead" } | { state: "silent" };

/** A listening lock socket, which tells everyone who connects what its process is doing. */
export interface LockSocket {
  /** Replaces the answer. The first one is "contending". */
  say(answer: Answer): void;
  close(): void;
}

/**
 * Binds a socket (or a Windows pipe) and listens on it. It answers every connection with one line
 * of JSON and does not keep the process alive.
 *
 * @throws the system's error when the address cannot be bound. Beware: libuv reports a missing
 *   folder as EACCES.
 */
export function openLockSocket(address: string): Promise<LockSocket> {
  let answer: Answer = { state: "contending" };
  const server = createServer((socket) => {
    socket.unref();
    socket.on("error", () => socket.destroy());
    // Destroyed rather than ended: a client that never closes its side must not hold a place.
    socket.end(`${JSON.stringify(answer)}\n`, () => socket.destroy());
  });
  server.maxConnections = MAX_CONNECTIONS;
  server.unref();
  return listening(server, address).then(() => ({
    say(next) {
      answer = next;
    },
    close() {
      server.close();
    },
  }));
}

function listening(server: Server, address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(address, () => {
      server.off("error", reject);
      // A connection that could not be accepted goes unanswered, which reads as alive.
      server.on("error", () => {});
      resolve();
    });
  });
}

/**
 * Asks the process behind a lock socket what it is doing; takes at most about 300 ms.
 *
 * Only the kernel's word that nobody listens counts as dead. Any other failure (no permission, a
 * full queue, no free descriptor) is taken for a live process, since a second holder is worse than
 * a refusal.
 */
export function ask(address: string): Promise<Probe> {
  return new Promise((resolve) => {
    let text = "";
    let dead = false;
    const socket = connect({ path: address, signal: AbortSignal.timeout(ANSWER_MS) });
    socket.setEncoding("utf8");
    socket.on("data", (chunk: string) => {
      text += chunk;
      if (text.length > MAX_ANSWER_LENGTH) socket.destroy();
    });
    socket.on("error", (error: NodeJS.ErrnoException) => {
      dead = error.code === "ECONNREFUSED" || error.code === "ENOENT";
    });
    socket.on("close", () => resolve(dead ? { state: "dead" } : parseAnswer(text)));
  });
}

function parseAnswer(text: string): Probe {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { state: "silent" };
  }
  if (typeof value !== "object" || value === null || !("state" in value))
    return { state: "silent" };
  if (value.state === "contending") return { state: "contending" };
  if (value.state !== "holding") return { state: "silent" };
  return "url" in value && typeof value.url === "string"
    ? { state: "holding", url: value.url }
    : { state: "holding" };
}
