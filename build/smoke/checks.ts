import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../package/project.ts";
import { sigtermDuringRequest, useCurl } from "./serving.ts";
import type { User } from "./user.ts";

/** Something that the executable must do. Its name is a sentence about it. */
export interface Check {
  name: string;
  run: (user: User) => Promise<void>;
}

/** All checks, in their order: some build on those before. */
export const checks: readonly Check[] = [
  { name: "version prints the version, whatever NODE_OPTIONS says", run: printVersion },
  { name: "version --licenses has the licences of all that is inside", run: printLicenses },
  { name: "help topics are inside", run: showHelp },
  { name: "no path of the machine that built it is inside", run: findPaths },
  { name: "add, list and today work without a home, a server and a network", run: useCommands },
  { name: "a question in a terminal is asked and answered", run: answerQuestion },
  { name: "serve answers the README's session with curl", run: useCurl },
  { name: "SIGTERM during a request lets it finish", run: sigtermDuringRequest },
];

async function printVersion(user: User): Promise<void> {
  const environment = { NODE_OPTIONS: "--no-such-option" };
  const { code, stdout, stderr } = await user.start([...user.command, "version"], environment)
    .ended;
  assert.deepEqual([code, stdout, stderr], [0, `todo ${packageJson.version}\n`, ""]);
}

async function printLicenses(user: User): Promise<void> {
  const { stdout } = await user.todo("version", "--licenses");
  for (const name of ["commander", "arktype", "sql.js", "Node.js", "OpenSSL"]) {
    assert.match(stdout, new RegExp(name.replace(".", String.raw`\.`)));
  }
}

async function showHelp(user: User): Promise<void> {
  const { stdout } = await user.todo("help", "dates");
  assert.match(stdout, /tomorrow/);
}

async function findPaths({ executable }: User): Promise<void> {
  const bytes = readFileSync(executable);
  for (const folder of [root, homedir() + path.sep, "node_modules/.cache", "todo-build-"]) {
    // A home such as `/` says nothing.
    if (folder.length > 8) assert.ok(!bytes.includes(folder), `it has ${folder}`);
  }
}

async function useCommands(user: User): Promise<void> {
  const added = await user.todo("add", "Water the plants", "--due", "today");
  assert.equal(added.code, 0, added.stderr);
  for (const command of ["list", "today"]) {
    const { code, stdout, stderr } = await user.todo(command);
    // Where the machine is slow, stderr says how far it is.
    assert.equal(code, 0, stderr);
    assert.match(stdout, /Water the plants/);
  }
}

async function answerQuestion(user: User): Promise<void> {
  await user.todo("add", "Another");
  const ids = (await user.todo("list", "--ids")).stdout.trim().split("\n");
  assert.equal(ids.length, 2);
  const words = [...user.command, "--data", user.data, "remove", ...ids].join(" ");
  const asking = user.start(["script", "-qec", words, "/dev/null"], { TERM: "xterm" });
  await asking.shows("(y/N)");
  asking.child.stdin.write("y\r");
  const { code, stdout } = await asking.ended;
  assert.equal(code, 0, stdout);
  assert.equal((await user.todo("list", "--ids")).stdout, "");
}
