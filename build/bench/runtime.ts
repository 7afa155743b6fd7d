import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { cacheFolder } from "./folders.ts";

const version = "24.21.0";

/**
 * The Node that runs the servers and the load: `TODO_BENCH_NODE`, else the one that every run is
 * compared by, fetched once from the npm registry, else (where there is none for this machine) the
 * running one.
 *
 * @returns the path of its executable
 */
export function findRuntime(): string {
  const chosen = process.env["TODO_BENCH_NODE"];
  if (chosen !== undefined) return chosen;
  const name = `node-${process.platform}-${process.arch}`;
  const node = join(cacheFolder, `${name}-${version}`, "package", "bin", "node");
  if (!existsSync(node)) fetchRuntime(name);
  return existsSync(node) ? node : process.execPath;
}

function fetchRuntime(name: string): void {
  const folder = join(cacheFolder, `${name}-${version}`);
  mkdirSync(folder, { recursive: true });
  try {
    const packed = execFileSync("npm", ["pack", "--silent", `${name}@${version}`], {
      cwd: folder,
      encoding: "utf8",
    });
    execFileSync("tar", ["-xzf", packed.trim()], { cwd: folder });
  } catch (error) {
    process.stderr.write(`Node ${version} cannot be fetched (${String(error)})\n`);
  }
}
