import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { before, describe, test } from "node:test";
import { fileURLToPath } from "node:url";

const project = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const oxlint = path.join(project, "node_modules/oxlint/bin/oxlint");

/** A file's folder, its text, and the rule that must refuse it, or undefined when it is allowed. */
type Plant = [folder: string, source: string, rule?: string, words?: string];

const layer = "no-restricted-imports";

/** What each layer may and may not import. */
const imports: Plant[] = [
  ["bin", `import { x } from "../src/cli/run.ts";`],
  ["bin", `import { x } from "../src/server/app.ts";`, layer, "bin:"],
  ["bin", `import { x } from "../src/contract/routes.ts";`, layer, "bin:"],
  ["bin", `import { x } from "commander";`, layer, "bin:"],

  ["src/cli", `import { x } from "../client/client.ts";`],
  ["src/cli", `import { x } from "../contract/errors.ts";`],
  ["src/cli", `import type { X } from "../contract/todos.ts";`],
  ["src/cli", `import type { X } from "../server/app.ts";`],
  ["src/cli", `void import("../server/app.ts");`],
  ["src/cli/commands", `void import("../../storage/backup.ts");`],
  ["src/cli/commands", `import { x } from "../output.ts";`],
  ["src/cli", `import x from "../../package.json" with { type: "json" };`],
  ["src/cli", `import { x } from "../contract/todos.ts";`, layer, "cli:"],
  ["src/cli", `import { x } from "../server/app.ts";`, layer, "cli:"],
  ["src/cli", `import * as x from "../server/app.ts";`, layer, "cli:"],
  ["src/cli", `import "../server/app.ts";`, layer, "cli:"],
  ["src/cli", `export { x } from "../server/app.ts";`, layer, "cli:"],
  ["src/cli/commands", `import { x } from "../../services/todos.ts";`, layer, "cli:"],
  ["src/cli/commands", `import { x } from "../../storage/todos.ts";`, layer, "cli:"],
  ["src/cli", `void import("../../migrations/001-start.ts");`, layer, "cli:"],

  ["src/client", `import { x } from "../contract/routes.ts";`],
  ["src/client", `import type { X } from "../contract/todos.ts";`],
  ["src/client", `import { x } from "ofetch";`],
  ["src/client", `import { x } from "../contract/todos.ts";`, layer, "client:"],
  ["src/client", `import type { X } from "../cli/output.ts";`, layer, "client:"],
  ["src/client", `import { x } from "../server/app.ts";`, layer, "client:"],
  ["src/client", `void import("../server/app.ts");`, layer, "client:"],
  ["src/client", `import { x } from "../services/todos.ts";`, layer, "client:"],
  ["src/client", `import { x } from "../storage/todos.ts";`, layer, "client:"],

  ["src/contract", `import { x } from "arktype";`],
  ["src/contract", `import { x } from "./fields.ts";`],
  ["src/contract", `import { x } from "node:fs";`, layer, "contract:"],
  ["src/contract", `import { x } from "node:fs/promises";`, layer, "contract:"],
  ["src/contract", `import { x } from "h3";`, layer, "contract:"],
  ["src/contract", `import { x } from "@inquirer/prompts";`, layer, "contract:"],
  ["src/contract", `import { x } from "../server/app.ts";`, layer, "contract:"],
  ["src/contract", `import type { X } from "../storage/todos.ts";`, layer, "contract:"],
  ["src/contract/routes.ts", `import type { X } from "./todos.ts";`],
  ["src/contract/routes.ts", `import { x } from "./errors.ts";`],
  ["src/contract/errors.ts", `import { x } from "arktype";`, layer, "contract: plain"],
  ["src/contract/limits.ts", `import { x } from "./todos.ts";`, layer, "contract: plain"],

  ["src/server", `import { x } from "../contract/todos.ts";`],
  ["src/server", `import { x } from "../services/todos.ts";`],
  ["src/server", `import { x } from "jose";`],
  ["src/server", `import { x } from "sql.js";`, layer, "server:"],
  ["src/server", `import { x } from "commander";`, layer, "server:"],
  ["src/server", `import { x } from "../client/client.ts";`, layer, "server:"],
  ["src/server", `void import("../cli/output.ts");`, layer, "server:"],
  ["src/server", `import { x } from "../../migrations/001-start.ts";`, layer, "server:"],

  ["src/services", `import { x } from "../storage/todos.ts";`],
  ["src/services", `import { x } from "../contract/errors.ts";`],
  ["src/services", `import type { X } from "../contract/todos.ts";`],
  ["src/services", `import { x } from "bcryptjs";`],
  ["src/services", `import { x } from "../contract/todos.ts";`, layer, "services:"],
  ["src/services", `import { x } from "../contract/routes.ts";`, layer, "services:"],
  ["src/services", `import { x } from "../server/app.ts";`, layer, "services:"],
  ["src/services", `import { x } from "h3";`, layer, "services:"],
  ["src/services", `import { x } from "commander";`, layer, "services:"],
  ["src/services", `import { x } from "sql.js";`, layer, "services:"],
  ["src/services", `import { x } from "node:http";`, layer, "services:"],

  ["src/storage", `import { x } from "sql.js";`],
  ["src/storage", `import { x } from "../../migrations/001-start.ts";`],
  ["src/storage", `import type { X } from "../contract/todos.ts";`],
  ["src/storage", `import { x } from "../contract/errors.ts";`, layer, "storage:"],
  ["src/storage", `import { x } from "../services/todos.ts";`, layer, "storage:"],
  ["src/storage", `import { x } from "../server/app.ts";`, layer, "storage:"],
  ["src/storage", `import { x } from "bcryptjs";`, layer, "storage:"],
  ["src/storage", `import { x } from "jose";`, layer, "storage:"],
  ["src/storage", `import { x } from "node:http";`, layer, "storage:"],

  ["migrations", `import type { X } from "./migration.ts";`],
  ["migrations", `import { x } from "./001-start.ts";`, layer, "migrations:"],
  ["migrations/index.ts", `import { a } from "./001-start.ts";`],
  ["migrations/index.ts", `import { b } from "../src/storage/todos.ts";`, layer, "migrations:"],
  ["migrations", `import { x } from "node:fs";`, layer, "migrations:"],
  ["migrations", `import { x } from "../src/storage/todos.ts";`, layer, "migrations:"],

  ["build", `import { x } from "../src/server/app.ts";`],
  ["build", `import { x } from "../test/_client.ts";`, layer, "build:"],
  ["test", `import { x } from "../src/server/app.ts";`],
];

