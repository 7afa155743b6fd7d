import assert from "node:assert/strict";
import { describe, test } from "node:test";
import { acquireLock } from "../src/storage/lock.ts";
import { createHome } from "./_cli.ts";
import { answering, startFakeServer } from "./_fake-server.ts";
import { startServeProcess } from "./_running.ts";
import { temporaryFolder } from "./_server.ts";

describe("todo health", { concurrency: 2 }, () => {
  test("says that the server on the data folder works, and how fast", async () => {
    using home = createHome();
    await using server = await startServeProcess(home);
    const { code, stdout } = await home.run(["health"]);
    assert.match(stdout, new RegExp(String.raw`^${server.url}  ok  todo \S+  \d+ ms\n$`));
    assert.equal(code, 0);
    const json = await home.run(["health", server.url, "--json"]);
    const { status, server: url } = JSON.parse(json.stdout) as Record<string, unknown>;
    assert.deepEqual([status, url], ["ok", server.url]);
  });

  test("sends no key, and prints nothing with --quiet", async () => {
    using home = createHome();
    await using server = await startFakeServer(answering(200, '{"status":"ok","version":"9"}'));
    const env = { TODO_API_KEY: "todo_secret" };
    const { code, stdout, stderr } = await home.run(["health", server.url, "--quiet"], { env });
    assert.deepEqual({ code, stdout, stderr }, { code: 0, stdout: "", stderr: "" });
    assert.equal(server.requests[0]!.headers["x-api-key"], undefined);
  });

  test("fails when a server answers, but not that it is well", async () => {
    using home = createHome();
    await using server = await startFakeServer(answering(500, "{}"));
    const { code, stderr } = await home.run(["health", server.url]);
    assert.match(stderr, /status 500/);
    assert.equal(code, 1);
  });

  test("tells a folder that a silent process holds from one without a server", async () => {
    using home = createHome();
    using folder = temporaryFolder();
    const lock = await acquireLock(folder.path);
    const { code, stderr } = await home.run(["health", "--data", folder.path]);
    await lock.release();
    assert.match(stderr, /A process holds the data folder .*, and no server in it answers/);
    assert.equal(code, 5);
  });

  test("has an exit code of its own for what does not answer", async () => {
    using home = createHome();
    assert.equal((await home.run(["health", "http://127.0.0.1:9"])).code, 5);
    const { code, stderr } = await home.run(["health"]);
    assert.match(stderr, /No server runs on the data folder/);
    assert.equal(code, 5);
  });
});
