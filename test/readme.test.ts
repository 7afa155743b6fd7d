import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { promisify } from "node:util";
import { startServer } from "./_server.ts";

const run = promisify(execFile);
const readme = readFileSync(new URL("../README.md", import.meta.url), "utf8");

/** The commands of the README's terminal sessions, each with what it prints. */
function sessions(): { command: string; output: string }[] {
  const steps: { command: string; output: string }[] = [];
  for (const [, block = ""] of readme.matchAll(/```console\n([\s\S]*?)```/g)) {
    for (const line of block.trimEnd().split("\n")) {
      if (line.startsWith("$ ")) steps.push({ command: line.slice(2), output: "" });
      else steps.at(-1)!.output += line;
    }
  }
  return steps;
}

/** Leaves out what differs from one run to the next. */
function normalize(text: string): string {
  return text
    .replace(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<id>")
    .replace(/todo_[0-9A-Za-z]{38}/g, "<key>")
    .replace(/todo_[0-9A-Za-z]{7}/g, "<prefix>")
    .replace(/\d{4}-\d\d-\d\d \d\d:\d\d:\d\d/g, "<time>");
}

describe("README", () => {
  test("shows what curl prints", async () => {
    await using server = await startServer();
    const environment: Record<string, string> = { PATH: process.env["PATH"]! };
    let last = "";
    const steps = sessions();
    assert.ok(steps.length >= 8);
    for (const { command, output } of steps) {
      // A reader copies what the command before has printed.
      if (command.startsWith("export KEY=")) {
        environment["KEY"] = /"api_key":"(\w+)"/.exec(last)![1]!;
      } else if (command.startsWith("export ID=")) {
        environment["ID"] = /"data":\{"id":"([\w-]+)"/.exec(last)![1]!;
      } else {
        const local = command.replaceAll("localhost:8636", server.url.replace("http://", ""));
        last = (await run("bash", ["-c", local], { env: environment })).stdout;
        assert.equal(normalize(last), normalize(output), command);
      }
    }
  });
});