for (const folder of ["cli", "client", "contract", "server", "services", "storage"]) {
  imports.push([`src/${folder}`, `import { x } from "../../test/_x.ts";`, layer, `${folder}:`]);
  imports.push([`src/${folder}`, `import { x } from "../../build/x.ts";`, layer, `${folder}:`]);
}
for (const name of ["arktype", "h3", "listhen", "sql.js", "jose", "bcryptjs"]) {
  imports.push(["src/cli", `import { x } from "${name}";`, layer, "cli:"]);
  imports.push(["src/client", `import { x } from "${name}";`, layer, "client:"]);
  imports.push(["src/contract/routes.ts", `import "${name}";`, layer, "contract: plain"]);
}

/** Faults that any file may have. */
const faults: Plant[] = [
  ["src/cli", `Promise.resolve(1);`, "no-floating-promises"],
  ["src/cli", `export function f(x: any) { return String(x); }`, "no-explicit-any"],
  ["src/cli", `export const f = (x: string) => JSON.parse(x).y;`, "no-unsafe-member-access"],
  ["src/cli", `import { URL } from "node:url"; export let x: URL;`, "consistent-type-imports"],
  [
    "src/cli",
    `import { type URL } from "node:url"; export let x: URL;`,
    "no-import-type-side-effects",
  ],
  ["src/cli", `export default function f() {}`, "no-default-export"],
  ["src/cli", `export * from "./x.ts";`, "no-barrel-file"],
  ["src/cli", `export const f = (x: unknown) => x == 1;`, "eqeqeq"],
  ["src/cli", `export const x = 1; debugger;`, "no-debugger"],
  ["src/cli", `export function f() { throw "x"; }`, "only-throw-error"],
  ["src/cli", `import { join } from "path"; export const x = join("a");`, "prefer-node-protocol"],
  ["src/cli/notKebab.ts", `export const x = 1;`, "filename-case"],
  ["src/cli", `console.log(1);`],
  ["src/server", `console.log(1);`, "no-console"],
  ["test", `import { test } from "node:test"; test("x", () => {});`],
  ["src/services/one.ts", `import { b } from "./two.ts"; export const a = () => b;`, "no-cycle"],
  ["src/services/two.ts", `import { a } from "./one.ts"; export const b = () => a;`, "no-cycle"],
];

