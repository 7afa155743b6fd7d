import { type Socket, connect } from "node:net";
import type { Job, Load } from "./loader.ts";
import { quantile } from "./statistics.ts";

// The client, in a process of its own: it sends prepared bytes and reads no more of an answer than
// its length and status, so that it costs less than any server.

process.on("message", (job: Job) => {
  void run(job).then(
    (load) => process.send!(load),
    (error: unknown) => process.send!({ error: String(error) }),
  );
});

/** Each connection sends its next request when the last one is answered. */
async function run(job: Job): Promise<Load> {
  const requests = job.requests.map((request) => Buffer.from(request));
  const latencies: number[] = [];
  const started = performance.now();
  let sent = 0;

  function next(): Buffer | undefined {
    const isDone =
      job.count === undefined ? performance.now() - started >= job.ms : sent >= job.count;
    return isDone ? undefined : requests[sent++ % requests.length];
  }

  await Promise.all(
    Array.from({ length: job.connections }, () =>
      converse(job.port, next, (ms) => latencies.push(ms)),
    ),
  );
  const seconds = (performance.now() - started) / 1000;
  return {
    requests: latencies.length,
    perSecond: latencies.length / seconds,
    p50: quantile(latencies, 0.5),
    p99: quantile(latencies, 0.99),
    p999: quantile(latencies, 0.999),
  };
}

/** One connection, until there is no next request. */
function converse(
  port: number,
  next: () => Buffer | undefined,
  tell: (ms: number) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const socket: Socket = connect({ port, host: "127.0.0.1", noDelay: true });
    let asked = 0;
    let pending: Buffer = Buffer.alloc(0);

    function ask(): void {
      const request = next();
      if (request === undefined) {
        socket.end();
        resolve();
        return;
      }
      asked = performance.now();
      socket.write(request);
    }

    socket.on("connect", ask);
    socket.on("error", reject);
    socket.on("close", () => reject(new Error("The server closed a connection.")));
    socket.on("data", (chunk: Buffer) => {
      pending = pending.length === 0 ? chunk : Buffer.concat([pending, chunk]);
      const end = pending.indexOf("\r\n\r\n");
      if (end < 0) return;
      const head = pending.toString("latin1", 0, end);
      const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
      if (pending.length < end + 4 + length) return;
      if (!head.startsWith("HTTP/1.1 2")) {
        reject(new Error(pending.toString()));
        socket.destroy();
        return;
      }
      pending = pending.subarray(end + 4 + length);
      tell(performance.now() - asked);
      ask();
    });
  });
}
