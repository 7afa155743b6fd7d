import assert from "node:assert/strict";
import { copyFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { makeCertificate, writeCertificate } from "./_certificates.ts";
import { type Home, createHome } from "./_cli.ts";
import { startServeProcess } from "./_running.ts";
import { temporaryFolder } from "./_server.ts";

const certificateOf = (home: Home) => join(home.path, "data", "todo", "https-certificate.pem");

describe("commands on a folder whose server speaks https", { concurrency: 2 }, () => {
  test("trust its self-signed certificate", async () => {
    using home = createHome();
    await using server = await startServeProcess(home, ["--https"]);
    assert.match(server.url, /^https:/);
    const added = await home.run(["add", "over https", "--debug"]);
    assert.equal(added.code, 0, added.stderr);
    assert.ok(added.stderr.includes(`POST ${server.url}/api/v1/todos 201`), added.stderr);
  });

  test("find it well", async () => {
    using home = createHome();
    await using server = await startServeProcess(home, ["--https"]);
    const { code, stdout, stderr } = await home.run(["health"]);
    assert.ok(stdout.startsWith(`${server.url}  ok  `), stderr);
    assert.equal(code, 0);
    assert.match((await home.run(["doctor"])).stdout, new RegExp(`${server.url} runs todo`));
  });

  test("trust a certificate for another name, too", async () => {
    using home = createHome();
    using keys = temporaryFolder();
    const files = await writeCertificate(keys.path, "todo.example.org");
    const flags = ["--tls-cert", files.cert, "--tls-key", files.key];
    await using server = await startServeProcess(home, flags);
    assert.match(server.url, /^https:/);
    assert.equal((await home.run(["add", "over https"])).code, 0);
  });

  test("trust that certificate only", async () => {
    using home = createHome();
    await using server = await startServeProcess(home, ["--https"]);
    writeFileSync(certificateOf(home), (await makeCertificate("127.0.0.1")).cert);
    const { code, stderr } = await home.run(["list"]);
    assert.equal(code, 5);
    assert.ok(stderr.startsWith(`todo: ${server.url} cannot be trusted: `), stderr);
  });
});

describe("commands to a server with a self-signed certificate elsewhere", () => {
  test("do not trust it, say what to do, and trust it then", async () => {
    using home = createHome();
    using away = createHome();
    await using server = await startServeProcess(home, ["--https"]);
    const env = { TODO_SERVER: server.url, TODO_API_KEY: "none" };
    const refused = await away.run(["list"], { env });
    assert.match(
      refused.stderr,
      /cannot be trusted: nobody who is trusted has signed its certificate .*https-certificate\.pem.*by the variable NODE_EXTRA_CA_CERTS\.\n$/,
    );
    assert.equal(refused.code, 5);
    const copy = join(away.path, "ca.pem");
    copyFileSync(certificateOf(home), copy);
    const trusted = await away.run(["list"], { env: { ...env, NODE_EXTRA_CA_CERTS: copy } });
    assert.match(trusted.stderr, /Invalid or expired API key/);
    assert.equal(trusted.code, 4);
  });
});