/** The linter's findings, by file and line. */
type Findings = Map<string, { rule: string; words: string }[]>;

/** Puts each plant on a line of its own, in the file it names or one made for it. */
function place(plants: Plant[]): { files: Map<string, string>; places: string[] } {
  const files = new Map<string, string>();
  const places = plants.map(([where, source], index) => {
    const file = where.endsWith(".ts") ? where : `${where}/plant-${index}.ts`;
    const text = (files.get(file) ?? "") + source + "\n";
    files.set(file, text);
    return `${file}:${text.split("\n").length - 1}`;
  });
  return { files, places };
}

/** Runs the linter, as the project is configured, over files in a folder of their own. */
function lint(files: Map<string, string>): Findings {
  const folder = mkdtempSync(path.join(tmpdir(), "todo-tooling-"));
  try {
    for (const name of [".oxlintrc.json", "tsconfig.json", "package.json"]) {
      cpSync(path.join(project, name), path.join(folder, name));
    }
    const packages = path.join(folder, "node_modules");
    symlinkSync(path.join(project, "node_modules"), packages, "junction");
    for (const [name, text] of files) {
      mkdirSync(path.join(folder, path.dirname(name)), { recursive: true });
      writeFileSync(path.join(folder, name), text);
    }
    const run = spawnSync(process.execPath, [oxlint, "--format=json"], {
      cwd: folder,
      encoding: "utf8",
    });
    assert.equal(run.status, 1, run.stderr);
    const findings: Findings = new Map();
    for (const { code, filename, help, labels } of JSON.parse(run.stdout).diagnostics) {
      const at = `${filename.replaceAll("\\", "/")}:${labels[0]?.span.line ?? 1}`;
      const rule = /\((.+)\)/.exec(code)?.[1] ?? code;
      findings.set(at, [...(findings.get(at) ?? []), { rule, words: help ?? "" }]);
    }
    return findings;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("the linter", () => {
  const plants = [...imports, ...faults];
  const { files, places } = place(plants);
  let findings: Findings;
  before(() => {
    findings = lint(files);
  });

  for (const [index, [where, source, rule, words = ""]] of plants.entries()) {
    const at = places[index] ?? "";
    const found = () => findings.get(at) ?? [];
    if (rule === undefined) {
      test(`${where} may say: ${source}`, () => {
        const refused = found().filter((finding) => finding.rule !== "no-unused-vars");
        assert.deepEqual(refused, []);
      });
    } else {
      test(`${where} may not say: ${source}`, () => {
        const named = found().some(
          (finding) => finding.rule === rule && finding.words.startsWith(words),
        );
        assert.ok(named, `${rule} expected, found ${JSON.stringify(found())}`);
      });
    }
  }
});

describe("the install before start and test", () => {
  /** A project without dependencies, in a folder whose name has a space. */
  function sample(): { folder: string } & Disposable {
    const base = mkdtempSync(path.join(tmpdir(), "todo-tooling-"));
    const folder = path.join(base, "a project");
    mkdirSync(path.join(folder, "build"), { recursive: true });
    cpSync(path.join(project, "build/install.mjs"), path.join(folder, "build/install.mjs"));
    writePackage(folder, "one");
    return { folder, [Symbol.dispose]: () => rmSync(base, { recursive: true, force: true }) };
  }

  /** Lets the project depend on a local package of that name; nothing is downloaded. */
  function writePackage(folder: string, name: string): void {
    const entry = { name: "sample", version: "1.0.0", dependencies: { [name]: `file:${name}` } };
    const packages = {
      "": entry,
      [name]: { version: "1.0.0" },
      [`node_modules/${name}`]: { resolved: name, link: true },
    };
    mkdirSync(path.join(folder, name), { recursive: true });
    const manifest = { name, version: "1.0.0" };
    writeFileSync(path.join(folder, name, "package.json"), JSON.stringify(manifest));
    writeFileSync(path.join(folder, "package.json"), JSON.stringify(entry));
    writeFileSync(
      path.join(folder, "package-lock.json"),
      JSON.stringify({ name: "sample", version: "1.0.0", lockfileVersion: 3, packages }),
    );
  }

  interface Outcome {
    code: number | null;
    stderr: string;
  }

  /** Runs the install in another process. */
  async function install(folder: string, nodeOptions: string[] = []): Promise<Outcome> {
    const child = spawn(process.execPath, [...nodeOptions, "build/install.mjs"], {
      cwd: folder,
      env: { ...process.env, npm_config_offline: "true" },
      stdio: ["ignore", "ignore", "pipe"],
    });
    let stderr = "";
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    const [code] = await once(child, "close");
    return { code, stderr };
  }

  test("installs what is missing, then has nothing to do", async () => {
    using copy = sample();
    const first = await install(copy.folder);
    assert.match(first.stderr, /installing the dependencies/);
    assert.equal(first.code, 0);
    assert.ok(existsSync(path.join(copy.folder, "node_modules/one/package.json")));
    assert.deepEqual(await install(copy.folder), { code: 0, stderr: "" });
  });

  test("installs again when package-lock.json asks for something else", async () => {
    using copy = sample();
    await install(copy.folder);
    writePackage(copy.folder, "two");
    assert.equal((await install(copy.folder)).code, 0);
    assert.ok(existsSync(path.join(copy.folder, "node_modules/two/package.json")));
  });

  test("fails when npm fails", async () => {
    using copy = sample();
    writeFileSync(path.join(copy.folder, "package-lock.json"), "{}");
    const { code, stderr } = await install(copy.folder);
    assert.equal(code, 1);
    assert.match(stderr, /could not be installed/);
    assert.ok(!existsSync(path.join(copy.folder, ".install.lock")));
  });

  test("of two at once, one installs and the other waits for it", async () => {
    using copy = sample();
    const both = await Promise.all([install(copy.folder), install(copy.folder)]);
    assert.deepEqual(
      both.map(({ code }) => code),
      [0, 0],
    );
    const installs = both.filter(({ stderr }) => stderr.includes("installing the dependencies"));
    assert.equal(installs.length, 1);
  });

  test("a lock left by a killed install is taken over", async () => {
    using copy = sample();
    const { pid } = spawnSync(process.execPath, ["--version"]);
    writeFileSync(path.join(copy.folder, ".install.lock"), String(pid));
    assert.equal((await install(copy.folder)).code, 0);
  });

  test("refuses a Node.js that is too old, in one sentence", async () => {
    using copy = sample();
    const disguise =
      "Object.defineProperty(process,'versions',{value:{...process.versions,node:'20.18.3'}})";
    const { code, stderr } = await install(copy.folder, [
      `--import=data:text/javascript,${disguise}`,
    ]);
    assert.equal(code, 1);
    assert.equal(stderr, "todo: Node.js 20.19 or later is needed; this is 20.18.3.\n");
  });
});
