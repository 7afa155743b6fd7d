import assert from "node:assert/strict";
import { once } from "node:events";
import { existsSync, readdirSync, rmSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { networkInterfaces } from "node:os";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { createClient } from "../src/client/client.ts";
import { type ServerProcess, runCommand, startProcess, startServe } from "./_process.ts";
import { sendRaw } from "./_raw.ts";
import { temporaryFolder } from "./_server.ts";

async function addressInLog(server: ServerProcess, forwardedFor: string): Promise<string> {
  const { key, client } = await server.register();
  const headers = { "x-api-key": key, "x-forwarded-for": forwardedFor };
  const body = JSON.stringify({ title: "x" });
  await fetch(`${server.url}/api/v1/todos`, { method: "POST", headers, body });
  return (await client.activity.list()).data[0]!.ip_address;
}

describe("todo serve", { concurrency: 2 }, () => {
  test("says where it serves on stdout, once, and nothing on stderr", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    assert.notEqual(new URL(server.url).port, "0");
    assert.equal((await fetch(`${server.url}/health`)).status, 200);
    server.kill("SIGTERM");
    assert.deepEqual(await server.exit, { code: 0, signal: null });
    assert.deepEqual(server.stdout, [`todo is serving ${server.url} from ${folder.path}`]);
    assert.equal(server.stderr.length, 1, server.stderr.join("\n"));
    assert.match(server.stderr[0]!, / GET \/health 200 /);
  });

  test("keeps space for a full disk, once it serves, and gives it back", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    const end = Date.now() + 60_000;
    while (!existsSync(join(folder.path, "todo.reserve"))) {
      assert.ok(Date.now() < end);
      await sleep(10);
    }
    server.kill("SIGTERM");
    await server.exit;
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
  });

  test("keeps its data under HOME, or where XDG_DATA_HOME says", async () => {
    using home = temporaryFolder();
    const HOME = home.path;
    for (const [env, folder] of [
      [{ HOME, XDG_DATA_HOME: "" }, join(HOME, ".local/share/todo")],
      [{ HOME, XDG_DATA_HOME: join(HOME, "xdg") }, join(HOME, "xdg/todo")],
    ] as const) {
      await using server = await startServe(["--port", "0"], { env });
      assert.ok(server.stdout[0]!.endsWith(` from ${folder}`), server.stdout[0]);
      assert.ok(existsSync(join(folder, "todo.db")));
    }
  });

  test("takes host, port and data folder from the environment", async () => {
    using folder = temporaryFolder();
    const env = { TODO_HOST: "127.0.0.2", TODO_PORT: "0", TODO_DATA: folder.path };
    await using server = await startServe([], { env });
    assert.equal(new URL(server.url).hostname, "127.0.0.2");
    assert.ok(existsSync(join(folder.path, "todo.db")));
  });

  test("believes a flag more than the environment", async () => {
    using folder = temporaryFolder();
    const env = { TODO_HOST: "192.0.2.1", TODO_PORT: "abc", TODO_DATA: "/dev/null/x" };
    await using server = await startProcess({ folder: folder.path, env });
    assert.equal(new URL(server.url).hostname, "127.0.0.1");
  });

  test("keeps the folder and its files from other users", async () => {
    using parent = temporaryFolder();
    const folder = join(parent.path, "made");
    await using server = await startProcess({ folder });
    await server.register();
    const mode = (path: string) => (statSync(path).mode % 0o1000).toString(8);
    assert.equal(mode(folder), "700");
    for (const name of readdirSync(folder)) {
      const path = join(folder, name);
      assert.equal(mode(path), statSync(path).isDirectory() ? "700" : "600", name);
    }
  });

  test("ends with a sentence when the port is taken, and takes no other", async () => {
    using folder = temporaryFolder();
    const taken = createServer().listen(0, "127.0.0.1");
    await once(taken, "listening");
    const { port } = taken.address() as { port: number };
    const flags = ["--port", String(port), "--data", folder.path];
    const { code, stdout, stderr } = await runCommand(["serve", ...flags]);
    taken.close();
    assert.equal(
      stderr,
      `todo: Port ${port} on 127.0.0.1 is taken. Stop what uses it, or choose another with --port (0 takes a free one).\n`,
    );
    assert.deepEqual({ code, stdout }, { code: 1, stdout: "" });
    assert.deepEqual(readdirSync(folder.path), ["todo.db"]);
  });

  test("refuses a port that browsers do not open, and takes no other", async () => {
    using folder = temporaryFolder();
    const flags = ["--port", "6000", "--data", folder.path];
    const { code, stdout, stderr } = await runCommand(["serve", ...flags]);
    assert.match(stderr, /^todo: Port 6000 [^\n]*Choose another\.\n$/);
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  });

  test("listens on port 8636 when nobody says otherwise", async () => {
    using folder = temporaryFolder();
    // Whether it is ours or another program's: the port is taken.
    const taken = createServer().listen(8636, "127.0.0.1");
    await once(taken, "listening").catch(() => {});
    const { code, stderr } = await runCommand(["serve", "--data", folder.path]);
    taken.close();
    assert.match(stderr, /^todo: Port 8636 on 127\.0\.0\.1 is taken\./);
    assert.equal(code, 1);
  });

  test("listens on no other address than the one that it names", async (t) => {
    const local = Object.entries(networkInterfaces()).flatMap(([name, addresses]) =>
      (addresses ?? []).flatMap(({ address, scopeid }) => (scopeid ? [{ name, address }] : [])),
    )[0];
    if (local === undefined) return t.skip("no network with link-local addresses");
    using folder = temporaryFolder();
    for (const host of [local.address, `${local.address}%${local.name}`]) {
      const flags = ["--host", host, "--port", "0", "--data", folder.path];
      const { code, stdout, stderr } = await runCommand(["serve", ...flags]);
      assert.match(stderr, /^todo: fe80:\S+ [^\n]*cannot be listened on\. Choose another[^\n]*\n$/);
      assert.equal(stdout, "");
      assert.ok(code === 1 || code === 2, `${code}`);
    }
  });

  test("ends with a sentence when the address is not this machine's", async () => {
    using folder = temporaryFolder();
    const flags = ["--host", "192.0.2.1", "--port", "0", "--data", folder.path];
    const { code, stderr } = await runCommand(["serve", ...flags]);
    assert.match(stderr, /^todo: 192\.0\.2\.1 is not an address of this machine\. .*--host.*\n$/);
    assert.equal(code, 1);
  });

  test("--no-registration refuses new accounts", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({
      folder: folder.path,
      flags: ["--no-registration"],
    });
    const body = JSON.stringify({ email: "a@example.org", password: "correct horse", name: "A" });
    const request = { method: "POST", body };
    const response = await fetch(`${server.url}/api/v1/auth/register`, request);
    assert.equal(response.status, 403);
  });

  test("believes X-Forwarded-For of the proxies it is told to trust, several too", async () => {
    using folder = temporaryFolder();
    {
      await using server = await startProcess({ folder: folder.path });
      assert.equal(await addressInLog(server, "203.0.113.5, 10.1.2.3"), "127.0.0.1");
    }
    for (const flags of [
      ["--trust-proxy", "127.0.0.1", "10.0.0.0/8"],
      ["--trust-proxy", "127.0.0.1", "--trust-proxy", "10.0.0.0/8"],
    ]) {
      await using server = await startProcess({ folder: folder.path, flags });
      assert.equal(await addressInLog(server, "203.0.113.5, 10.1.2.3"), "203.0.113.5");
    }
  });

  test("--log-format json writes nothing but objects to stderr, of its start and stop too", async () => {
    using folder = temporaryFolder();
    const flags = ["--log-format", "json", "--qr"];
    await using server = await startProcess({ folder: folder.path, flags });
    await fetch(`${server.url}/health?secret=1`);
    await fetch(`${server.url}/nowhere`);
    await sendRaw(server.url, "nonsense\r\n\r\n");
    server.kill("SIGTERM");
    await server.exit;
    const lines = server.stderr.map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.map(({ level, message, method, path, status }) => [
        level,
        message ?? `${method} ${path} ${status}`,
      ]),
      [
        ["info", `Serving ${server.url} from ${folder.path}`],
        [
          "warn",
          `No QR code: a phone cannot reach ${server.url}. Serve the network with --host 0.0.0.0.`,
        ],
        ["info", "GET /health 200"],
        ["warn", "GET /nowhere 404"],
        ["warn", "Refused before it reached the API: 400 Malformed HTTP request"],
        ["info", "Stopping"],
        ["info", "Stopped"],
      ],
    );
  });

  test("--log-format json says also why it does not start, or goes on, in an object", async () => {
    using folder = temporaryFolder();
    const flags = ["--log-format", "json", "--data", folder.path];
    const unknown = await runCommand(["serve", "--host", "192.0.2.1", "--port", "0", ...flags]);
    assert.match(JSON.parse(unknown.stderr).message, /^192\.0\.2\.1 is not an address/);

    await using server = await startProcess({ folder: folder.path, flags });
    const { key } = await server.register();
    // The server must not write to a file that is no longer there.
    rmSync(join(folder.path, "todo.wal"));
    await fetch(`${server.url}/api/v1/todos`, {
      method: "POST",
      headers: { "x-api-key": key },
      body: '{"title":"x"}',
    }).catch(() => {});
    assert.equal((await server.exit).code, 1);
    const last = JSON.parse(server.stderr.at(-1)!);
    assert.match(last.detail, /deleted/);
    for (const line of server.stderr) JSON.parse(line);
  });

  test("--log-level warn leaves out what went well, silent everything", async () => {
    using folder = temporaryFolder();
    for (const [level, count] of [
      ["warn", 1],
      ["silent", 0],
    ] as const) {
      const flags = ["--log-level", level];
      await using server = await startProcess({ folder: folder.path, flags });
      await fetch(`${server.url}/health`);
      await fetch(`${server.url}/nowhere`);
      server.kill("SIGTERM");
      await server.exit;
      assert.equal(server.stderr.length, count, server.stderr.join("\n"));
    }
  });

  test("uses the secret of TODO_JWT_SECRET for its tokens", async () => {
    using folder = temporaryFolder();
    const body = { email: "a@example.org", password: "correct horse", name: "A" };
    const refresh = async (secret: string, token: string) => {
      const env = { TODO_JWT_SECRET: secret };
      await using server = await startProcess({ folder: folder.path, env });
      const request = { method: "POST", headers: { authorization: `Bearer ${token}` } };
      return (await fetch(`${server.url}/api/v1/auth/jwt/refresh`, request)).status;
    };
    let token = "";
    {
      const env = { TODO_JWT_SECRET: "a".repeat(32) };
      await using server = await startProcess({ folder: folder.path, env });
      const { data } = await createClient({ server: server.url }).auth.jwtRegister({ body });
      token = data.token;
    }
    assert.equal(await refresh("a".repeat(32), token), 200);
    assert.equal(await refresh("b".repeat(32), token), 401);
  });

  test("goes on serving when nobody reads its output any more", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path });
    server.closeOutput();
    for (let i = 0; i < 3; i += 1) assert.equal((await fetch(`${server.url}/health`)).status, 200);
    server.kill("SIGTERM");
    assert.deepEqual(await server.exit, { code: 0, signal: null });
  });
});
