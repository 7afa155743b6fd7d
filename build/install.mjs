// Runs before `npm start` and `npm test`: installs the dependencies when they are missing or not
// those of package-lock.json. Plain JavaScript, because nothing is installed yet when it runs.

import { spawn } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";

const oldestNode = [20, 19];
const root = path.dirname(path.dirname(fileURLToPath(import.meta.url)));
const lockFile = path.join(root, ".install.lock");

/**
 * A package as both package-lock.json and npm's record of what it installed describe it.
 * @typedef {{ version?: string, resolved?: string, integrity?: string, optional?: boolean, devOptional?: boolean }} LockedPackage
 */

/**
 * The packages that a lock file names, by their path; undefined when it is missing or no JSON.
 * @param {string} file relative to the project
 * @returns {Record<string, LockedPackage> | undefined}
 */
function readPackages(file) {
  try {
    const lock = /** @type {{ packages?: Record<string, LockedPackage> }} */ (
      JSON.parse(readFileSync(path.join(root, file), "utf8"))
    );
    return lock.packages;
  } catch {
    return undefined;
  }
}

/**
 * Whether node_modules holds what package-lock.json asks for. Contents are compared, not times:
 * a checkout or a copy may give either file any time.
 * @returns {boolean}
 */
function isInstalled() {
  const wanted = readPackages("package-lock.json");
  const installed = readPackages("node_modules/.package-lock.json");
  if (wanted === undefined || installed === undefined) return false;
  return Object.entries(wanted).every(([name, entry]) => {
    if (name === "") return true;
    const found = installed[name];
    // An optional package is absent where it is made for another platform.
    if (found === undefined) return entry.optional === true || entry.devOptional === true;
    return found.version === entry.version && found.integrity === entry.integrity;
  });
}

/**
 * Runs `npm ci`, its output on stderr.
 * @returns {Promise<boolean>} whether it succeeded
 */
function install() {
  // NODE_ENV=production would leave tsx out, which runs the program.
  const args = ["ci", "--include=dev", "--no-audit", "--no-fund", "--loglevel=error"];
  /** @type {import("node:child_process").SpawnOptions} */
  const options = { cwd: root, stdio: ["ignore", 2, 2] };
  const npm = process.env["npm_execpath"];
  const child =
    npm !== undefined && path.basename(npm) === "npm-cli.js"
      ? spawn(process.execPath, [npm, ...args], options)
      : process.platform === "win32"
        ? spawn(`npm.cmd ${args.join(" ")}`, { ...options, shell: true })
        : spawn("npm", args, options);
  // From here on npm is what others must wait for, even when this process is killed.
  if (child.pid !== undefined) writeFileSync(lockFile, String(child.pid));
  return new Promise((resolve) => {
    child.on("error", (error) => {
      say(`npm could not be run: ${error.message}`);
      resolve(false);
    });
    child.on("exit", (code) => resolve(code === 0));
  });
}

/**
 * Takes the lock that lets one install run at a time, waiting while another process holds it.
 * @returns {Promise<void>}
 */
async function takeLock() {
  for (let told = false; ;) {
    try {
      writeFileSync(lockFile, String(process.pid), { flag: "wx" });
      return;
    } catch (error) {
      if (/** @type {NodeJS.ErrnoException} */ (error).code !== "EEXIST") throw error;
    }
    const holder = lockHolder();
    if (holder !== undefined && !isRunning(holder)) {
      rmSync(lockFile, { force: true });
      continue;
    }
    if (!told) say(`waiting for another install to finish (${lockFile})`);
    told = true;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
}

/**
 * The id of the process that holds the lock; undefined when it was just released, or when its
 * holder has not written the id yet.
 * @returns {number | undefined}
 */
function lockHolder() {
  try {
    return Number(readFileSync(lockFile, "utf8")) || undefined;
  } catch {
    return undefined;
  }
}

/**
 * @param {number} pid
 * @returns {boolean}
 */
function isRunning(pid) {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return /** @type {NodeJS.ErrnoException} */ (error).code === "EPERM";
  }
}

/** @param {string} message */
function say(message) {
  process.stderr.write(`todo: ${message}\n`);
}

/**
 * Installs when needed.
 * @returns {Promise<number>} the exit code
 */
async function main() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [oldestMajor = 0, oldestMinor = 0] = oldestNode;
  if (major < oldestMajor || (major === oldestMajor && minor < oldestMinor)) {
    say(`Node.js ${oldestNode.join(".")} or later is needed; this is ${process.versions.node}.`);
    return 1;
  }
  if (isInstalled()) return 0;
  await takeLock();
  try {
    if (isInstalled()) return 0;
    say("installing the dependencies (npm ci)");
    if (await install()) return 0;
    say(
      "the dependencies could not be installed; see above, and run `npm ci` when it is resolved.",
    );
    return 1;
  } finally {
    rmSync(lockFile, { force: true });
  }
}

process.exitCode = await main();
