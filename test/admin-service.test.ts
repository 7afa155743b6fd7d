import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import { serviceUnit } from "../src/cli/serving/service-unit.ts";
import { runCommand } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";

const noAnalyze =
  spawnSync("systemd-analyze", ["--version"]).error !== undefined &&
  "systemd-analyze is not installed here";

async function print(...flags: string[]): Promise<string> {
  const { code, stdout, stderr } = await runCommand(["admin", "service", ...flags]);
  assert.equal(code, 0, stderr);
  return stdout;
}

function analyze(unit: string, ...args: string[]): { status: number | null; output: string } {
  using folder = temporaryFolder();
  const path = join(folder.path, "todo.service");
  writeFileSync(path, unit);
  const { status, stdout, stderr } = spawnSync("systemd-analyze", [...args, path], {
    encoding: "utf8",
  });
  return { status, output: stdout + stderr };
}

const forms: Record<string, string[]> = {
  "for the system": [],
  "with a user, a folder and certificates": [
    "--user",
    "ada",
    "--data",
    "/srv/my todos/100%",
  ].concat(["--port", "443", "--tls-cert", "/etc/a.pem", "--tls-key", "/etc/k.pem"]),
  "for one user": ["--user-unit", "--https", "--host", "0.0.0.0"],
};

describe("todo admin service", { concurrency: 2 }, () => {
  for (const [name, flags] of Object.entries(forms)) {
    test(`prints a unit ${name} that systemd understands`, { skip: noAnalyze }, async () => {
      const { status, output } = analyze(await print(...flags), "verify");
      assert.equal(output, "");
      assert.equal(status, 0);
    });
  }

  test("leaves the service little to do harm with", { skip: noAnalyze }, async () => {
    const security = ["security", "--offline=yes", "--threshold=20"];
    const { status, output } = analyze(await print(), ...security);
    assert.equal(status, 0, output);
  });

  test("starts this program with the flags of todo serve", async () => {
    const unit = await print("--host", "::", "--trust-proxy", "10.0.0.0/8", "--no-registration");
    assert.match(
      unit,
      /^ExecStart=\/\S+ .*bin\/todo\.ts serve --host :: --trust-proxy 10\.0\.0\.0\/8 --no-registration --data %S\/todo$/m,
    );
    assert.match(unit, /^StateDirectory=todo$/m);
    assert.match(unit, /^DynamicUser=yes$/m);
    assert.match(unit, /^Restart=always$/m);
    assert.doesNotMatch(unit, /^(ExecReload|AmbientCapabilities|MemoryDenyWriteExecute)/m);
  });

  test("takes a folder and a user that are there", async () => {
    const unit = await print(...forms["with a user, a folder and certificates"]!);
    assert.match(unit, / --data "\/srv\/my todos\/100%%"$/m);
    assert.match(unit, /^ReadWritePaths="\/srv\/my todos\/100%%"$/m);
    assert.match(unit, /^User=ada$/m);
    // What is in every system, even without procps.
    assert.match(unit, /^ExecReload=\/bin\/sh -c "kill -HUP \$MAINPID"$/m);
    assert.match(unit, /^AmbientCapabilities=CAP_NET_BIND_SERVICE$/m);
    assert.doesNotMatch(unit, /StateDirectory|DynamicUser|PrivateUsers/);
  });

  test("lets the server read a certificate in a home", async () => {
    const files = ["--tls-cert", "/home/ada/a.pem", "--tls-key", "/home/ada/k.pem"];
    assert.match(await print("--user", "ada", ...files), /^ProtectHome=read-only$/m);
  });

  test("refuses what a unit cannot hold, or what does not fit together", async () => {
    for (const [flags, message] of [
      [["--data", "relative"], /absolute/],
      [["--host", "a\nUser=root"], /control characters/],
      [["--user", "a b"], /not the name of a user/],
      [["--user", "ada", "--user-unit"], /Give one of them/],
      [["--tls-cert", "/a"], /--tls-key/],
    ] as const) {
      const { code, stdout, stderr } = await runCommand(["admin", "service", ...flags]);
      assert.match(stderr, message);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
    }
  });
});

describe("a unit", () => {
  test("quotes the words of its command", () => {
    const unit = serviceUnit({
      command: ['/opt/a b/"todo"'],
      flags: ["--host", "$HOST%h"],
      port: 0,
      canReload: false,
      isUserUnit: false,
    });
    const command = String.raw`ExecStart="/opt/a b/\"todo\"" serve --host $$HOST%%h --data %S/todo`;
    assert.ok(unit.includes(command), unit);
  });

  test("doubles a dollar sign only where systemd looks for variables", () => {
    const unit = serviceUnit({
      command: ["/opt/$1/todo"],
      flags: [],
      port: 0,
      canReload: false,
      data: "/srv/$2",
      isUserUnit: false,
    });
    assert.match(unit, /^ExecStart=\/opt\/\$1\/todo serve --data \/srv\/\$\$2$/m);
    assert.match(unit, /^ReadWritePaths=\/srv\/\$2$/m);
  });
});
