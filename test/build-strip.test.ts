import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { describe, test } from "node:test";
import { stripElf } from "../build/package/strip-elf.ts";

describe("a stripped program", { skip: process.platform !== "linux" }, () => {
  test("is smaller and runs as before", () => {
    const folder = mkdtempSync(path.join(tmpdir(), "todo-strip-"));
    try {
      const original = readFileSync(process.execPath);
      const stripped = stripElf(original);
      assert.ok(stripped.length <= original.length);
      const file = path.join(folder, "node");
      writeFileSync(file, stripped, { mode: 0o755 });
      const { stdout } = spawnSync(file, ["-p", "process.version"], { encoding: "utf8" });
      assert.equal(stdout.trim(), process.version);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  test("must be a program", () => {
    assert.throws(() => stripElf(Buffer.from("#!/bin/sh\nexit 0\n")), /no 64-bit/);
  });
});
