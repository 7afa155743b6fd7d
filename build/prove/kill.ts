import { copyFileSync, existsSync, statSync } from "node:fs";
import { join } from "node:path";
import { DATABASE, LOG } from "../../src/storage/file-names.ts";
import { nodeFs } from "../../src/storage/host-fs.ts";
import { verify, withDatabaseFile } from "../../src/storage/verify.ts";
import { createAccount } from "./account.ts";
import { bundleProgram } from "./bundle.ts";
import { temporaryFolder } from "./folder.ts";
import { readWorlds } from "./load/world.ts";
import { type Writer, createWriter, makeChange, settle } from "./load/writer.ts";
import type { Figure, Part, Size } from "./part.ts";
import { type ServerOptions, type ServerProcess, startServerProcess } from "./server-process.ts";
import { grouped, median } from "./statistics.ts";

/** The rounds, after how many of them the files are checked, and how long a start may take. */
const sizes: Record<Size, { rounds: number; checkEvery: number; readyMs: number }> = {
  full: { rounds: 200, checkEvery: 5, readyMs: 2000 },
  ci: { rounds: 10, checkEvery: 5, readyMs: 10_000 },
};

const connections = 32;

/** Writes of a round: up to about three times what fills the log, so that kills meet checkpoints. */
const writes = { least: 100, most: 1000 };

/** The server killed under load, over and over: what it had acknowledged is there. */
export const kill: Part = {
  name: "kill",
  title: `kill -9 under ${connections} connections that write`,
  async run(size, tell) {
    const { rounds, checkEvery, readyMs } = sizes[size];
    using folder = temporaryFolder();
    using program = await bundleProgram();
    const options = { folder: folder.path, main: program.main };
    const tally = createTally();
    const writers = Array.from({ length: connections }, (_, number) => createWriter(number));
    const key = await startCleanly(options, tally);
    for (let round = 1; round <= rounds; round += 1) {
      await using server = await startServerProcess(options);
      tally.readyMs.push(server.readyMs);
      await settleAll(server, { writers, key, tally, tell });
      await writeUntilKilled(server, { folder: folder.path, writers, key, tally, tell });
      if (round % checkEvery === 0) tally.checked.push(checkFiles(folder.path));
      if (round % 20 === 0) tell(`${round} rounds, ${grouped(tally.acknowledged)} writes`);
    }
    {
      await using server = await startServerProcess(options);
      tally.readyMs.push(server.readyMs);
      await settleAll(server, { writers, key, tally, tell });
      await server.end("SIGTERM");
    }
    await startCleanly(options, tally);
    // The first start of all followed no kill.
    tally.readyMs.shift();
    return figures(tally, { rounds, readyMs });
  },
};

function createTally() {
  return {
    acknowledged: 0,
    wrong: 0,
    happened: 0,
    absent: 0,
    lost: 0,
    torn: 0,
    checkpoints: 0,
    checked: [] as string[],
    readyMs: [] as number[],
    cleanMs: [] as number[],
  };
}

type Tally = ReturnType<typeof createTally>;

interface Load {
  writers: readonly Writer[];
  key: string;
  tally: Tally;
  tell: (line: string) => void;
}

/**
 * Starts the server a few times after clean stops.
 *
 * @returns the key of a new user
 */
async function startCleanly(options: ServerOptions, { cleanMs }: Tally): Promise<string> {
  let key = "";
  for (let start = 0; start < 4; start += 1) {
    await using server = await startServerProcess(options);
    // The first one makes the database.
    if (start > 0) cleanMs.push(server.readyMs);
    ({ key } = await createAccount(server.http));
    await server.end("SIGTERM");
  }
  return key;
}

async function settleAll({ http }: ServerProcess, { writers, key, tally, tell }: Load) {
  const found = await readWorlds(http, key);
  for (const writer of writers) {
    const { lost, torn, happened } = settle(writer, found);
    tally.lost += lost.length;
    tally.torn += torn.length;
    if (lost.length + torn.length > 0) tell(`lost: ${lost.join(" ")}; torn: ${torn.join(" ")}`);
    if (happened !== undefined) tally[happened ? "happened" : "absent"] += 1;
  }
}

/** Kills the server in the middle of what it is doing. */
async function writeUntilKilled(
  server: ServerProcess,
  { folder, writers, key, tally, tell }: Load & { folder: string },
): Promise<void> {
  const changedAt = () => statSync(join(folder, DATABASE)).mtimeMs;
  const before = changedAt();
  let left = writes.least + Math.floor(Math.random() * (writes.most - writes.least));
  const until = { isKilled: false };
  function killServer(): void {
    until.isKilled = true;
    void server.end("SIGKILL");
  }
  async function write(writer: Writer): Promise<void> {
    while (!until.isKilled) {
      const wrong = await makeChange(writer, server.http, key);
      tally.acknowledged += 1;
      left -= 1;
      // At any moment, not only when something was just acknowledged.
      if (left === 0) setTimeout(killServer, Math.random() * 20);
      if (wrong === undefined) continue;
      tally.wrong += 1;
      tell(wrong);
    }
  }
  await Promise.all(
    writers.map((writer) =>
      write(writer).catch((error: unknown) => {
        // With the server end the requests that are under way.
        if (!until.isKilled) throw error;
      }),
    ),
  );
  await server.ended;
  // Nothing but a checkpoint writes to the database itself.
  if (changedAt() > before) tally.checkpoints += 1;
}

/** What a check of a copy finds, of all pages, indexes and references. */
function checkFiles(folder: string): string {
  using copy = temporaryFolder();
  for (const name of [DATABASE, LOG]) {
    if (existsSync(join(folder, name))) copyFileSync(join(folder, name), join(copy.path, name));
  }
  try {
    withDatabaseFile(nodeFs, join(copy.path, DATABASE), verify);
    return "ok";
  } catch (error) {
    return (error as Error).message;
  }
}

function figures(tally: Tally, { rounds, readyMs }: { rounds: number; readyMs: number }): Figure[] {
  const { acknowledged, happened, absent, checkpoints, checked } = tally;
  const none = (what: string, count: number) => ({
    what,
    value: grouped(count),
    bar: "0",
    ok: count === 0,
  });
  const sound = checked.filter((result) => result === "ok").length;
  const slowest = Math.max(...tally.readyMs);
  const shown = (times: readonly number[]) => `${median(times).toFixed(0)} ms`;
  return [
    {
      what: `acknowledged writes lost, of ${grouped(acknowledged)} in ${rounds} rounds`,
      value: grouped(tally.lost),
      bar: "0",
      ok: tally.lost === 0 && tally.readyMs.length === rounds,
    },
    none(
      `records torn, of ${grouped(happened + absent)} writes under way (${grouped(happened)} of which had happened)`,
      tally.torn,
    ),
    none("wrong answers to writes", tally.wrong),
    {
      what: "rounds with a checkpoint before the kill",
      value: String(checkpoints),
      bar: "at least 1",
      ok: checkpoints > 0,
    },
    {
      what: "files after a kill that pass `integrity_check`",
      value: `${sound} of ${checked.length}`,
      bar: "all",
      ok: sound === checked.length,
    },
    {
      what: `ready after a kill, slowest; median; after a clean stop (median)`,
      value: `${slowest.toFixed(0)} ms; ${shown(tally.readyMs)}; ${shown(tally.cleanMs)}`,
      bar: `below ${readyMs} ms`,
      ok: slowest < readyMs,
      isNoisy: true,
    },
  ];
}
