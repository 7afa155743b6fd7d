import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { brotliCompressSync } from "node:zlib";
import { bundle } from "./package/bundle.ts";
import { makeCodeCaches } from "./package/code-cache.ts";
import { makeExecutable } from "./package/executable.ts";
import { collectLicenses, formatLicenses } from "./package/licenses.ts";
import { dist } from "./package/project.ts";
import { type Runtime, fetchRuntime, hostPlatform, platforms } from "./package/runtimes.ts";

/**
 * Builds the executables into `dist`, with SHA256SUMS. It needs npm and its registry, and Linux.
 *
 *     npm run build
 *     npm run build -- --no-code-cache    the same bytes each time, for this machine's too
 *
 * V8 makes a code cache that differs in a few bytes each time, and it saves each command a fifth of
 * its time: so the executable for the kind of machine that builds has one, and can be compared with
 * another build only without it. The others are the same, byte for byte.
 */
async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { "code-cache": { type: "boolean", default: true } },
    allowNegative: true,
  });
  const work = mkdtempSync(path.join(tmpdir(), "todo-build-"));
  try {
    await buildAll(work, values["code-cache"]);
  } finally {
    rmSync(work, { recursive: true });
  }
}

async function buildAll(work: string, hasCodeCache: boolean): Promise<void> {
  tell("fetching Node.js from the npm registry");
  const runtimes = await Promise.all(platforms.map(fetchRuntime));
  const host = runtimes.find(({ platform }) => platform === hostPlatform());
  if (host === undefined) throw new Error("The executables are built on Linux, x64 or arm64.");
  tell("bundling");
  const { loader, assets } = await makeAssets(host);
  if (hasCodeCache) tell("making the code cache");
  const caches = hasCodeCache
    ? await makeCodeCaches(host, assets, path.join(work, "cache"))
    : new Map<string, Uint8Array>();
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  const packed = pack(assets);
  const names: string[] = [];
  for (const runtime of runtimes) {
    const name = fileName(runtime);
    await makeExecutable({
      runtime,
      host,
      main: `${loader}\nloader.start();`,
      assets: runtime === host ? new Map([...packed, ...pack(caches)]) : packed,
      output: path.join(dist, name),
      folder: path.join(work, runtime.platform),
    });
    tell(`dist/${name}: ${(statSync(path.join(dist, name)).size / 1e6).toFixed(1)} MB`);
    names.push(name);
  }
  writeFileSync(path.join(dist, "SHA256SUMS"), names.map(checksum).join(""));
}

type Assets = Map<string, Uint8Array>;

/** All that the loader finds by name, before it is packed. */
async function makeAssets(host: Runtime): Promise<{ loader: string; assets: Assets }> {
  const { loader, parts, files, inputs } = await bundle();
  const licenses = formatLicenses(collectLicenses(inputs), readFileSync(host.license, "utf8"));
  const assets: Assets = new Map([
    ["loader.js", Buffer.from(loader)],
    ...parts,
    ...files,
    ["src/cli/help/licenses.txt", Buffer.from(licenses)],
  ]);
  return { loader, assets };
}

/** From here on it pays: what plain commands load is smaller, and spares them the decompressor. */
const compressFrom = 100 * 1024;

function pack(assets: ReadonlyMap<string, Uint8Array>): Assets {
  const packed = [...assets].map(([name, bytes]): [string, Uint8Array] => {
    const isPlain = bytes.length < compressFrom || name.startsWith("main.js");
    return isPlain ? [name, bytes] : [`${name}.br`, brotliCompressSync(bytes)];
  });
  return new Map(packed);
}

function fileName({ platform }: Runtime): string {
  return `todo-${platform}${platform.startsWith("win") ? ".exe" : ""}`;
}

function checksum(name: string): string {
  const hash = createHash("sha256").update(readFileSync(path.join(dist, name)));
  return `${hash.digest("hex")}  ${name}\n`;
}

function tell(line: string): void {
  process.stderr.write(`${line}\n`);
}

await main();
