import { accessSync, constants, existsSync } from "node:fs";
import { realpath } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";

import { StorageError } from "./errors.ts";
import { askFolder, claimFolder, lockFolder, type Claim, type Neighbour } from "./lock-folder.ts";
import { askPipe, claimPipe } from "./lock-pipe.ts";

/** How long to go on when others try at the same moment. One of them nearly always wins at once. */
const PATIENCE_MS = 5000;

/** A pause between attempts is random within this, so that two who collided once do not again. */
const PAUSE_MS = 50;

/** The system's answers to a folder, or a file system, that does not let us make a socket. */
const NOT_WRITABLE = new Set(["EACCES", "EPERM", "EROFS", "ENOTDIR", "ENOTSUP", "EOPNOTSUPP"]);

const windows = process.platform === "win32";

/** The exclusive hold of one process on a data folder. It ends with the process, however it ends. */
export interface Lock {
  /** Tells everyone who is refused from now on, and every {@link findHolder}, the server's URL. */
  announce(info: { url: string }): void;
  /** False once released, or once someone has removed the lock's socket from under us. */
  holds(): boolean;
  release(): Promise<void>;
}

/**
 * Takes an existing data folder for this process. The lock does not keep the process alive.
 *
 * Exclusive among the processes of one kernel, in containers too; not between the machines that
 * share a network file system.
 *
 * @throws {StorageError} `locked` when another process holds the folder; the message names its URL,
 *   when known, and what to do. Takes up to a second when the holder is stopped, and up to five
 *   when others try all the time.
 * @throws {StorageError} `not_writable` when the lock cannot be made in the folder.
 * @throws ENOENT when there is no such folder.
 */
export async function acquireLock(folder: string): Promise<Lock> {
  const deadline = performance.now() + PATIENCE_MS;
  let silentBefore = new Set<string>();
  for (;;) {
    const late = performance.now() > deadline;
    const claim = await tryToClaim(folder, late);
    if (claim?.won) return toLock(claim);
    const neighbours = claim?.neighbours ?? [];
    const holder = holderAmong(neighbours, silentBefore);
    if (holder || late) throw locked(folder, holder?.url);
    silentBefore = silentAmong(neighbours);
    await sleep(Math.random() * PAUSE_MS);
  }
}

/**
 * Finds the process that holds a data folder: undefined when nobody does, without `url` when it has
 * not announced one or does not answer. Creates nothing.
 *
 * @throws {StorageError} `not_writable` when this user may not look into the folder.
 */
export async function findHolder(folder: string): Promise<{ url?: string } | undefined> {
  const first = await askNeighbours(folder);
  const silent = silentAmong(first);
  const holder = holderAmong(first, new Set());
  if (holder || silent.size === 0) return holder;
  return holderAmong(await askNeighbours(folder), silent);
}

/** Undefined when the attempt came to nothing because another process was just tidying up. */
async function tryToClaim(folder: string, last: boolean): Promise<Claim | undefined> {
  try {
    const path = await realpath(folder);
    return windows ? await claimPipe(path) : await claimFolder(path);
  } catch (error) {
    if (!last && maySucceedNextTime(folder, error)) return undefined;
    throw toStorageError(folder, error);
  }
}

async function askNeighbours(folder: string): Promise<Neighbour[]> {
  try {
    const path = await realpath(folder);
    return windows ? await askPipe(path) : await askFolder(path);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return [];
    throw toStorageError(folder, error);
  }
}

/**
 * A process that only tries to get the lock gives up its name within moments, so a name that is
 * silent twice belongs to a holder which is stopped or busy.
 */
function holderAmong(
  neighbours: Neighbour[],
  silentBefore: Set<string>,
): { url?: string } | undefined {
  for (const { name, probe } of neighbours) {
    if (probe.state === "holding") return probe.url === undefined ? {} : { url: probe.url };
    if (probe.state === "silent" && silentBefore.has(name)) return {};
  }
  return undefined;
}

function silentAmong(neighbours: Neighbour[]): Set<string> {
  return new Set(
    neighbours.filter(({ probe }) => probe.state === "silent").map(({ name }) => name),
  );
}

function toLock(claim: Extract<Claim, { won: true }>): Lock {
  let released = false;
  return {
    announce({ url }) {
      claim.socket.say({ state: "holding", url });
    },
    holds: () => !released && claim.stands(),
    async release() {
      if (released) return;
      released = true;
      claim.release();
    },
  };
}

/** A releasing process removes `.lock`, and libuv reports a folder gone before bind as EACCES. */
function maySucceedNextTime(folder: string, error: unknown): boolean {
  const code = codeOf(error);
  if (code !== "ENOENT" && code !== "EACCES") return false;
  const path = lockFolder(folder);
  try {
    accessSync(existsSync(path) ? path : folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}

function toStorageError(folder: string, error: unknown): unknown {
  const code = codeOf(error);
  if (code === undefined || !NOT_WRITABLE.has(code)) return error;
  return new StorageError(
    "not_writable",
    `Cannot lock the data folder ${folder} (${code}). Give this user write permission on it and ` +
      `on ${lockFolder(folder)}, or choose a data folder on a local disk.`,
    { cause: error },
  );
}

function locked(folder: string, url: string | undefined): StorageError {
  return new StorageError(
    "locked",
    url === undefined
      ? `Another process is using the data folder ${folder}. Wait until it has finished, or stop ` +
          "it, then try again."
      : `A server is already running on the data folder ${folder}, at ${url}. Use that one, or ` +
          "stop it, then try again.",
  );
}
