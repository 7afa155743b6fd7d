import { type Stats, accessSync, constants, lstatSync, readdirSync, statSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { formatSize } from "../output/sizes.ts";
import { checkFileSystem } from "./file-system.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Less room than this is soon used up by logs and copies, in bytes. */
const scarce = 100_000_000;

/**
 * Checks a data folder itself: that it can be used, and by nobody else.
 *
 * @returns what was found; whether there is a folder to look into
 */
export function checkFolder(folder: string): { findings: Finding[]; isThere: boolean } {
  const { ok, warning, problem } = findingsOf("folder");
  let stats: Stats | undefined;
  try {
    stats = statSync(folder, { throwIfNoEntry: false });
  } catch (error) {
    const finding = problem(
      `${folder} cannot be looked at: ${(error as Error).message}.`,
      "Run this as the user that the folder belongs to, or name another one with --data or TODO_DATA.",
    );
    return { findings: [finding], isThere: false };
  }
  if (stats === undefined) {
    const finding = warning(
      `There is no data folder ${folder}.`,
      "The first use makes it. If there should be one, name it with --data or TODO_DATA.",
    );
    return { findings: [finding], isThere: false };
  }
  if (!stats.isDirectory()) {
    const finding = problem(
      `${folder} is not a folder.`,
      "Name another one with --data or TODO_DATA.",
    );
    return { findings: [finding], isThere: false };
  }
  const findings = [
    ...missingRights(folder).map(({ right, isReadOnlyDisk }) =>
      isReadOnlyDisk
        ? problem(
            `${folder} is on a disk that is read-only now, as a disk that fails may become.`,
            "Check the disk. A copy of the folder elsewhere can be used.",
          )
        : problem(
            `${folder} may not be ${right} by this user.`,
            `Change its owner or permissions.`,
          ),
    ),
    ...openToOthers(folder, stats).map((text) => problem(text, `chmod 700 '${folder}'`)),
  ];
  const isThere = !findings.some(({ message }) => message.includes("read by this user"));
  return { findings: findings.length === 0 ? [ok(folder)] : findings, isThere };
}

function missingRights(folder: string): { right: string; isReadOnlyDisk: boolean }[] {
  return (
    [
      // oxlint-disable-next-line no-bitwise -- a set of permissions
      ["read", constants.R_OK | constants.X_OK],
      ["written", constants.W_OK],
    ] as const
  ).flatMap(([right, mode]) => {
    const refusal = refusalOf(folder, mode);
    return refusal === undefined ? [] : [{ right, isReadOnlyDisk: refusal === "EROFS" }];
  });
}

/** The code of the error with which the system refuses that; undefined when it does not. */
function refusalOf(path: string, mode: number): string | undefined {
  try {
    accessSync(path, mode);
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? "";
  }
}

/** Windows has permissions of another kind, of which these bits say nothing. */
function openToOthers(path: string, { mode }: Stats): string[] {
  // oxlint-disable-next-line no-bitwise -- a set of permissions
  if (process.platform === "win32" || (mode & 0o077) === 0) return [];
  // oxlint-disable-next-line no-bitwise -- a set of permissions
  return [`Other users may get at ${path} (mode ${(mode & 0o777).toString(8)}).`];
}

/** Checks the permissions and the owner of the files in a data folder. */
export function checkFiles(folder: string): Finding[] {
  const { ok, problem } = findingsOf("files");
  const owner = statSync(folder).uid;
  const findings: Finding[] = [];
  for (const name of readdirSync(folder)) {
    const path = join(folder, name);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats?.isFile()) continue;
    for (const text of openToOthers(path, stats)) {
      findings.push(problem(text, `chmod 600 '${path}'`));
    }
    if (process.platform !== "win32" && stats.uid !== owner) {
      const text = `${path} belongs to another user than its folder.`;
      findings.push(problem(text, `Give it to that owner: chown ${owner} '${path}'`));
    }
  }
  return findings.length === 0 ? [ok("Only their owner may read and write them.")] : findings;
}

/** Tells what lies beside the database that may go. */
export function checkCopies(folder: string): Finding[] {
  const { ok, warning } = findingsOf("copies");
  const sizeOf = (name: string) => lstatSync(join(folder, name)).size;
  const names = readdirSync(folder);
  const copies = names.filter((name) => /^todo\.db\.(v\d+\.bak|replaced-\d+-\d+)$/.test(name));
  const leftovers = names.filter((name) =>
    /^(todo\.(db|wal)\..*new|todo\.db\.(incoming|before).*|todo-backup-.*\.part)$/.test(name),
  );
  return [
    ...copies.map((name) =>
      ok(`${name} (${formatSize(sizeOf(name))}) may go when nobody wants it back.`),
    ),
    ...leftovers.map((name) =>
      warning(`${name} is left of something that was interrupted.`, "Remove it."),
    ),
  ];
}

/** Checks the disk of a data folder: whose it is, and its room for a database of so many bytes. */
export async function checkDisk(folder: string, size: number): Promise<Finding[]> {
  const { bavail, bsize, type } = await statfs(folder);
  return [...checkFileSystem(type), checkRoom(bavail * bsize, size)];
}

function checkRoom(free: number, size: number): Finding {
  const { ok, warning } = findingsOf("disk");
  const text = `${formatSize(free)} are free.`;
  if (free < scarce) return warning(text, "Free some space: without any, no change is saved.");
  if (free < 2 * size) {
    return warning(text, "Free some space: an upgrade, and a restore, needs that of the database.");
  }
  return ok(text);
}
