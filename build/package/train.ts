import { mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import vm from "node:vm";
import threads from "node:worker_threads";

/**
 * Runs the bundle through what people do most, and then asks V8 for what it has compiled. It is run
 * by the Node that goes into the executable, and stands for that: `node:sea` reads from a folder.
 *
 *     node train.ts ASSETS CACHES
 */
const [assets, caches] = process.argv.slice(2) as [string, string];

interface Loader {
  load(name: string): { main: (args: readonly string[]) => Promise<void> };
}

const realRequire = createRequire(import.meta.url);
const scripts = new Map<string, vm.Script>();

class RecordedScript extends vm.Script {
  constructor(code: string, options: vm.ScriptOptions) {
    super(code, options);
    scripts.set(options.filename!, this);
  }
}

/** A thread starts with the loader too, and needs the same stand-in. */
class StandInWorker extends threads.Worker {
  constructor(source: string, options: threads.WorkerOptions) {
    super(
      `{ const require0 = require; const sea = (${makeSea})(require0("node:fs"), ${JSON.stringify(assets)});
      globalThis.require = (name) => name === "node:sea" ? sea : require0(name); }\n${source}`,
      options,
    );
  }
}

/** Its text is the thread's as well. */
function makeSea(fs: { readFileSync: typeof readFileSync }, folder: string) {
  return {
    getRawAsset: (name: string) => new Uint8Array(fs.readFileSync(`${folder}/${name}`)).buffer,
  };
}

const standIns: Record<string, unknown> = {
  "node:sea": makeSea({ readFileSync }, assets),
  "node:vm": { ...vm, Script: RecordedScript },
  "node:worker_threads": { ...threads, Worker: StandInWorker },
};

function startLoader(): Loader {
  const text = readFileSync(path.join(assets, "loader.js"), "utf8");
  // oxlint-disable-next-line typescript/no-implied-eval -- as Node does with an executable's script
  const evaluate = new Function("require", `${text}\nreturn loader;`);
  return evaluate((name: string) => standIns[name] ?? realRequire(name)) as Loader;
}

/** Serves, and runs the commands in process and against the server. */
async function exercise({ main }: ReturnType<Loader["load"]>): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "todo-"));
  const commands = [["add", "Water the plants", "--due", "tomorrow"], ["list"], ["today"]];
  await main(["version"]);
  for (const command of commands) await main(["--data", folder, ...command]);
  const serving = main(["serve", "--data", folder, "--port", "0", "--log-level", "silent"]);
  while (!shown.includes("serving")) await sleep(5);
  for (const command of commands) await main(["--data", folder, ...command]);
  process.kill(process.pid, "SIGTERM");
  await serving;
  if (process.exitCode) throw new Error(`The commands failed: ${shown}`);
}

let shown = "";
for (const stream of [process.stdout, process.stderr]) {
  stream.write = (text: string | Uint8Array) => {
    shown += String(text);
    return true;
  };
}
await exercise(startLoader().load("main.js"));
for (const [name, script] of scripts) {
  writeFileSync(path.join(caches, `${name}.cache`), script.createCachedData());
}
