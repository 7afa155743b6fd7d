import { type Socket, connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type Account, createAccount, post } from "./account.ts";
import { temporaryFolder } from "./folder.ts";
import type { Http } from "./http.ts";
import type { Figure, Part, Size } from "./part.ts";
import { askProbe, probe } from "./probe.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";
import { median, quantile } from "./statistics.ts";

/** Requests of the healthy client in each measurement, and what a busy machine may add. */
const sizes: Record<Size, { requests: number; ratio: number; longestMs: number }> = {
  full: { requests: 3000, ratio: 1.5, longestMs: 50 },
  ci: { requests: 400, ratio: 4, longestMs: 1000 },
};

const connections = 500;
const logins = 20;

/** Slow clients and many logins hold nobody up. */
export const slowClients: Part = {
  name: "slow-clients",
  title: "500 slow connections, and 20 logins at once, beside a healthy client",
  async run(size, tell) {
    using folder = temporaryFolder();
    await using server = await startServerProcess({ folder: folder.path, preload: probe });
    const ada = await createAccount(server.http);
    const description = "x".repeat(2000);
    for (let i = 0; i < 100; i += 1) {
      await post(server.http, "/todos", { title: `${i}`, description }, { "x-api-key": ada.key });
    }
    return [
      ...(await besideSlowClients(server, ada, size, tell)),
      ...(await duringLogins(server, size)),
    ];
  },
};

/** Milliseconds that each request of a healthy client takes, reads and writes in turn. */
async function measure(http: Http, { key }: Account, requests: number): Promise<number[]> {
  const headers = { "x-api-key": key };
  const times: number[] = [];
  for (let i = 0; i < requests; i += 1) {
    const started = performance.now();
    const { status } =
      i % 4 === 0
        ? await post(http, "/projects", { name: "healthy" }, headers)
        : await http.send({ method: "GET", target: "/api/v1/todos?per_page=10", headers });
    times.push(performance.now() - started);
    if (status >= 300) throw new Error(`The healthy client was answered ${status}.`);
  }
  return times;
}

async function besideSlowClients(
  { http, url }: ServerProcess,
  ada: Account,
  size: Size,
  tell: (line: string) => void,
): Promise<Figure[]> {
  const { requests, ratio } = sizes[size];
  await measure(http, ada, requests / 4);
  const before = await measure(http, ada, requests);
  const crowd = await gatherCrowd(url, ada);
  tell(`${crowd.size()} slow connections`);
  const among = await measure(http, ada, requests);
  const held = crowd.size();
  crowd.leave();
  const after = await measure(http, ada, requests);
  // Whatever else the machine does may change from one measurement to the next.
  const alone = median(before) > median(after) ? before : after;
  const factor = median(among) / median(alone);
  return [
    {
      what: "slow connections open during the measurement",
      value: String(held),
      bar: `at least ${connections * 0.9}`,
      ok: held >= connections * 0.9,
    },
    {
      what: "healthy client, median (p99) alone and beside them",
      value: `${shown(alone)} and ${shown(among)}: × ${factor.toFixed(2)}`,
      bar: `at most × ${ratio}`,
      ok: factor <= ratio,
      isNoisy: true,
    },
  ];
}

const shown = (times: number[]) =>
  `${median(times).toFixed(2)} ms (${quantile(times, 0.99).toFixed(1)} ms)`;

/** Slow connections; where the server cuts one off, another one comes. */
async function gatherCrowd(url: string, ada: Account) {
  const sockets: Socket[] = [];
  let isOver = false;
  async function join(index: number): Promise<void> {
    const socket = connectSlowly(url, ada, index);
    sockets[index] = socket;
    socket.once("close", () => {
      if (!isOver) void join(index);
    });
    await new Promise((resolve) => {
      socket.once("connect", resolve).once("close", resolve);
    });
  }
  await Promise.all(Array.from({ length: connections }, (_, index) => join(index)));
  const trickle = setInterval(() => {
    for (const socket of sockets) if (socket.writable && !socket.isPaused()) socket.write("a");
  }, 1000);
  return {
    size: () => sockets.filter((socket) => !socket.destroyed).length,
    leave() {
      isOver = true;
      clearInterval(trickle);
      for (const socket of sockets) socket.destroy();
    },
  };
}

/** In turn: half a head, half a body, and large answers that nobody reads. */
function connectSlowly(url: string, { key }: Account, index: number): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  const list = `GET /api/v1/todos?per_page=100 HTTP/1.1\r\nX-API-Key: ${key}\r\n\r\n`;
  const starts = [
    "GET /health HTTP/1.1\r\nX: ",
    `POST /api/v1/todos HTTP/1.1\r\nX-API-Key: ${key}\r\nContent-Length: 90000\r\n\r\n{"title":"`,
    list.repeat(3),
  ];
  socket.on("error", () => socket.destroy());
  if (index % 3 === 2) socket.pause();
  else socket.resume();
  socket.write(starts[index % 3]!);
  return socket;
}

async function duringLogins(server: ServerProcess, size: Size): Promise<Figure[]> {
  const accounts: Account[] = [];
  for (let i = 0; i < logins; i += 1) accounts.push(await createAccount(server.http));
  // What else keeps the loop from running: the machine itself.
  await askProbe(server);
  await sleep(1000);
  const idle = await askProbe(server);
  const answers = await Promise.all(
    accounts.map(({ email, password }) => post(server.http, "/auth/login", { email, password })),
  );
  const busy = await askProbe(server);
  const { longestMs } = sizes[size];
  const percent = Math.round(busy.utilization * 100);
  return [
    {
      what: `${logins} logins at once`,
      value: `${answers.filter(({ status }) => status === 200).length} answered 200`,
      bar: "all",
      ok: answers.every(({ status }) => status === 200),
    },
    {
      what: "longest delay of the event loop meanwhile (idle before)",
      value: `${busy.longestMs.toFixed(0)} ms (${idle.longestMs.toFixed(0)} ms)`,
      bar: `at most ${longestMs} ms`,
      ok: busy.longestMs <= longestMs,
      isNoisy: true,
    },
    {
      // Passwords verified on the loop would fill it, on any machine.
      what: "time in which the event loop was busy meanwhile",
      value: `${percent} %`,
      bar: "at most 50 %",
      ok: percent <= 50,
      isNoisy: true,
    },
  ];
}
