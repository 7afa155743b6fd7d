import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { describe, test } from "node:test";
import { readTopic } from "../src/cli/help/topics.ts";

interface Manifest {
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
}
interface Lock {
  packages: Record<string, { dev?: boolean; optional?: boolean; devOptional?: boolean }>;
}

function readJson(name: string): unknown {
  return JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), "utf8"));
}

describe("the dependencies topic", () => {
  const manifest = readJson("package.json") as Manifest;
  const text = readTopic("dependencies");
  const [production = "", development = ""] = text.split("\n## ").slice(1);
  const listed = (part: string) => [...part.matchAll(/^- `([^`]+)`: \S/gm)].map(([, name]) => name);

  test("gives the reason for every package that is named, and for no other", () => {
    assert.deepEqual(listed(production), Object.keys(manifest.dependencies).toSorted());
    assert.deepEqual(listed(development), Object.keys(manifest.devDependencies).toSorted());
  });

  test("counts them", () => {
    const { packages } = readJson("package-lock.json") as Lock;
    const installed = Object.entries(packages).filter(
      ([path, one]) => path !== "" && !one.dev && !one.optional && !one.devOptional,
    );
    const counts = [...text.matchAll(/\b\d+\b(?= packages| are installed| more)/g)].map(Number);
    assert.deepEqual(counts, [
      Object.keys(manifest.dependencies).length,
      installed.length,
      Object.keys(manifest.devDependencies).length,
    ]);
  });

  test("is right that versions are exact", () => {
    const versions = Object.values({ ...manifest.dependencies, ...manifest.devDependencies });
    for (const version of versions) assert.match(version, /^\d+\.\d+\.\d+$/);
  });
});
