import assert from "node:assert/strict";
import { chmodSync, existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { networkUrl, qrCode } from "../src/cli/serving/phone.ts";
import { createHome } from "./_cli.ts";
import { startInTerminal } from "./_running.ts";
import { startProcess } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";

describe("--open", { skip: process.platform !== "linux" && "it is tested with xdg-open" }, () => {
  test("opens the browser at the server", async () => {
    using folder = temporaryFolder();
    const opened = join(folder.path, "opened");
    const browser = join(folder.path, "xdg-open");
    writeFileSync(
      browser,
      `#!/bin/sh\nprintf %s "$1" > ${opened}.new; mv ${opened}.new ${opened}\n`,
    );
    chmodSync(browser, 0o755);
    const env = { PATH: `${folder.path}:${process.env["PATH"]}` };
    const data = join(folder.path, "data");
    await using server = await startProcess({ folder: data, flags: ["--open"], env });
    const end = Date.now() + 60_000;
    while (!existsSync(opened) && Date.now() < end) await sleep(10);
    assert.equal(readFileSync(opened, "utf8"), `${server.url}/`);
  });

  test("without a browser is a line in the log, and the server goes on", async () => {
    using folder = temporaryFolder();
    const env = { PATH: folder.path };
    const data = join(folder.path, "data");
    await using server = await startProcess({ folder: data, flags: ["--open"], env });
    assert.equal((await fetch(`${server.url}/health`)).status, 200);
    server.kill("SIGTERM");
    assert.deepEqual(await server.exit, { code: 0, signal: null });
    assert.ok(server.stderr.some((line) => line.includes(`No browser could be opened`)));
  });
});

describe("--qr", () => {
  test("shows a code in a terminal, where the network is served", async (t) => {
    const url = networkUrl("http://127.0.0.1:8636", "0.0.0.0");
    if (url === undefined) {
      t.skip("this machine has no address in a network");
      return;
    }
    using home = createHome();
    const flags = ["--port", "0", "--host", "0.0.0.0", "--qr"];
    const running = startInTerminal(home, ["serve", ...flags]);
    await running.shows(`For a phone in the same network: ${url.replace(/\d+$/, "")}`);
    await running.shows("█");
    running.child.stdin.write("\u0003");
    assert.equal((await running.finished).code, 0);
  });

  test("says why there is none", async () => {
    using folder = temporaryFolder();
    await using server = await startProcess({ folder: folder.path, flags: ["--qr"] });
    server.kill("SIGTERM");
    await server.exit;
    assert.match(server.stderr[0]!, /No QR code: .*--host 0\.0\.0\.0\.$/);
  });

  test("is the URL's, of a quiet form that a camera reads", async () => {
    const code = await qrCode("https://192.0.2.1:8636");
    assert.match(code, /^[ ▀▄█\n]+$/);
    assert.ok(code.split("\n").length > 10);
  });

  test("is for the address that is served", () => {
    assert.equal(networkUrl("https://192.0.2.1:1", "192.0.2.1"), "https://192.0.2.1:1");
    for (const host of ["127.0.0.1", "localhost", "::1"]) {
      const url = `http://${host === "::1" ? "[::1]" : host}:1`;
      assert.equal(networkUrl(url, host), undefined);
    }
  });
});
