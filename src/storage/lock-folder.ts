import { randomBytes } from "node:crypto";
import { lstatSync, mkdirSync, readdirSync, rmdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { openSocketFolder, type SocketFolder } from "./lock-path.ts";
import { ask, openLockSocket, type LockSocket, type Probe } from "./lock-socket.ts";

/** Between looks at competitors who are about to give way, which takes them a few milliseconds. */
const LOOK_PAUSE_MS = 5;

/** Bounds the wait for a competitor that answers and does not give way. */
const MAX_LOOKS = 100;

/**
 * Where the holder of a data folder takes its operator's commands; see `admin-address.ts`. It says
 * nothing of who holds the folder.
 */
export const ADMIN = "admin";

/** Another process's socket, and what asking it found. */
export interface Neighbour {
  name: string;
  probe: Probe;
}

/** The won lock, or everyone who was found beside us. */
export type Claim =
  | { won: true; socket: LockSocket; stands(): boolean; release(): void }
  | { won: false; neighbours: Neighbour[] };

/** The folder inside a data folder that holds its lock sockets. */
export function lockFolder(folder: string): string {
  return join(folder, ".lock");
}

/**
 * One attempt to take a data folder by a socket in `.lock`: listen first, look round after, and
 * win only when nobody else is alive. Of two processes, the one that listens last looks last, and
 * so it sees the other: both may step back, but never both win.
 *
 * The winner alone removes dead names. One of them may belong to a process that has bound its
 * socket and does not listen on it yet. That does no harm: when it comes to look round, it either
 * sees the winner alive, or, when the winner has died meanwhile, finds its own name gone.
 *
 * @throws the system's error when the socket cannot be made.
 */
export async function claimFolder(folder: string): Promise<Claim> {
  const path = lockFolder(folder);
  makeFolder(path);
  const sockets = openSocketFolder(path);
  try {
    // Safety does not need this look; it keeps the refused from disturbing those who compete.
    const before = await askAll(path, sockets);
    if (before.some(isAlive)) return { won: false, neighbours: before };
    return await compete(path, sockets);
  } finally {
    sockets.close();
  }
}

async function compete(path: string, sockets: SocketFolder): Promise<Claim> {
  // Never used twice, so a name once found dead stays dead.
  const name = randomBytes(16).toString("hex");
  const own = join(path, name);
  const socket = await openLockSocket(sockets.address(name));
  const identity = identityOf(own);
  const stands = (): boolean => identity !== undefined && identityOf(own) === identity;
  const release = (): void => {
    attempt(() => unlinkSync(own));
    socket.close();
    attempt(() => rmdirSync(path));
  };
  try {
    const neighbours = await outlast(path, sockets, name);
    if (neighbours.some(isAlive) || !stands()) {
      release();
      return { won: false, neighbours };
    }
    socket.say({ state: "holding" });
    const admin = join(path, ADMIN);
    for (const dead of [admin, ...neighbours.map(({ name: other }) => join(path, other))]) {
      attempt(() => unlinkSync(dead));
    }
    return {
      won: true,
      socket,
      stands,
      release() {
        // It would be another process's if ours were no longer the lock.
        if (stands()) attempt(() => unlinkSync(admin));
        release();
      },
    };
  } catch (error) {
    release();
    throw error;
  }
}

/**
 * Looks round until nobody else is alive, or somebody is to whom we must give way. Among those who
 * compete, all give way to the lowest name, so that one of them goes on to win.
 */
async function outlast(path: string, sockets: SocketFolder, own: string): Promise<Neighbour[]> {
  for (let look = 1; ; look++) {
    const neighbours = await askAll(path, sockets, own);
    const living = neighbours.filter(isAlive);
    const givesWay = ({ name, probe }: Neighbour) => probe.state === "contending" && name > own;
    if (living.length === 0 || look === MAX_LOOKS || !living.every(givesWay)) return neighbours;
    await sleep(LOOK_PAUSE_MS);
  }
}

function isAlive({ probe }: Neighbour): boolean {
  return probe.state !== "dead";
}

/**
 * Asks every process that has a socket in the data folder's `.lock`. Creates nothing there.
 *
 * @throws the system's error when `.lock` cannot be read, ENOENT when there is none.
 */
export async function askFolder(folder: string): Promise<Neighbour[]> {
  const path = lockFolder(folder);
  const sockets = openSocketFolder(path);
  try {
    return await askAll(path, sockets);
  } finally {
    sockets.close();
  }
}

function askAll(path: string, sockets: SocketFolder, own?: string): Promise<Neighbour[]> {
  // Whatever is no socket was put there by others, and cannot be alive.
  const names = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isSocket() && entry.name !== own && entry.name !== ADMIN)
    .map((entry) => entry.name);
  return Promise.all(
    names.map(async (name) => ({ name, probe: await ask(sockets.address(name)) })),
  );
}

function makeFolder(path: string): void {
  try {
    mkdirSync(path, { mode: 0o700 });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

function identityOf(path: string): string | undefined {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats && `${stats.dev}:${stats.ino}`;
}

/** Tidying up may fail, as when another process has just done it or is using the folder. */
function attempt(tidy: () => void): void {
  try {
    tidy();
  } catch {
    // What stays behind is a dead name or an empty folder, which the next winner removes.
  }
}
