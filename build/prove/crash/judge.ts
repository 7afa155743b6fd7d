import type { StorageError } from "../../../src/storage/errors.ts";
import { openLive, type LiveDatabase } from "../../../src/storage/live-database.ts";
import type { HostFs } from "../../../src/storage/host-fs.ts";
import { DATABASE } from "../../../src/storage/file-names.ts";
import { count, migrationsTo, read } from "./history.ts";
import { memoryFs, type Snapshot } from "./memory-fs.ts";

/** Where a folder in memory is. */
export const FOLDER = "/data";

/** Small, so that large transactions do not fit. */
export const CACHE_KIB = 64;

/** What the engine makes of a folder that a crash left: up to which transaction all is there. */
export type Found = { transaction: number; digest: string } | { damage: string };

/** Opens a folder with the engine, which recovers it. A failure is an error of this function. */
export function openFolder(
  fs: HostFs,
  folder: string,
  version: number,
): LiveDatabase & { failures: StorageError[] } {
  const failures: StorageError[] = [];
  const live = openLive({
    folder,
    fs,
    cacheKiB: CACHE_KIB,
    migrations: migrationsTo(version),
    upgrade: true,
    onUpgrade: () => {},
    onFatal: (error) => failures.push(error),
  });
  return { ...live, failures };
}

/**
 * Has the engine recover a folder, look at everything, work on, and stop.
 *
 * @param version what the starting program brings the schema to
 */
export async function judge(snapshot: Snapshot, version: number): Promise<Found> {
  const { fs } = memoryFs(FOLDER, snapshot);
  try {
    const live = openFolder(fs, FOLDER, version);
    const { connection, failures } = live;
    const found = read(connection);
    const damage = inspect(connection, version);
    count(connection, found.transaction + 1);
    await live.durable();
    await live.close();
    if (damage !== undefined) return { damage };
    if (failures.length > 0) return { damage: String(failures[0]) };
    const left = fs.readdirSync(FOLDER).filter((name) => !name.endsWith(".bak"));
    if (left.join() !== DATABASE) return { damage: `a clean stop left ${left.join(", ")}` };
    return found;
  } catch (error) {
    return { damage: describe(error) };
  }
}

function inspect(connection: LiveDatabase["connection"], version: number): string | undefined {
  const rows = connection.all<{ integrity_check: string }>("PRAGMA integrity_check");
  if (rows[0]?.integrity_check !== "ok") return `integrity: ${rows[0]?.integrity_check}`;
  const schema = connection.get<{ user_version: number }>("PRAGMA user_version")?.user_version;
  return schema === version ? undefined : `the schema has version ${schema}, not ${version}`;
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? ` (${error.cause.message})` : "";
  return `${error.message}${cause}`;
}
