import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname } from "node:path";
import { describe, test } from "node:test";
import { fileURLToPath } from "node:url";
import { createHome } from "./_cli.ts";

const checkout = dirname(fileURLToPath(new URL(import.meta.resolve("../README.md"))));
const readme = readFileSync(`${checkout}/README.md`, "utf8");
const section = /^## Five minutes in the terminal\n([\s\S]*?)^## /m.exec(readme)![1]!;
const alias = /^alias todo=.*$/m.exec(section)![0];

/** The commands of the section, each with what it prints. */
function steps(): { command: string; output: string }[] {
  const found: { command: string; output: string }[] = [];
  for (const [, block = ""] of section.matchAll(/```shellsession\n([\s\S]*?)```/g)) {
    for (const line of block.trimEnd().split("\n")) {
      if (line.startsWith("$ ")) found.push({ command: line.slice(2), output: "" });
      else found.at(-1)!.output += `${line}\n`;
    }
  }
  return found;
}

const shortId = /\b[0-9a-f]{7}\b/g;

/** Leaves out what differs from one day, machine and run to the next. */
function normalize(text: string, home: string): string {
  return text
    .replaceAll("\r\n", "\n")
    .replaceAll(home, "/home/ada")
    .replace(/[\w.-]+@localhost/g, "<account>")
    .replace(/(Mon|Tue|Wed|Thu|Fri|Sat|Sun) \d+ [A-Z][a-z]{2}( \d{4})?/g, "<day>")
    .replace(shortId, "<id>")
    .replace(/ +$/gm, "")
    .replace(/ {2,}/g, "  ");
}

describe("README", () => {
  test("shows what the terminal shows", () => {
    using home = createHome();
    const env = {
      ...home.env,
      NO_COLOR: "1",
      // As on a machine where nothing is set up.
      XDG_CONFIG_HOME: "",
      XDG_DATA_HOME: "",
    };
    const ids = new Map<string, string>();
    assert.ok(steps().length >= 8);
    for (const { command, output } of steps()) {
      // A reader types the ids that the terminal has shown.
      const typed = command.replace(shortId, (id) => ids.get(id) ?? id);
      const lines = ["stty cols 80", "shopt -s expand_aliases", alias, typed].join("\n");
      const { stdout } = spawnSync("script", ["-qec", 'bash -c "$LINES_TO_RUN"', "/dev/null"], {
        cwd: checkout,
        env: { ...env, LINES_TO_RUN: lines },
        encoding: "utf8",
      });
      assert.equal(normalize(stdout, home.path), normalize(output, home.path), command);
      const actual = stdout.match(shortId) ?? [];
      for (const [index, id] of (output.match(shortId) ?? []).entries())
        ids.set(id, actual[index]!);
    }
  });
});
