import { execFile, spawnSync } from "node:child_process";
import { cpSync, rmSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { temporaryFolder } from "./folder.ts";
import { foreignCommands } from "./foreign-commands.ts";
import type { Figure, Part } from "./part.ts";
import { startServerProcess } from "./server-process.ts";
import { missingFiles, type Loss } from "./missing-files.ts";
import { registerUser, type TodoUser } from "./todo-user.ts";
import { startWriteLoad } from "./write-load.ts";

const WRITERS = 8;

/** How soon a server must end that has lost its files, in milliseconds. */
const END_MS = 1000;

/** Other programs at the files of the real server, which is under load. */
export const foreign: Part = {
  name: "foreign",
  title: "other programs at the database's files",
  async run(size, tell) {
    const figures: Figure[] = [];
    if (spawnSync("sqlite3", ["--version"]).status === 0) {
      figures.push(...(await proveCommands(tell)));
    } else {
      figures.push({ what: "sqlite3", value: "not installed", bar: "installed", ok: false });
    }
    const losses = missingFiles.filter(({ always }) => size === "full" || always);
    figures.push(...(await proveLosses(losses, tell)));
    return figures;
  },
};

async function proveCommands(tell: (line: string) => void): Promise<Figure[]> {
  using folder = temporaryFolder();
  const data = join(folder.path, "data");
  const { user, harmed } = await (async () => {
    await using server = await startServerProcess({ folder: data });
    const someone = await registerUser(server.http);
    const load = startWriteLoad(someone, WRITERS);
    await runAll(data, tell);
    await load.stop();
    const different = await someone.differences();
    await server.end("SIGKILL");
    return { user: someone, harmed: different };
  })();
  await runAll(data, tell);
  const afterKill = await restart(data, user);
  return [
    zero(
      `todos harmed by ${foreignCommands.length} commands and a copy, ${user.confirmed.size} confirmed under load`,
      harmed,
    ),
    zero("todos harmed by the same after kill -9", afterKill),
  ];
}

/** Runs every command to its end, and opens a copy of the files. */
async function runAll(data: string, tell: (line: string) => void): Promise<void> {
  const file = join(data, "todo.db");
  await sqlite3(`${data}.other`, "CREATE TABLE IF NOT EXISTS todos (title)");
  for (const command of foreignCommands) {
    const args = command.map((arg) => arg.replaceAll("FILE", file));
    tell(`${command.join(" ")}: ${await sqlite3(...args)}`);
  }
  const copy = `${data}.copy`;
  cpSync(data, copy, { recursive: true, filter: (path) => !path.endsWith(".lock") });
  await sqlite3(join(copy, "todo.db"), "SELECT count(*) FROM todos; DELETE FROM todos");
  rmSync(copy, { recursive: true });
}

/** Answers in a word what came of it. */
async function sqlite3(...args: string[]): Promise<string> {
  try {
    await promisify(execFile)("sqlite3", args, { timeout: 10_000 });
    return "done";
  } catch (error) {
    return (
      String((error as { stderr?: string }).stderr)
        .trim()
        .split("\n")[0] ?? "failed"
    );
  }
}

async function proveLosses(
  losses: readonly Loss[],
  tell: (line: string) => void,
): Promise<Figure[]> {
  let slowestMs = 0;
  let confirmedAfter = 0;
  let lost = 0;
  let silent = 0;
  for (const loss of losses) {
    using folder = temporaryFolder();
    const data = join(folder.path, "data");
    const user = await (async () => {
      await using server = await startServerProcess({ folder: data });
      const someone = await registerUser(server.http);
      const load = startWriteLoad(someone, WRITERS);
      while (load.confirmedSince(0) < 100) await new Promise(setImmediate);
      loss.happen(data);
      const happened = performance.now();
      const exit = await Promise.race([server.ended, sleep(10 * END_MS, undefined)]);
      const took = performance.now() - happened;
      await load.stop();
      slowestMs = Math.max(slowestMs, took);
      confirmedAfter += load.confirmedSince(happened);
      const says = /todo: (The database's files were .*)/.exec(server.output())?.[1];
      if (exit?.code !== 1 || says === undefined) silent++;
      tell(
        `${loss.name}: status ${exit?.code} after ${took.toFixed(0)} ms, ${says ?? "without a word"}`,
      );
      return someone;
    })();
    if (!loss.undo) continue;
    loss.undo(data);
    lost += await restart(data, user);
  }
  const names = losses.map(({ name }) => name).join(", ");
  return [
    zero(`writes confirmed that began after the loss (${names})`, confirmedAfter),
    zero("ends without the reason or with status 0", silent),
    {
      what: "slowest end after the loss",
      value: `${slowestMs.toFixed(0)} ms`,
      bar: `at most ${END_MS} ms`,
      ok: slowestMs <= END_MS,
      isNoisy: true,
    },
    zero("confirmed writes missing once the files are back", lost),
  ];
}

/** What is not as confirmed, once the server runs again. */
async function restart(data: string, user: TodoUser): Promise<number> {
  await using server = await startServerProcess({ folder: data });
  user.moveTo(server.http);
  const differences = await user.differences();
  await server.end("SIGTERM");
  return differences;
}

function zero(what: string, count: number): Figure {
  return { what, value: String(count), bar: "0", ok: count === 0 };
}
