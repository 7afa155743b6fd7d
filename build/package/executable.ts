import { execFile } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Runtime, nodeVersion } from "./runtimes.ts";
import { stripElf } from "./strip-elf.ts";

const run = promisify(execFile);
const injector = fileURLToPath(new URL("inject.ts", import.meta.url));

/**
 * How Node runs in the executable: with memory for a small machine, as one more thread that helps
 * V8 takes 10 MB, and as much room for new objects as Node would take another 8. With half as much
 * room, what many requests at once leave behind is taken for old, and each costs a tenth more. The
 * code cache must be made with the same flags.
 */
export const nodeFlags = ["--v8-pool-size=1", "--max-semi-space-size=4"];

/** What pkg is told; see inject.ts. */
export interface Injection {
  target: { platform: string; arch: string; nodeRange: string; output: string };
  /** https://nodejs.org/docs/latest-v24.x/api/single-executable-applications.html */
  config: {
    main: string;
    assets: Record<string, string>;
    execArgv: string[];
    execArgvExtension: "none";
  };
}

export interface ExecutableOptions {
  runtime: Runtime;
  /** A Node of the same version for this machine. */
  host: Runtime;
  /** The script that it starts with. */
  main: string;
  /** What it contains besides, by name. */
  assets: ReadonlyMap<string, Uint8Array>;
  output: string;
  /** A folder to work in, which the caller removes. */
  folder: string;
}

/**
 * Makes an executable out of Node.js, a script and its assets.
 *
 * @throws Error when pkg fails; its message has what pkg said
 */
export async function makeExecutable(options: ExecutableOptions): Promise<void> {
  const { runtime, host, main, assets, output, folder } = options;
  layOutCache(runtime, folder);
  writeFileSync(path.join(folder, "main.js"), main);
  const injection: Injection = {
    target: {
      platform: runtime.platform.split("-")[0]!,
      arch: runtime.platform.split("-")[1]!,
      nodeRange: `node${nodeVersion}`,
      output,
    },
    config: {
      // Relative to the folder of its own that pkg makes in TMPDIR: this path goes into the
      // executable, which must be the same wherever it is built.
      main: "../main.js",
      assets: writeAssets(assets, path.join(folder, "assets")),
      execArgv: nodeFlags,
      // Otherwise NODE_OPTIONS counts, which is meant for other programs.
      execArgvExtension: "none",
    },
  };
  const { NODE_OPTIONS: _, ...environment } = process.env;
  await run(host.node, ["--no-warnings", injector, JSON.stringify(injection)], {
    env: { ...environment, HOME: folder, USERPROFILE: folder, TMPDIR: folder, TEMP: folder },
  });
}

/** Where pkg looks for Node.js before it downloads it. */
function layOutCache({ platform, node }: Runtime, folder: string): void {
  const name = `node-v${nodeVersion}-${platform}`;
  const pkgCache = path.join(folder, ".pkg-cache", "sea");
  const isWindows = platform.startsWith("win");
  const base = path.join(pkgCache, isWindows ? `${name}.exe` : `${name}/bin/node`);
  const archive = path.join(pkgCache, `${name}.${isWindows ? "zip" : "tar.gz"}`);
  mkdirSync(path.dirname(base), { recursive: true });
  if (isWindows) cpSync(node, base);
  // Afterwards it is too late: a stripped executable has lost what was injected.
  else writeFileSync(base, stripElf(readFileSync(node)), { mode: 0o755 });
  for (const sign of [`${base}.ok`, archive, `${archive}.ok`]) writeFileSync(sign, "");
}

function writeAssets(assets: ExecutableOptions["assets"], folder: string): Record<string, string> {
  mkdirSync(folder);
  const files = [...assets].map(([name, bytes], index): [string, string] => {
    const file = path.join(folder, String(index));
    writeFileSync(file, bytes);
    return [name, file];
  });
  return Object.fromEntries(files);
}
