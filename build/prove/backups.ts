import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "../../src/client/client.ts";
import { nodeFs } from "../../src/storage/host-fs.ts";
import { withDatabaseFile } from "../../src/storage/verify.ts";
import { startLoad } from "./backup-load.ts";
import { fillDatabase } from "./fill-database.ts";
import type { Figure, Part, Size } from "./part.ts";
import { startServer } from "./serve-process.ts";

const sizes = {
  full: { megabytes: 200, backups: 20, quietMs: 10_000 },
  ci: { megabytes: 10, backups: 3, quietMs: 1000 },
};

/** A person notices more than this, in milliseconds. */
const bearableMs = 1000;

/** On a busy machine requests are slow by themselves: a backup may make it so much worse. */
const bearableFactor = 4;

/** Backups of a server under load: whole, and hardly felt by those who use it. */
export const backups: Part = {
  name: "backups",
  title: "backups in a row of a server under write load",
  run: runBackups,
};

async function runBackups(size: Size, tell: (line: string) => void): Promise<Figure[]> {
  const { megabytes, backups: count, quietMs } = sizes[size];
  const work = mkdtempSync(join(tmpdir(), "todo-backups-"));
  try {
    const folder = join(work, "data");
    await fillDatabase(folder, megabytes * 1e6);
    tell(`filled ${megabytes} MB`);
    await using server = await startServer(folder);
    const { data } = await createClient({ server: server.url }).auth.register({
      body: { email: "ada@example.org", password: "correct horse", name: "Ada" },
    });
    const load = startLoad(server.url, data.api_key);
    await load.run(() => sleepMs(quietMs));
    const quiet = load.takeFigures();
    const results: Result[] = [];
    for (let number = 1; number <= count; number += 1) {
      const file = join(work, `backup-${number}.db`);
      let acknowledged: string[] = [];
      const ms = await load.run(async () => {
        await load.acknowledges(100);
        acknowledged = [...load.acknowledged];
        return backUp(folder, file);
      });
      const result = { ms, ...check(file, acknowledged) };
      results.push(result);
      tell(`${number}: ${ms.toFixed(0)} ms, ${result.check}, ${result.missing} missing`);
      rmSync(file);
    }
    return figures(megabytes, { quiet, busy: load.takeFigures(), results });
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

interface Result {
  ms: number;
  /** What `PRAGMA integrity_check` says. */
  check: string;
  /** Acknowledged before the backup began, and not in it. */
  missing: number;
}

/** The command, as users run it; answers how long it took. */
async function backUp(folder: string, file: string): Promise<number> {
  const started = performance.now();
  const args = ["--import", "tsx", "bin/todo.ts", "backup", "--quiet", "--data", folder, file];
  const child = spawn(process.execPath, args, { stdio: ["ignore", "inherit", "inherit"] });
  const code = await new Promise((resolve) => child.once("close", resolve));
  if (code !== 0) throw new Error(`todo backup ended with ${String(code)}`);
  return performance.now() - started;
}

function check(file: string, acknowledged: readonly string[]): Omit<Result, "ms"> {
  return withDatabaseFile(nodeFs, file, (copy) => {
    const rows = copy.all<{ integrity_check: string }>("PRAGMA integrity_check");
    const titles = copy.all<{ title: string }>(
      "SELECT title FROM todos WHERE owner = (SELECT seq FROM users WHERE name = 'Ada')",
    );
    const found = new Set(titles.map(({ title }) => title));
    return {
      check: rows.map((row) => row.integrity_check).join("; "),
      missing: acknowledged.filter((title) => !found.has(title)).length,
    };
  });
}

interface Measured {
  quiet: LoadFigures;
  busy: LoadFigures;
  results: readonly Result[];
}

type LoadFigures = ReturnType<ReturnType<typeof startLoad>["takeFigures"]>;

function figures(megabytes: number, { quiet, busy, results }: Measured): Figure[] {
  const sound = results.filter((result) => result.check === "ok").length;
  const missing = results.reduce((sum, result) => sum + result.missing, 0);
  const slowest = Math.max(...results.map(({ ms }) => ms));
  return [
    {
      what: `backups of ${megabytes} MB in a row that pass \`integrity_check\``,
      value: `${sound} of ${results.length}`,
      bar: "all",
      ok: sound === results.length,
    },
    {
      what: "writes missing that were acknowledged before their backup began",
      value: `${missing} of ${busy.writes}`,
      bar: "0",
      ok: missing === 0,
    },
    {
      what: `slowest request while backups were made, ${busy.perSecond} writes/s`,
      value: `${busy.slowestMs.toFixed(0)} ms`,
      bar: `below ${bearableMs} ms, or ${bearableFactor} × without`,
      ok: busy.slowestMs < Math.max(bearableMs, bearableFactor * quiet.slowestMs),
      isNoisy: true,
    },
    {
      what: `slowest request without backups, ${quiet.perSecond} writes/s`,
      value: `${quiet.slowestMs.toFixed(0)} ms`,
      bar: "for comparison",
      ok: true,
    },
    {
      what: "slowest backup, with its check",
      value: `${(slowest / 1000).toFixed(1)} s`,
      bar: "for comparison",
      ok: true,
    },
  ];
}

function sleepMs(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
