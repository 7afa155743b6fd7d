import assert from "node:assert/strict";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { type Socket, connect } from "node:net";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { H3 } from "h3";
import { adminPrefix } from "../src/contract/admin-routes.ts";
import { socketBytes } from "../src/client/node-fetch.ts";
import { listenToOperator } from "../src/server/admin-listener.ts";
import { toResponse } from "../src/server/reply.ts";
import { adminOf } from "./_admin.ts";
import { connectAsNobody, skipUnlessRoot } from "./_nobody.ts";
import { startProcess } from "./_process.ts";
import { startServer, temporaryFolder } from "./_server.ts";

const password = "battery staple";
const socketOf = (folder: string) => join(folder, ".lock", "admin");

async function addUser(folder: string, email: string): Promise<void> {
  await using admin = await adminOf(folder);
  await admin.client.users.create({ body: { email, name: "Ada", password } });
}

async function emails(folder: string): Promise<string[]> {
  await using admin = await adminOf(folder);
  return (await admin.client.users.list()).data.map(({ email }) => email);
}

/** Waits, with a generous bound. */
async function until(condition: () => boolean): Promise<void> {
  for (const end = Date.now() + 30_000; !condition(); await sleep(5)) {
    assert.ok(Date.now() < end, "it takes too long");
  }
}

describe("the administration of a data folder", { concurrency: 2 }, () => {
  test("is at the server's process while one runs, and is logged there", async () => {
    await using server = await startServer();
    await using admin = await adminOf(server.folder);
    assert.equal(admin.isServed, true);
    await admin.client.users.list();
    const line = server.log
      .map((entry) => JSON.parse(entry))
      .find(({ path }) => path !== undefined);
    assert.deepEqual([line.method, line.path, line.status], ["GET", `${adminPrefix}/users`, 200]);
  });

  test("is in process when no server runs, and leaves one plain file", async () => {
    using folder = temporaryFolder();
    {
      await using admin = await adminOf(folder.path);
      assert.equal(admin.isServed, false);
      assert.ok(!existsSync(socketOf(folder.path)));
    }
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
  });

  test("is nowhere on the network", async () => {
    await using server = await startServer();
    const { status } = await server.request("GET", `${adminPrefix}/users`);
    assert.equal(status, 404);
  });

  test("answers several at once, in process and at a server", async () => {
    using folder = temporaryFolder();
    const both = ["ada@example.org", "eve@example.org"];
    await Promise.all(both.map((email) => addUser(folder.path, email)));
    assert.deepEqual(await emails(folder.path), both);
    await using server = await startServer({ folder: folder.path });
    const more = ["f@example.org", "g@example.org", "h@example.org"];
    await Promise.all(more.map((email) => addUser(server.folder, email)));
    assert.deepEqual(await emails(server.folder), [...both, ...more]);
  });

  test("is reached in a folder whose path is too long for a socket", async () => {
    using folder = temporaryFolder();
    const path = join(folder.path, "x".repeat(200));
    {
      await using server = await startServer({ folder: path });
      await using admin = await adminOf(server.folder);
      assert.equal(admin.isServed, true);
      await admin.client.users.list();
      assert.ok(existsSync(socketOf(path)));
    }
    assert.deepEqual(readdirSync(path), ["todo.db"]);
  });
});

describe("the socket of the administration", { concurrency: 2 }, () => {
  test("is for its owner alone, and goes with the server", async () => {
    using folder = temporaryFolder();
    {
      await using server = await startServer({ folder: folder.path });
      assert.equal(statSync(socketOf(server.folder)).mode & 0o777, 0o600);
      assert.equal(statSync(join(server.folder, ".lock")).mode & 0o777, 0o700);
    }
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
  });

  test(
    "refuses another user, even where the folders are open",
    { skip: skipUnlessRoot },
    async () => {
      await using server = await startServer();
      const path = socketOf(server.folder);
      assert.equal(await connectAsNobody(path), "EACCES");
      for (const open of [server.folder, join(server.folder, ".lock")]) chmodSync(open, 0o755);
      assert.equal(await connectAsNobody(path), "EACCES");
      // Without this, it could be refused for another reason.
      chmodSync(path, 0o666);
      assert.equal(await connectAsNobody(path), "connected");
    },
  );

  test("changes the permissions of no other file", async () => {
    using folder = temporaryFolder();
    const modeOfNew = (name: string) => {
      const path = join(folder.path, name);
      writeFileSync(path, "");
      return statSync(path).mode;
    };
    const before = modeOfNew("before");
    await using server = await startServer();
    assert.equal(modeOfNew("after"), before, server.url);
  });

  test("of a server that was killed is in nobody's way", async () => {
    using folder = temporaryFolder();
    const kill = async () => {
      await using server = await startProcess({ folder: folder.path });
      server.kill("SIGKILL");
      await server.exit;
      assert.ok(existsSync(socketOf(folder.path)));
    };
    await kill();
    {
      await using admin = await adminOf(folder.path);
      assert.equal(admin.isServed, false);
      assert.ok(!existsSync(socketOf(folder.path)));
    }
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
    await kill();
    await using server = await startServer({ folder: folder.path });
    await using admin = await adminOf(server.folder);
    assert.equal(admin.isServed, true);
  });
});

