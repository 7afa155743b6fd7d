import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { cache } from "./project.ts";

const run = promisify(execFile);

/** The Node.js that goes into the executables. */
export const nodeVersion = "24.21.0";

/** A kind of machine that there is an executable for. */
export type Platform = keyof typeof packages;

/** The npm packages that hold the official Node.js, with what they must hash to. */
const packages = {
  "linux-x64":
    "sha512-3nULszZ5X0fciYpG0t6TrdApJzAn8+FlINP6OiMX7V8HrvpATPN936U1LlReOJriLRa4e8yEqQBYCnLyPNAs7Q==",
  "linux-arm64":
    "sha512-FpJRPEz2OvvTLfjIOlNGFY9JLPMKgl5m+d4oGYBLg24kJ1mmvN1Zl/HPJgF4HDaJ51ISev1l1cRZ/DM+keXW5g==",
  "win-x64":
    "sha512-0ddSuAi9KnmYzfjJwKfFUO5YfljMVfa9smiGRQXmp5QGhm8KXk7xbqkFNeaPXVaL6sfZ5oGfCD7q8wWY/TnypA==",
};

export const platforms = Object.keys(packages) as readonly Platform[];

/** This machine, where there is an executable for it. */
export function hostPlatform(): Platform | undefined {
  const host = `${process.platform}-${process.arch}`;
  return platforms.find((platform) => platform === host);
}

/** An official Node.js. */
export interface Runtime {
  platform: Platform;
  /** The program. */
  node: string;
  /** The file with its licence, and those of all that it contains; there is none for Windows. */
  license: string;
}

/**
 * Fetches Node.js for a platform from the npm registry, once. Nothing else need be reachable.
 *
 * @throws Error when npm cannot fetch it, or it is not what it must be
 */
export async function fetchRuntime(platform: Platform): Promise<Runtime> {
  const folder = path.join(cache, `node-${nodeVersion}-${platform}`);
  if (!existsSync(folder)) await unpack(platform, folder);
  const node = path.join(folder, "bin", platform.startsWith("win") ? "node.exe" : "node");
  return { platform, node, license: path.join(folder, "LICENSE") };
}

async function unpack(platform: Platform, folder: string): Promise<void> {
  mkdirSync(cache, { recursive: true });
  const making = mkdtempSync(`${folder}-`);
  try {
    const name = `node-${platform}-${nodeVersion}.tgz`;
    const packing = ["pack", `node-${platform}@${nodeVersion}`, "--silent"];
    await run("npm", packing, { cwd: making, shell: process.platform === "win32" });
    const hash = createHash("sha512").update(readFileSync(path.join(making, name)));
    if (`sha512-${hash.digest("base64")}` !== packages[platform]) {
      throw new Error(`${name} is not what it was when this build was written.`);
    }
    await run("tar", ["-xzf", name], { cwd: making });
    // Another build may have been faster.
    if (!existsSync(folder)) renameSync(path.join(making, "package"), folder);
  } finally {
    rmSync(making, { recursive: true });
  }
}
