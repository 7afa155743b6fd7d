import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { once } from "node:events";
import { Server as HttpServer } from "node:http";
import { type AddressInfo, createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { after, before, describe, test } from "node:test";
import { promisify } from "node:util";
import { H3 } from "h3";
import { type Listener, listen } from "../src/server/listen.ts";
import { connectRaw } from "./_raw.ts";

const grace = 10_000;

/** An app whose path /held is answered when it is told to. */
function heldApp(): { app: H3; held: Promise<void>; release(): void } {
  const app = new H3({ silent: true });
  let release = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  let arrive = () => {};
  const held = new Promise<void>((resolve) => (arrive = resolve));
  app.get("/held", async () => {
    arrive();
    await released;
    return "done";
  });
  app.get("/**", () => "ok");
  return { app, held, release };
}

const isRefused = async (url: string) =>
  fetch(url).then(
    () => false,
    (error: unknown) => (error as { cause?: { code?: string } }).cause?.code === "ECONNREFUSED",
  );
const hasIPv6 = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ address }) => address === "::1"),
);

describe("listen", () => {
  const app = new H3({ silent: true }).get("/**", () => "ok");

  for (const host of ["127.0.0.1", "localhost", "0.0.0.0", ...(hasIPv6 ? ["::1", "::"] : [])]) {
    test(`on ${host} says where it can be reached`, async () => {
      const listener = await listen(app, { host, port: 0 });
      try {
        const { port, hostname } = new URL(listener.url);
        assert.ok(Number(port) > 1023);
        assert.match(hostname, host === "::1" ? /^\[::1\]$/ : /^(127\.0\.0\.1|\[::1\])$/);
        assert.equal(await (await fetch(listener.url)).text(), "ok");
      } finally {
        await listener.close(grace);
      }
    });
  }

  test("on a port that is taken is EADDRINUSE", async () => {
    const other = createServer().listen(0, "127.0.0.1");
    await once(other, "listening");
    const { port } = other.address() as AddressInfo;
    await assert.rejects(listen(app, { host: "127.0.0.1", port }), { code: "EADDRINUSE" });
    const first = await listen(app, { host: "127.0.0.1", port: 0 });
    const taken = { host: "127.0.0.1", port: Number(new URL(first.url).port) };
    await assert.rejects(listen(app, taken), { code: "EADDRINUSE" });
    await first.close(grace);
    other.close();
    // The port is free again.
    await (await listen(app, taken)).close(grace);
  });

  for (const [wanted, outcome] of [
    ["that port", "is EADDRINUSE"],
    ["any port", "takes another"],
  ] as const) {
    test(`on ${wanted}, which another takes in the last moment, ${outcome}`, async () => {
      const other = createServer();
      let hasTaken = false;
      function take(message: unknown): void {
        const { server, options } = message as { server: object; options: { port: number } };
        if (hasTaken || !(server instanceof HttpServer)) return;
        hasTaken = true;
        // Without a host it is taken at once.
        other.listen({ port: options.port, exclusive: true });
      }
      const first = await listen(app, { host: "127.0.0.1", port: 0 });
      await first.close(grace);
      const port = wanted === "any port" ? 0 : Number(new URL(first.url).port);
      subscribe("tracing:net.server.listen:asyncStart", take);
      try {
        const listening = listen(app, { host: "127.0.0.1", port });
        if (port === 0) await (await listening).close(grace);
        else await assert.rejects(listening, { code: "EADDRINUSE" });
      } finally {
        unsubscribe("tracing:net.server.listen:asyncStart", take);
      }
      assert.ok(hasTaken);
      other.close();
    });
  }

  test("on what is no address of this machine is an error, never another address", async () => {
    await assert.rejects(listen(app, { host: "192.0.2.1", port: 0 }), { code: "EADDRNOTAVAIL" });
    for (const host of ["no_host", "-x", "a/b", "x".repeat(70)]) {
      await assert.rejects(listen(app, { host, port: 0 }), { syscall: "getaddrinfo" });
    }
  });

  test("on a port that browsers refuse is an error, never another port", async () => {
    await assert.rejects(listen(app, { host: "127.0.0.1", port: 10_080 }), /10080/);
  });

  test("prints nothing, also when it fails", async () => {
    const script = `
      import { H3 } from "h3";
      import { listen } from "./src/server/listen.ts";
      const app = new H3({ silent: true }).get("/**", () => "ok");
      const first = await listen(app, { host: "127.0.0.1", port: 0 });
      const port = Number(new URL(first.url).port);
      await listen(app, { host: "127.0.0.1", port }).catch(() => {});
      await listen(app, { host: "no_host", port: 0 }).catch(() => {});
      await listen(app, { host: "127.0.0.1", port: 10080 }).catch(() => {});
      const all = await listen(app, { host: "0.0.0.0", port: 0 });
      await fetch(first.url);
      await first.close(0);
      await all.close(0);
    `;
    const args = ["--import", "tsx", "--input-type=module", "--eval", script];
    const cwd = new URL("..", import.meta.url);
    const env = { ...process.env, NODE_ENV: "", HOST: "0.0.0.0", PORT: "3000" };
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args, { cwd, env });
    assert.deepEqual([stdout, stderr], ["", ""]);
  });
});

