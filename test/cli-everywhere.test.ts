import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, test } from "node:test";
import type { Command } from "commander";
import { createProgram } from "../src/cli/program.ts";
import { type Home, createHome } from "./_cli.ts";
import { startServeProcess } from "./_running.ts";

/** Every command that works with an instance, in an order in which each finds what it needs. */
const steps: readonly (readonly [command: string, ...args: string[]])[] = [
  ["add", "Pay rent", "+Home", "@bills", "--due", "tomorrow"],
  ["list"],
  ["show", "TODO"],
  ["edit", "TODO", "--title", "Pay the rent"],
  ["start", "TODO"],
  ["done", "TODO"],
  ["reopen", "TODO"],
  ["archive", "TODO"],
  ["remove", "TODO"],
  ["today"],
  ["agenda", "--days", "3"],
  ["projects list"],
  ["projects add", "Garden"],
  ["projects show", "Garden"],
  ["projects edit", "Garden", "--color", "teal"],
  ["projects remove", "Garden"],
  ["categories list"],
  ["categories add", "quiet"],
  ["categories show", "quiet"],
  ["categories edit", "quiet", "--favorite"],
  ["categories remove", "quiet"],
  ["recurring add", "Water the plants", "--schedule", "daily"],
  ["recurring list"],
  ["recurring show", "TASK"],
  ["recurring edit", "TASK", "--favorite"],
  ["recurring remove", "TASK"],
  ["themes list"],
  ["themes show", "nord"],
  ["themes install", "nord"],
  ["themes use", "nord"],
  ["themes set", "nord", "font_size=12"],
  ["themes remove", "nord"],
  ["whoami"],
  ["profile show"],
  ["profile edit", "--name", "Grace"],
  ["profiles list"],
  ["profiles use", "local"],
  ["keys add", "--name", "backup", "--scope", "read"],
  ["keys list"],
  ["keys revoke", "KEY"],
  ["log", "--limit", "5"],
  ["api", "GET", "/todos"],
  ["admin users add", "grace@example.org", "--name", "Grace", "--password-stdin"],
  ["admin users list"],
  ["admin users passwd", "grace@example.org", "--password-stdin"],
  ["admin users remove", "grace@example.org", "--yes"],
  ["admin keys list", "--all"],
  ["admin keys revoke", "KEY"],
  ["admin themes add", "THEME"],
  ["admin themes list"],
  ["admin themes remove", "sunrise"],
];

/** Tested where they belong: they work with no instance, or make and leave one. */
const elsewhere = new Set(
  [
    "serve",
    "backup",
    "restore",
    "health",
    "doctor",
    "register",
    "login",
    "logout",
    "completion",
    "__complete",
    "help",
    "version",
  ].concat("profiles remove", "admin service"),
);

function leaves(command: Command, path: string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(" ")];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}

/** Runs every step; the ids of what was made are read from the answers. */
async function runAll(home: Home): Promise<void> {
  const ids: Record<string, string> = { THEME: join(home.path, "sunrise.json") };
  writeFileSync(ids["THEME"]!, '{"name": "sunrise", "display_name": "Sunrise"}');
  for (const [command, ...args] of steps) {
    const words = [...command.split(" "), ...args.map((arg) => ids[arg] ?? arg)];
    const { code, stdout, stderr } = await home.run([...words, "--json"], {
      input: "correct horse",
    });
    assert.equal(code, 0, `${words.join(" ")}: ${stderr}`);
    const data = JSON.parse(stdout) as { id?: string };
    if (command === "add") ids["TODO"] = data.id!;
    if (command === "recurring add") ids["TASK"] = data.id!;
    if (command === "keys add") ids["KEY"] = data.id!;
  }
}

describe("every command", { concurrency: 2 }, () => {
  test("is among those that are run here, or has its tests elsewhere", () => {
    const known = new Set([...steps.map(([command]) => command), ...elsewhere]);
    const unknown = leaves(createProgram()).filter((command) => !known.has(command));
    assert.deepEqual(unknown, []);
  });

  test("works in process, on the local data folder", async () => {
    using home = createHome();
    await runAll(home);
  });

  test("works at a server that runs on the local data folder", async () => {
    using home = createHome();
    await using server = await startServeProcess(home);
    await runAll(home);
    const { stdout } = await home.run(["whoami", "--json"]);
    assert.ok(stdout.includes(server.url));
  });
});
