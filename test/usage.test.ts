import assert from "node:assert/strict";
import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import packageJson from "../package.json" with { type: "json" };
import { runCommand } from "./_process.ts";
import { temporaryFolder } from "./_server.ts";

/** Arguments or variables that make no sense, and what must be said about them. */
const mistakes: { args: string[]; env?: Record<string, string>; says: RegExp }[] = [
  { args: ["serve", "--port", "abc"], says: /--port.*'abc'.* number from 0 .*to 65535/ },
  { args: ["serve", "--port", "70000"], says: /--port.*'70000'.* number from 0 .*to 65535/ },
  { args: ["serve", "--port", "-1"], says: /--port.*'-1'.* number from 0 .*to 65535/ },
  { args: ["serve", "--port", "8636.5"], says: /--port.*number from 0/ },
  { args: ["serve", "--port", ""], says: /--port.*number from 0/ },
  { args: ["serve", "--port"], says: /--port.* argument missing/ },
  { args: ["serve"], env: { TODO_PORT: "abc" }, says: /'abc' from env 'TODO_PORT'.*number/ },
  { args: ["serve"], env: { TODO_HOST: "" }, says: /TODO_HOST.*Give a value/ },
  { args: ["serve"], env: { TODO_DATA: " " }, says: /TODO_DATA.*Give a value/ },
  { args: ["serve", "--host", ""], says: /--host.*Give a value/ },
  { args: ["serve", "--data", ""], says: /--data.*Give a value/ },
  { args: ["serve", "--log-format", "xml"], says: /--log-format.*'xml'.*text, json/ },
  {
    args: ["serve", "--log-level", "loud"],
    says: /--log-level.*'loud'.*info, warn, error, silent/,
  },
  { args: ["serve", "--trust-proxy", "nonsense"], says: /--trust-proxy.*"nonsense".*CIDR/ },
  { args: ["serve", "--trust-proxy", "10.0.0.0/33"], says: /--trust-proxy.*"10\.0\.0\.0\/33"/ },
  { args: ["serve"], env: { TODO_JWT_SECRET: "short" }, says: /TODO_JWT_SECRET.* 32 bytes/ },
  { args: ["serve", "--prot", "1"], says: /'--prot' \(Did you mean --port\?\)/ },
  { args: ["serve", "extra"], says: /too many arguments/ },
  { args: ["serv"], says: /'serv' \(Did you mean serve\?\)/ },
  { args: ["--versoin"], says: /'--versoin' \(Did you mean --version\?\)/ },
];

describe("a mistake on the command line", { concurrency: 2 }, () => {
  for (const { args, env = {}, says } of mistakes) {
    const variables = Object.entries(env).map(([name, value]) => `${name}=${value} `);
    test(`is explained: ${variables.join("")}todo ${args.join(" ")}`, async () => {
      using home = temporaryFolder();
      const HOME = home.path;
      const { code, stdout, stderr } = await runCommand(args, {
        env: { HOME, XDG_DATA_HOME: join(HOME, "data"), ...env },
      });
      assert.match(stderr, /^todo: [^\n]+\n$/);
      assert.match(stderr, says);
      assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
      assert.deepEqual(readdirSync(HOME), []);
    });
  }

  test("never shows a secret", async () => {
    const { stderr } = await runCommand(["serve"], { env: { TODO_JWT_SECRET: "hunter2" } });
    assert.doesNotMatch(stderr, /hunter2/);
  });
});

describe("todo", { concurrency: 2 }, () => {
  for (const args of [["--help"], ["-h"], ["help"], ["serve", "--help"], ["help", "serve"]]) {
    test(`${args.join(" ")} starts with examples`, async () => {
      const { code, stdout, stderr } = await runCommand(args);
      const name = args.includes("serve") ? "todo serve" : "todo";
      assert.match(stdout, /^Examples:\n {2}todo /);
      assert.ok(stdout.includes(`\nUsage: ${name} [options]`), stdout);
      assert.deepEqual({ code, stderr }, { code: 0, stderr: "" });
    });
  }

  test("serve --help names every flag and variable", async () => {
    const { stdout } = await runCommand(["serve", "--help"]);
    const flags = ["host", "port", "data", "no-registration", "trust-proxy", "log-format", "cache"];
    for (const flag of [...flags, "log-level"]) assert.ok(stdout.includes(`--${flag}`), flag);
    for (const name of ["TODO_HOST", "TODO_PORT", "TODO_DATA", "TODO_JWT_SECRET"]) {
      assert.ok(stdout.includes(name), name);
    }
  });

  for (const args of [["--version"], ["-V"], ["version"]]) {
    test(`${args.join(" ")} prints the version and nothing else`, async () => {
      const result = await runCommand(args);
      const name = args[0] === "version" ? "todo " : "";
      const stdout = `${name}${packageJson.version}\n`;
      assert.deepEqual(result, { code: 0, signal: null, stdout, stderr: "" });
    });
  }

  test("help for an unknown command gets a suggestion", async () => {
    const { code, stdout, stderr } = await runCommand(["help", "serv"]);
    assert.equal(stderr, 'todo: There is no command or topic "serv". Did you mean `serve`?\n');
    assert.deepEqual({ code, stdout }, { code: 2, stdout: "" });
  });
});