describe("close", () => {
  let listener: Listener;
  let held: ReturnType<typeof heldApp>;
  before(() => {
    held = heldApp();
  });
  after(() => held.release());

  async function start(): Promise<void> {
    held = heldApp();
    listener = await listen(held.app, { host: "127.0.0.1", port: 0 });
  }

  test("lets a request in flight finish, and accepts no new connection meanwhile", async () => {
    await start();
    using connection = await connectRaw(listener.url);
    connection.socket.write("GET /held HTTP/1.1\r\n\r\n");
    await held.held;
    const closed = listener.close(grace);
    assert.ok(await isRefused(listener.url));
    held.release();
    const answer = await connection.answer();
    assert.equal(answer?.body, "done");
    assert.equal(answer.headers["connection"], "close");
    await closed;
    await connection.closed;
  });

  test("waits for a body that is on its way", async () => {
    const { app } = heldApp();
    app.post("/echo", (event) => event.req.text());
    listener = await listen(app, { host: "127.0.0.1", port: 0 });
    using connection = await connectRaw(listener.url);
    connection.socket.write(
      "POST /echo HTTP/1.1\r\nContent-Length: 4\r\nExpect: 100-continue\r\n\r\nab",
    );
    // The server has the head once it asks for the body.
    assert.equal((await connection.answer())?.status, 100);
    const closed = listener.close(grace);
    connection.socket.write("cd");
    assert.equal((await connection.answer())?.body, "abcd");
    await closed;
  });

  test("does not wait for connections without a request: idle, new, or with half a head", async () => {
    await start();
    using idle = await connectRaw(listener.url);
    idle.socket.write("GET / HTTP/1.1\r\n\r\n");
    assert.equal((await idle.answer())?.headers["connection"], "keep-alive");
    using fresh = await connectRaw(listener.url);
    using half = await connectRaw(listener.url);
    half.socket.write("GET / HTTP/1.1\r\nHost:");
    let isLate = false;
    const late = setTimeout(() => (isLate = true), grace / 2);
    await listener.close(grace);
    clearTimeout(late);
    assert.equal(isLate, false);
    await Promise.all([idle.closed, fresh.closed, half.closed]);
  });

  test("cuts off what takes longer than the grace period", async () => {
    await start();
    using connection = await connectRaw(listener.url);
    connection.socket.write("GET /held HTTP/1.1\r\n\r\n");
    await held.held;
    await listener.close(50);
    assert.equal(await connection.answer(), undefined);
    held.release();
  });

  test("does not wait for clients that are gone", async () => {
    await start();
    const connection = await connectRaw(listener.url);
    connection.socket.write("GET /held HTTP/1.1\r\n\r\n");
    await held.held;
    connection.socket.resetAndDestroy();
    await connection.closed;
    let isLate = false;
    const late = setTimeout(() => (isLate = true), grace / 2);
    await listener.close(grace);
    clearTimeout(late);
    assert.equal(isLate, false);
    held.release();
  });
});
