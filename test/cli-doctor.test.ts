import assert from "node:assert/strict";
import {
  chmodSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { after, before, describe, test } from "node:test";
import { checkEnvironment } from "../src/cli/doctor/surroundings.ts";
import type { Finding } from "../src/cli/doctor/finding.ts";
import { type Home, createHome } from "./_cli.ts";
import { writeConfig, configPath } from "./_config.ts";
import { fillFolder, fillUncleanFolder } from "./_data-folder.ts";
import { runCommand } from "./_process.ts";
import { startServeProcess } from "./_running.ts";
import { temporaryFolder } from "./_server.ts";
import { snapshot } from "./_snapshot.ts";

/** A way in which a data folder is not as it should be. */
interface Fault {
  name: string;
  /** Spoils a folder that `kill -9` left, with its log, unless a clean one is wanted. */
  spoil: (folder: string) => void;
  isClean?: boolean;
  finds: Finding["status"];
  says: RegExp;
}

const database = (folder: string) => join(folder, "todo.db");

function change(path: string, offset: number, bytes: readonly number[]): void {
  const content = readFileSync(path);
  Buffer.from(bytes).copy(content, offset);
  writeFileSync(path, content);
}

const faults: Fault[] = [
  {
    name: "an unclean stop",
    spoil() {},
    finds: "warning",
    says: /was not closed/,
  },
  {
    name: "a missing database with its log left",
    spoil: (folder) => rmSync(database(folder)),
    finds: "problem",
    says: /is missing, but parts of it are there/,
  },
  {
    name: "an empty database",
    spoil: (folder) => truncateSync(database(folder)),
    finds: "problem",
    says: /is empty/,
  },
  {
    name: "a database that is cut short",
    isClean: true,
    spoil: (folder) => truncateSync(database(folder), 8192),
    finds: "problem",
    says: /has lost a part/,
  },
  {
    name: "another program's database",
    spoil: (folder) => change(database(folder), 68, [1, 2, 3, 4]),
    finds: "problem",
    says: /another program/,
  },
  {
    name: "a newer version's database",
    spoil: (folder) => change(database(folder), 60, [0, 0, 3, 231]),
    finds: "problem",
    says: /newer version .*schema 999/,
  },
  {
    name: "a damaged page",
    isClean: true,
    spoil: (folder) => change(database(folder), 5 * 4096, Array(4 * 4096).fill(255)),
    finds: "problem",
    says: /is damaged/,
  },
  {
    name: "a database that others may read",
    isClean: true,
    spoil: (folder) => chmodSync(database(folder), 0o644),
    finds: "problem",
    says: /Other users may get at .*todo\.db \(mode 644\)/,
  },
  {
    name: "a folder that others may look into",
    isClean: true,
    spoil: (folder) => chmodSync(folder, 0o755),
    finds: "problem",
    says: /Other users may get at .* \(mode 755\)/,
  },
  {
    name: "a folder that may not be written",
    isClean: true,
    spoil: (folder) => chmodSync(folder, 0o500),
    finds: "problem",
    says: /may not be written/,
  },
  {
    name: "a database that may not be read",
    isClean: true,
    spoil: (folder) => chmodSync(database(folder), 0),
    finds: "problem",
    says: /may not be read or written \(EACCES\)/,
  },
  {
    name: "a symbolic link in place of the database",
    isClean: true,
    spoil(folder) {
      renameSync(database(folder), join(folder, "elsewhere"));
      symlinkSync("elsewhere", database(folder));
    },
    finds: "problem",
    says: /is a symbolic link/,
  },
  {
    name: "a second name of the database",
    isClean: true,
    spoil: (folder) => linkSync(database(folder), join(folder, "other")),
    finds: "problem",
    says: /has another name/,
  },
  {
    name: "a folder in place of the database",
    isClean: true,
    spoil(folder) {
      rmSync(database(folder));
      mkdirSync(database(folder));
    },
    finds: "problem",
    says: /is a folder/,
  },
  {
    name: "a guard that was left alone",
    isClean: true,
    spoil: (folder) => mkdirSync(join(folder, "todo.db-wal")),
    finds: "warning",
    says: /was not closed/,
  },
  {
    name: "the log of another program beside ours",
    spoil(folder) {
      rmSync(join(folder, "todo.db-wal"), { recursive: true });
      writeFileSync(join(folder, "todo.db-wal"), "another log");
    },
    finds: "problem",
    says: /two logs/,
  },
  {
    name: "a journal to be rolled back",
    isClean: true,
    spoil: (folder) => writeFileSync(join(folder, "todo.db-journal"), "pages", { mode: 0o600 }),
    finds: "warning",
    says: /journal is to be rolled back/,
  },
  {
    name: "a restore that was interrupted",
    isClean: true,
    spoil: (folder) => renameSync(database(folder), `${database(folder)}.restored-20261120-120000`),
    finds: "warning",
    says: /restore was interrupted/,
  },
  {
    name: "what an interrupted restore left",
    isClean: true,
    spoil: (folder) => writeFileSync(`${database(folder)}.incoming`, "a part", { mode: 0o600 }),
    finds: "warning",
    says: /todo\.db\.incoming is left/,
  },
  {
    name: "a local account that cannot be read",
    isClean: true,
    spoil: (folder) => writeFileSync(join(folder, "local-account.json"), "{", { mode: 0o600 }),
    finds: "problem",
    says: /local-account\.json is broken/,
  },
];

/** Runs it as a user for whom permissions count. */
async function examine(
  folder: string,
  env: Record<string, string> = {},
): Promise<{ code: number | null; findings: Finding[]; stderr: string }> {
  const { code, stdout, stderr } = await runCommand(["doctor", "--json", "--data", folder], {
    unprivileged: true,
    env: { TODO_CONFIG: join(folder, "..", "config.json"), ...env },
  });
  return { code, findings: JSON.parse(stdout) as Finding[], stderr };
}

describe("todo doctor, given", { concurrency: 2 }, () => {
  let unclean: { path: string } & Disposable;
  let clean: Buffer;
  before(async () => {
    unclean = temporaryFolder();
    await fillUncleanFolder(unclean.path, { saved: ["Ada"], logged: ["Grace"] });
    using folder = temporaryFolder();
    await fillFolder(folder.path, ["Ada"]);
    clean = readFileSync(database(folder.path));
  });

  after(() => unclean[Symbol.dispose]());

  function make(parent: string, isClean: boolean): string {
    const folder = join(parent, "data");
    mkdirSync(folder, { mode: 0o700 });
    if (isClean) {
      writeFileSync(database(folder), clean, { mode: 0o600 });
      return folder;
    }
    for (const name of ["todo.db", "todo.wal"]) {
      writeFileSync(join(folder, name), readFileSync(join(unclean.path, name)), { mode: 0o600 });
    }
    mkdirSync(join(folder, "todo.db-wal"));
    return folder;
  }

  for (const { name, spoil, isClean = false, finds, says } of faults) {
    test(`${name}, says what to do and changes nothing`, async () => {
      using parent = temporaryFolder();
      const folder = make(parent.path, isClean);
      spoil(folder);
      const earlier = snapshot(parent.path);
      const { code, findings, stderr } = await examine(folder);
      const found = findings.find(({ message }) => says.test(message));
      assert.ok(found, JSON.stringify(findings));
      assert.equal(found.status, finds);
      assert.ok(found.advice, found.message);
      assert.equal(code, finds === "problem" ? 1 : 0, stderr);
      assert.deepEqual(snapshot(parent.path), earlier);
      chmodSync(folder, 0o700);
    });
  }

  test("a sound folder, finds nothing, and counts what only the log holds", async () => {
    using parent = temporaryFolder();
    const { code, findings } = await examine(make(parent.path, false));
    assert.equal(code, 0);
    assert.ok(findings.some(({ message }) => message.includes("is sound: 0 todos of 2 users")));
  });

  test("a folder that this user cannot get at, says so", async () => {
    using parent = temporaryFolder();
    const closed = join(parent.path, "closed");
    mkdirSync(join(closed, "data"), { recursive: true });
    chmodSync(closed, 0);
    for (const folder of [join(closed, "data"), join(process.execPath, "data")]) {
      const { code, findings, stderr } = await examine(folder, {
        TODO_CONFIG: join(parent.path, "config.json"),
      });
      assert.equal(code, 1, stderr);
      const found = findings.find(({ check }) => check === "folder");
      assert.match(found!.message, /cannot be looked at: (EACCES|ENOTDIR)/);
    }
    chmodSync(closed, 0o700);
  });

  test("a folder that is not there, makes none", async () => {
    using parent = temporaryFolder();
    const { code, findings } = await examine(join(parent.path, "none"));
    assert.equal(code, 0);
    assert.ok(findings.some(({ message }) => message.includes("There is no data folder")));
    assert.deepEqual(Object.keys(snapshot(parent.path)), [""]);
  });

  test("variables and a configuration that cannot be meant, says so", async () => {
    using parent = temporaryFolder();
    const folder = make(parent.path, true);
    writeFileSync(join(parent.path, "config.json"), '{"profiles":{}}', { mode: 0o644 });
    const env = { TODO_SERVR: "x", TODO_API_KEY: "secret-key", TODO_JWT_SECRET: "short" };
    const { code, findings } = await examine(folder, env);
    assert.equal(code, 1);
    const told = JSON.stringify(findings);
    assert.match(told, /Is it TODO_SERVER\?/);
    assert.match(told, /TODO_JWT_SECRET is shorter/);
    assert.match(told, /Other users may get at .*config\.json/);
    assert.ok(!told.includes("secret-key"));
  });

  test("every variable that the help names, knows it", async () => {
    using parent = temporaryFolder();
    const help = readFileSync("src/cli/help/environment.md", "utf8");
    const names = [...new Set(help.match(/TODO_[A-Z_]+/g))];
    assert.ok(names.includes("TODO_TLS_CERT"));
    const env = Object.fromEntries(names.map((name) => [name, "x".repeat(32)]));
    const { findings } = await examine(make(parent.path, true), env);
    assert.deepEqual(
      findings.filter(({ message }) => message.includes("means nothing")),
      [],
    );
  });
});

test("todo doctor knows every variable that the help names", () => {
  const help = readFileSync(new URL("../src/cli/help/environment.md", import.meta.url), "utf8");
  const names = new Set(help.match(/TODO_\w+/g));
  assert.ok(names.size > 8);
  const env = Object.fromEntries([...names].map((name) => [name, "x".repeat(32)]));
  const told = checkEnvironment(env).map(({ message }) => message);
  assert.ok(!told.some((message) => message.includes("means nothing")), told.join("\n"));
});

describe("todo doctor at a server", () => {
  async function examineHome(home: Home) {
    const { code, stdout, stderr } = await home.run(["doctor"]);
    return { code, stdout, stderr };
  }

  test("names it, and checks a copy of its database", async () => {
    using home = createHome();
    await home.run(["add", "Buy milk"]);
    await using server = await startServeProcess(home);
    const { code, stdout, stderr } = await examineHome(home);
    assert.equal(code, 0, stdout + stderr);
    assert.match(stdout, new RegExp(`^ok +server +${server.url} runs todo `, "m"));
    assert.match(stdout, /^ok +database +Every page.*1 todo of 1 user/m);
  });

  test("says that the profile in use is not there", async () => {
    using home = createHome();
    writeConfig(home, JSON.stringify({ current: "gone", profiles: {} }));
    chmodSync(configPath(home), 0o600);
    const { code, stdout } = await examineHome(home);
    assert.match(stdout, /^problem +configuration +The profile in use, "gone", is not there\./m);
    assert.equal(code, 1);
  });

  test("says which profile's server does not answer", async () => {
    using home = createHome();
    const profile = { server: "http://127.0.0.1:9", key: "todo_key", email: "ada@example.org" };
    writeConfig(home, JSON.stringify({ profiles: { far: profile } }));
    chmodSync(configPath(home), 0o600);
    const { code, stdout } = await examineHome(home);
    assert.match(stdout, /^warning +configuration +Profile far: http:\/\/127\.0\.0\.1:9/m);
    assert.equal(code, 0);
  });
});
