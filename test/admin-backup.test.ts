import assert from "node:assert/strict";
import { once } from "node:events";
import { readdirSync, readlinkSync } from "node:fs";
import { type IncomingMessage, get } from "node:http";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { openDatabase } from "../src/storage/database.ts";
import * as settings from "../src/storage/settings.ts";
import { type TestServer, startServer, temporaryFolder } from "./_server.ts";

const megabytes = 16;

/** A folder whose database is larger than what sockets hold on the way. */
async function fillLarge(folder: string): Promise<void> {
  const db = await openDatabase({ folder });
  settings.insert(db, "ballast", new Uint8Array(megabytes * 1e6));
  await db.close();
}

async function ask({ folder }: TestServer, method = "GET"): Promise<IncomingMessage> {
  const socketPath = join(folder, ".lock", "admin");
  const request = get({ socketPath, path: "/admin/v1/backup", method, agent: false });
  request.on("error", () => {});
  const [response] = (await once(request, "response")) as [IncomingMessage];
  return response;
}

/** How often this process, which is the server, has the database's file open. */
function openFiles({ folder }: TestServer): number {
  return readdirSync("/proc/self/fd").filter((fd) => {
    try {
      return readlinkSync(`/proc/self/fd/${fd}`).startsWith(join(folder, "todo.db"));
    } catch {
      return false;
    }
  }).length;
}

describe("a copy over the administration's socket", { skip: process.platform !== "linux" }, () => {
  test("ends with its reader, and keeps nothing open", async () => {
    using folder = temporaryFolder();
    await fillLarge(folder.path);
    await using server = await startServer({ folder: folder.path });
    const before = openFiles(server);
    const response = await ask(server);
    assert.equal(response.statusCode, 200);
    await once(response, "readable");
    assert.ok(openFiles(server) > before);
    response.destroy();
    for (const end = Date.now() + 30_000; openFiles(server) > before; await sleep(10)) {
      assert.ok(Date.now() < end, "the file is still open");
    }
  });

  test("is not begun for those who only ask about it", async () => {
    using folder = temporaryFolder();
    await fillLarge(folder.path);
    await using server = await startServer({ folder: folder.path });
    const before = openFiles(server);
    const response = await ask(server, "HEAD");
    assert.equal(response.statusCode, 200);
    response.resume();
    assert.equal(openFiles(server), before);
  });

  test("breaks off, and not with a whole answer, when the server stops", async () => {
    using folder = temporaryFolder();
    await fillLarge(folder.path);
    let bytes = 0;
    let response: IncomingMessage;
    {
      await using server = await startServer({ folder: folder.path });
      response = await ask(server);
      await once(response, "readable");
      // Nobody reads on: the server gives it up after its period of grace.
    }
    await assert.rejects(async () => {
      for await (const chunk of response) bytes += (chunk as Buffer).length;
    });
    assert.ok(bytes < megabytes * 1e6);
  });
});
