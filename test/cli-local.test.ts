import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { isAbsolute, join } from "node:path";
import { describe, test } from "node:test";
import type { Model } from "../src/contract/schemas.ts";
import { type Home, createHome } from "./_cli.ts";
import { skipUnlessRoot } from "./_nobody.ts";
import { start, startServeProcess } from "./_running.ts";
import { temporaryFolder } from "./_server.ts";
import { whoami } from "./_whoami.ts";

function accountPath(home: Home): string {
  return join(home.path, "data", "todo", "local-account.json");
}

describe("the local instance", { concurrency: 2 }, () => {
  test("makes an account on its first use, says so, and keeps it private", async () => {
    using home = createHome();
    const first = await whoami(home);
    assert.equal(first.server, join(home.path, "data", "todo"));
    assert.equal(first.profile, "local");
    assert.match(first.stderr, /^Made a local account \(\S+@localhost\) in .*\/data\/todo\.\n$/);
    const second = await whoami(home);
    assert.equal(second.stderr, "");
    assert.equal(second.id, first.id);
    assert.equal(statSync(accountPath(home)).mode & 0o777, 0o600);
    assert.equal(statSync(join(home.path, "data", "todo")).mode & 0o777, 0o700);
  });

  test("is never in the folder that a command runs in, also where HOME is empty", async () => {
    using home = createHome();
    const env = { HOME: "", XDG_CONFIG_HOME: "", XDG_DATA_HOME: "" };
    const { stdout } = await home.run(["profiles", "--json"], { env });
    const [{ server }] = JSON.parse(stdout) as [{ server: string }];
    assert.ok(isAbsolute(server), server);
  });

  test("is reached over HTTP while a server runs on it, else in process", async () => {
    using home = createHome();
    await using server = await startServeProcess(home);
    const during = await whoami(home);
    assert.equal(during.server, server.url);
    const added = await home.run(["api", "POST", "/todos", "-f", "title=over HTTP"]);
    assert.equal(added.code, 0, added.stderr);
    await server.stop();
    const after = await whoami(home);
    assert.equal(after.server, join(home.path, "data", "todo"));
    assert.equal(after.id, during.id);
    assert.match((await home.run(["log"])).stdout, /created todo\tover HTTP/);
    const [entry] = JSON.parse((await home.run(["log", "--json"])).stdout) as [
      Model<"ActivityLogEntry">,
    ];
    assert.match(entry.user_agent, /^todo\/\d/);
  });

  for (const way of ["in process", "at a server"]) {
    test(`gets one account from several first commands at once, ${way}`, async () => {
      using home = createHome();
      await using server = way === "at a server" ? await startServeProcess(home) : undefined;
      const runs = ["one", "two", "three"].map((title) =>
        home.run(["api", "POST", "/todos", "-f", `title=${title}`]),
      );
      const finished = await Promise.all(runs);
      for (const { code, stderr } of finished) assert.equal(code, 0, stderr);
      assert.equal(finished.filter(({ stderr }) => stderr.includes("Made a local")).length, 1);
      const { stdout } = await home.run(["api", "GET", "/todos"]);
      assert.equal((JSON.parse(stdout) as { data: object[] }).data.length, 3);
      const folder = join(home.path, "data", "todo");
      assert.equal((await whoami(home)).server, server?.url ?? folder);
    });
  }

  test("serves commands while a server starts on it", async () => {
    using home = createHome();
    await whoami(home);
    const server = start(home, ["serve", "--port", "0", "--log-level", "silent"]);
    try {
      // Whoever comes first: no command may fail or wait for long.
      await Promise.all([whoami(home), whoami(home), whoami(home)]);
    } finally {
      server.child.kill("SIGTERM");
      await server.finished;
    }
  });

  test("on a server without registration says what to do", async () => {
    using home = createHome();
    await using server = await startServeProcess(home, ["--no-registration"]);
    const { code, stderr } = await home.run(["whoami"]);
    assert.equal(code, 4);
    assert.match(stderr, /takes no new accounts/);
    assert.ok(stderr.includes(`todo login ${server.url}`), stderr);
    assert.ok(!existsSync(accountPath(home)));
  });

  test("whose key was revoked says what to do", async () => {
    using home = createHome();
    const { stdout } = await home.run(["keys", "--json"]);
    const [{ id = "" } = {}] = JSON.parse(stdout) as { id?: string }[];
    assert.equal((await home.run(["keys", "revoke", id, "-y"])).code, 0);
    const refused = await home.run(["whoami"]);
    assert.equal(refused.code, 4);
    assert.ok(refused.stderr.includes(accountPath(home)), refused.stderr);
    assert.match(refused.stderr, /was revoked.*Move that file away/);
  });

  test("whose account file is broken says so, and leaves it", async () => {
    using home = createHome();
    await whoami(home);
    writeFileSync(accountPath(home), '{"key": "todo_secret');
    const { code, stderr } = await home.run(["whoami"]);
    assert.equal(code, 1);
    assert.ok(stderr.includes(`${accountPath(home)} is broken`), stderr);
    assert.ok(!stderr.includes("secret"));
    assert.equal(readFileSync(accountPath(home), "utf8"), '{"key": "todo_secret');
  });

  test("in a home that cannot be written is a clear error", async () => {
    using home = createHome();
    chmodSync(home.path, 0o500);
    // Permissions do not bind root; the system's own file systems do.
    const isRoot = process.getuid!() === 0;
    const env = isRoot ? { XDG_DATA_HOME: "/sys/no-such-folder" } : {};
    const { code, stderr } = await home.run(["api", "POST", "/todos", "-f", "title=x"], { env });
    chmodSync(home.path, 0o700);
    assert.equal(code, 1);
    assert.match(stderr, /^todo: The data folder .* choose another folder/);
    assert.equal(stderr.trim().split("\n").length, 1, stderr);
  });

  test("needs no home, for a user whom the system does not know", { skip: skipUnlessRoot }, () => {
    using folder = temporaryFolder();
    chmodSync(folder.path, 0o777);
    const who = ["--reuid=54321", "--regid=54321", "--clear-groups"];
    // The checkout may be root's.
    const rights = ["--inh-caps=+dac_read_search", "--ambient-caps=+dac_read_search"];
    const todo = [process.execPath, "--import", "tsx", "bin/todo.ts"];
    const { status, stderr } = spawnSync(
      "setpriv",
      [...who, ...rights, ...todo, "list", "--data", join(folder.path, "data")],
      { encoding: "utf8", env: { PATH: process.env["PATH"] } },
    );
    assert.equal(status, 0, stderr);
  });
});
