import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { writeFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { readTopic } from "../src/cli/help/topics.ts";
import { createClient } from "../src/client/client.ts";
import { pinnedFetch } from "../src/client/pinned-fetch.ts";
import { readCertificateFiles } from "../src/server/certificate-files.ts";
import { writeCertificate } from "./_certificates.ts";
import { startFakeServer } from "./_fake-server.ts";
import { startProcess } from "./_process.ts";
import { sendRaw } from "./_raw.ts";
import { temporaryFolder } from "./_server.ts";

const skip = spawnSync("nginx", ["-v"]).error !== undefined && "nginx is not installed here";

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

/** nginx as `todo help serving` shows it, before that server, on a port of its own. */
async function startNginx(
  folder: string,
  target: string,
): Promise<{ url: string; cert: string } & AsyncDisposable> {
  const files = await writeCertificate(folder, "127.0.0.1");
  const port = await freePort();
  const example = /```nginx\n([^]*?)```/.exec(readTopic("serving"))![1]!;
  const site = example
    .replace("listen 443 ssl", `listen 127.0.0.1:${port} ssl`)
    .replace("/etc/ssl/todo.pem", files.cert)
    .replace("/etc/ssl/todo.key", files.key)
    .replace("127.0.0.1:8636", new URL(target).host);
  const config = join(folder, "nginx.conf");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  writeFileSync(
    config,
    `daemon off; master_process off; pid ${folder}/nginx.pid; error_log stderr;
     events {} http { access_log off; ${temporary.join(" ")} ${site} }`,
  );
  const child = spawn("nginx", ["-c", config, "-p", folder], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  let errors = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => (errors += text));
  const exit = once(child, "exit");
  const url = `https://127.0.0.1:${port}`;
  const health = "GET /health HTTP/1.1\r\nHost: x\r\n\r\n";
  const end = Date.now() + 60_000;
  while ((await sendRaw(url, health).catch(() => undefined))?.status !== 200) {
    assert.ok(Date.now() < end && child.exitCode === null, errors);
    await sleep(20);
  }
  return {
    url,
    cert: readCertificateFiles(files).cert,
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exit;
    },
  };
}

describe("behind nginx", { skip }, () => {
  test("the server is reached, and sees the clients' addresses when it trusts the proxy", async () => {
    for (const [flags, address] of [
      [["--trust-proxy", "127.0.0.1/32"], "203.0.113.5"],
      [[], "127.0.0.1"],
    ] as const) {
      using folder = temporaryFolder();
      await using server = await startProcess({ folder: join(folder.path, "data"), flags });
      await using nginx = await startNginx(folder.path, server.url);
      const { key } = await server.register();
      const fetch = pinnedFetch(nginx.cert);
      const client = createClient({ server: nginx.url, key, fetch });
      // nginx is itself before another proxy here, which is on this machine, too.
      const answer = await sendRaw(
        nginx.url,
        `POST /api/v1/todos HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nX-Forwarded-For: 203.0.113.5\r\nContent-Length: 13\r\n\r\n{"title":"x"}`,
      );
      assert.equal(answer?.status, 201);
      assert.equal((await client.activity.list()).data[0]!.ip_address, address);
    }
  });

  test("a body of 1 MiB arrives, and one that is larger is refused by the server itself", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: join(folder.path, "data") });
    await using nginx = await startNginx(folder.path, server.url);
    const { key } = await server.register();
    const create = (bytes: number) => {
      const body = '{"title":"x"}'.padEnd(bytes);
      return sendRaw(
        nginx.url,
        `POST /api/v1/todos HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nContent-Length: ${bytes}\r\n\r\n${body}`,
      );
    };
    assert.equal((await create(1_048_576))?.status, 201);
    const refused = await create(1_048_577);
    assert.equal(refused?.status, 413);
    assert.deepEqual(JSON.parse(refused.body), {
      success: false,
      message: "Request body must be at most 1048576 bytes",
    });
  });

  test("the connection to the server is kept for the next request", async () => {
    using folder = temporaryFolder();
    await using target = await startFakeServer((response, { socket }) => {
      response.end(String(socket.remotePort));
    });
    await using nginx = await startNginx(folder.path, target.url);
    const ports = new Set<string>();
    for (let request = 1; request <= 3; request += 1) {
      ports.add((await sendRaw(nginx.url, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"))!.body);
    }
    assert.equal(ports.size, 1);
  });
});
