import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { describe, test } from "node:test";
import { createClient } from "../src/client/client.ts";
import { type Answer, openConnection } from "./_connection.ts";
import { type ServerProcess, startProcess } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";
import { sqlite3 } from "./_sqlite.ts";

/** Whether a new connection is accepted. */
async function accepts(url: string): Promise<boolean> {
  const socket = connect(Number(new URL(url).port), "127.0.0.1");
  try {
    await once(socket, "connect");
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

async function noLongerAccepts(url: string): Promise<void> {
  while (await accepts(url));
}

/** A request whose body is sent in two parts. */
interface HalfSent {
  socket: Socket;
  /** Sends the rest; resolves to all that the server then sends. */
  finish(): Promise<string>;
}

/** Sends a new todo up to the middle of its body, and waits until the server has that. */
async function sendHalf({ url }: ServerProcess, key: string, title: string): Promise<HalfSent> {
  const body = JSON.stringify({ title });
  const socket = connect(Number(new URL(url).port), "127.0.0.1").setEncoding("utf8");
  let answer = "";
  socket.on("data", (text: string) => (answer += text));
  socket.on("error", () => {});
  await once(socket, "connect");
  socket.write(
    `POST /api/v1/todos HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\n` +
      `Content-Length: ${body.length}\r\n\r\n${body.slice(0, 5)}`,
  );
  // Both came in before this is answered.
  await fetch(`${url}/health`);
  return {
    socket,
    async finish() {
      socket.write(body.slice(5));
      await once(socket, "close");
      return answer;
    },
  };
}

describe("todo serve told to stop", { concurrency: 2 }, () => {
  for (const signal of ["SIGTERM", "SIGINT", "SIGHUP"] as const) {
    test(`by ${signal} answers a request that is still arriving, and nobody new`, async () => {
      using folder = temporaryFolder();
      await using server = await startProcess({ folder: folder.path });
      const { key } = await server.register();
      const request = await sendHalf(server, key, "half");
      server.kill(signal);
      await noLongerAccepts(server.url);
      assert.match(await request.finish(), /^HTTP\/1\.1 201 [^]*"title":"half"/);
      assert.deepEqual(await server.exit, { code: 0, signal: null });
      assert.deepEqual(sqlite3(folder.path, "SELECT title FROM todos"), ["half"]);
    });
  }

  test("by a terminal that is closed, which may say so twice, stops in order", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    const { key } = await server.register();
    const request = await sendHalf(server, key, "half");
    server.kill("SIGHUP");
    await noLongerAccepts(server.url);
    server.kill("SIGHUP");
    assert.match(await request.finish(), /^HTTP\/1\.1 201 /);
    assert.deepEqual(await server.exit, { code: 0, signal: null });
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
  });

  test("answers those whose passwords are being checked", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    const registrations: Promise<Answer>[] = [];
    for (const name of ["a", "b", "c", "d"]) {
      const body = { email: `${name}@example.org`, password: "correct horse", name };
      const connection = await openConnection(server.url, "");
      registrations.push(connection.request("POST", "/auth/register", body));
    }
    // All came in before this is answered.
    await fetch(`${server.url}/health`);
    server.kill("SIGTERM");
    for (const { status } of await Promise.all(registrations)) assert.equal(status, 201);
    assert.deepEqual(await server.exit, { code: 0, signal: null });
    assert.deepEqual(sqlite3(folder.path, "SELECT count(*) FROM users"), ["4"]);
  });

  test("while clients keep asking ends all the same, and keeps what it acknowledged", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    const { key } = await server.register();
    let acknowledged = 0;
    const post = async (): Promise<void> => {
      const connection = await openConnection(server.url, key);
      try {
        for (;;) {
          const { status } = await connection.request("POST", "/todos", { title: "x" });
          assert.equal(status, 201);
          acknowledged += 1;
          if (acknowledged === 200) server.kill("SIGTERM");
        }
      } catch (error) {
        assert.equal((error as Error).message, "The connection ended");
      }
    };
    await Promise.all(Array.from({ length: 8 }, post));
    assert.deepEqual(await server.exit, { code: 0, signal: null });
    assert.deepEqual(sqlite3(folder.path, "SELECT count(*) FROM todos"), [String(acknowledged)]);
  });

  test("leaves one plain SQLite file that is sound", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    const { client } = await server.register();
    await client.todos.create({ body: { title: "kept" } });
    assert.throws(() => sqlite3(folder.path, "SELECT 1 FROM todos"));
    server.kill("SIGTERM");
    await server.exit;
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
    assert.deepEqual(sqlite3(folder.path, "PRAGMA integrity_check; SELECT title FROM todos"), [
      "ok",
      "kept",
    ]);
    assert.deepEqual(sqlite3(folder.path, "PRAGMA journal_mode"), ["delete"]);
  });

  test("twice ends at once, and what it acknowledged is there again", async () => {
    using folder = temporaryFolder();
    const { key, title } = { ...(await interrupted(folder.path)), title: "acknowledged" };
    await using again = await startProcess({ folder: folder.path });
    const { data } = await createClient({ server: again.url, key }).todos.list();
    assert.deepEqual(
      data.map((todo) => todo.title),
      [title],
    );
  });

  /** A server that was ended by two different signals; resolves to its user's key. */
  async function interrupted(folder: string): Promise<{ key: string }> {
    await using server = await startProcess({ folder });
    const { key, client } = await server.register();
    await client.todos.create({ body: { title: "acknowledged" } });
    const { socket } = await sendHalf(server, key, "never finished");
    server.kill("SIGTERM");
    await noLongerAccepts(server.url);
    server.kill("SIGINT");
    assert.deepEqual(await server.exit, { code: 130, signal: null });
    socket.destroy();
    return { key };
  }

  test("and started again has everything as it was", async () => {
    using folder = temporaryFolder();
    let key = "";
    let before: unknown;
    {
      await using server = await startProcess({ folder: folder.path });
      const user = await server.register();
      key = user.key;
      await user.client.todos.create({ body: { title: "one", due_date: "2026-12-24" } });
      await user.client.projects.create({ body: { name: "two" } });
      before = await everything(server.url, key);
      server.kill("SIGTERM");
      await server.exit;
    }
    await using server = await startProcess({ folder: folder.path });
    assert.deepEqual(await everything(server.url, key), before);
  });

  async function everything(server: string, key: string): Promise<unknown> {
    const client = createClient({ server, key });
    return Promise.all([
      client.profile.get(),
      client.todos.list(),
      client.projects.list(),
      client.activity.list(),
    ]);
  }
});
