import { execFile } from "node:child_process";
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Runtime } from "./runtimes.ts";

const run = promisify(execFile);
const trainer = fileURLToPath(new URL("train.ts", import.meta.url));

/**
 * What V8 makes of the bundle's parts when it compiles them, for the functions that are used most.
 * Only the very same Node takes it, on the same kind of processor, so it is made for the machine
 * that builds; elsewhere the parts are compiled at each start.
 *
 * @param assets the parts, the loader and the files, by name
 * @param folder a folder to work in
 * @returns caches by the names of their parts
 * @throws Error when the program fails
 */
export async function makeCodeCaches(
  host: Runtime,
  assets: ReadonlyMap<string, Uint8Array>,
  folder: string,
): Promise<Map<string, Buffer>> {
  for (const [name, bytes] of assets) {
    const file = path.join(folder, "assets", name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, bytes);
  }
  const caches = path.join(folder, "caches");
  mkdirSync(caches);
  const inherited = Object.entries(process.env).filter(([name]) => !/^(TODO|NODE)_/.test(name));
  await run(host.node, ["--no-warnings", trainer, path.join(folder, "assets"), caches], {
    env: { ...Object.fromEntries(inherited), HOME: folder, XDG_CONFIG_HOME: folder, TZ: "UTC" },
    timeout: 120_000,
  });
  return new Map(
    readdirSync(caches)
      .toSorted()
      .map((name) => [name, readFileSync(path.join(caches, name))]),
  );
}
