import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { createClient } from "../src/client/client.ts";
import { type CommandResult, runCommand, startProcess } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";

function serve(folder: string): Promise<CommandResult> {
  return runCommand(["serve", "--port", "0", "--data", folder]);
}

describe("two servers on one data folder", { concurrency: 2 }, () => {
  test("the second says where the first is, and ends", async () => {
    using folder = temporaryFolder();
    await using first = await startProcess({ folder: folder.path });
    const { code, stdout, stderr } = await serve(folder.path);
    assert.equal(
      stderr,
      `todo: A server is already running on the data folder ${folder.path}, at ${first.url}. Use that one, or stop it, then try again.\n`,
    );
    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
    const { client } = await first.register();
    await client.todos.create({ body: { title: "the first goes on" } });
  });

  test("of many started at once, one serves and the others say so", async () => {
    using folder = temporaryFolder();
    const others: string[] = [];
    const started = await Promise.allSettled(
      Array.from({ length: 4 }, () => startProcess({ folder: folder.path })),
    );
    const servers = [];
    for (const one of started) {
      if (one.status === "fulfilled") servers.push(one.value);
      else others.push((one.reason as Error).message);
    }
    await Promise.all(servers.map((server) => server[Symbol.asyncDispose]()));
    assert.equal(servers.length, 1);
    for (const message of others) assert.match(message, /\ntodo: .*data folder/);
  });

  test("the second starts at once after the first was killed", async () => {
    using folder = temporaryFolder();
    let key = "";
    {
      await using first = await startProcess({ folder: folder.path });
      const user = await first.register();
      key = user.key;
      await user.client.todos.create({ body: { title: "kept" } });
      first.kill("SIGKILL");
      await first.exit;
    }
    await using second = await startProcess({ folder: folder.path });
    const { data } = await createClient({ server: second.url, key }).todos.list();
    assert.deepEqual(
      data.map(({ title }) => title),
      ["kept"],
    );
  });

  test("a first that is suspended still holds it, and goes on later", async () => {
    using folder = temporaryFolder();
    await using first = await startProcess({ folder: folder.path });
    const { client } = await first.register();
    first.kill("SIGSTOP");
    const { code, stderr } = await serve(folder.path);
    assert.match(stderr, /^todo: Another process is using the data folder .*, then try again\.\n$/);
    assert.equal(code, 1);
    first.kill("SIGCONT");
    await client.todos.create({ body: { title: "still here" } });
    first.kill("SIGTERM");
    assert.deepEqual(await first.exit, { code: 0, signal: null });
  });
});