/** A request to add a user of which the server has got a part, and its end. */
async function sendHalf(path: string): Promise<{ socket: Socket; finish(): Promise<string> }> {
  const body = JSON.stringify({ email: "half@example.org", name: "Half", password });
  const socket = connect(path).setEncoding("utf8");
  let answer = "";
  socket.on("data", (chunk: string) => (answer += chunk));
  await once(socket, "connect");
  socket.write(
    `POST ${adminPrefix}/users HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.slice(0, 5));
  // Both came in before this is answered.
  const [response] = await once(
    request({ socketPath: path, path: `${adminPrefix}/keys` }).end(),
    "response",
  );
  await text(response);
  return {
    socket,
    async finish() {
      socket.write(body.slice(5));
      await once(socket, "close");
      return answer;
    },
  };
}

describe("a server that stops while it is administered", { concurrency: 2 }, () => {
  test("answers what is still arriving, keeps it, and ends", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    const path = socketOf(folder.path);
    const half = await sendHalf(path);
    server.kill("SIGTERM");
    await until(() => !existsSync(path));
    assert.match(await half.finish(), /^HTTP\/1\.1 201 [^]*"email":"half@example.org"/);
    assert.deepEqual(await server.exit, { code: 0, signal: null });
    assert.deepEqual(await emails(folder.path), ["half@example.org"]);
  });

  test("is waited for by those who come meanwhile", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    const path = socketOf(folder.path);
    const half = await sendHalf(path);
    server.kill("SIGTERM");
    await until(() => !existsSync(path));
    const late = adminOf(folder.path);
    await half.finish();
    await using admin = await late;
    assert.equal(admin.isServed, false);
    assert.equal((await admin.client.users.list()).data.length, 1);
  });

  test("does not wait for an idle connection of its operator", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    const idle = connect(socketOf(folder.path));
    await once(idle, "connect");
    server.kill("SIGTERM");
    assert.deepEqual(await server.exit, { code: 0, signal: null });
    idle.destroy();
  });
});

describe("an answer of bytes", () => {
  const chunk = new Uint8Array(64 * 1024).fill(7);

  /** An app on the socket of a folder that answers so many chunks, and then ends or fails. */
  async function serveBytes(folder: string, chunks: number, failure?: Error) {
    mkdirSync(join(folder, ".lock"));
    let sent = 0;
    const app = new H3({ silent: true }).get("/bytes", () => {
      const stream = new ReadableStream<Uint8Array>({
        pull(controller) {
          sent += 1;
          if (sent <= chunks) controller.enqueue(chunk);
          else if (failure === undefined) controller.close();
          else controller.error(failure);
        },
      });
      return toResponse({ status: 200, stream });
    });
    const close = await listenToOperator(app, folder);
    return {
      get: () => socketBytes(socketOf(folder), "http://localhost/bytes"),
      sent: () => sent,
      [Symbol.asyncDispose]: () => close(0),
    };
  }

  async function lengthOf(bytes: AsyncIterable<Uint8Array>): Promise<number> {
    let length = 0;
    for await (const part of bytes) length += part.length;
    return length;
  }

  test("arrives whole", async () => {
    using folder = temporaryFolder();
    await using served = await serveBytes(folder.path, 100);
    const { status, bytes } = await served.get();
    assert.equal(status, 200);
    assert.equal(await lengthOf(bytes), 100 * chunk.length);
  });

  test("is made no faster than it is read", async () => {
    using folder = temporaryFolder();
    await using served = await serveBytes(folder.path, 1000);
    const { bytes } = await served.get();
    assert.equal((await bytes[Symbol.asyncIterator]().next()).done, false);
    assert.ok(served.sent() < 1000, `${served.sent()} were made`);
  });

  test("that breaks off is not taken for a whole one", async () => {
    using folder = temporaryFolder();
    await using served = await serveBytes(folder.path, 3, new Error("the disk failed"));
    const { bytes } = await served.get();
    await assert.rejects(lengthOf(bytes));
  });
});
