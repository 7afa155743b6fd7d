import { statSync } from "node:fs";
import { join } from "node:path";
import { adminPrefix, backupPath } from "../../contract/admin-routes.ts";
import { CliError } from "../errors.ts";
import { checkDatabase, throughSocket } from "../instance/admin-instance.ts";
import { reach } from "../instance/local-instance.ts";

/** A copy of the database as it was when the copy was asked for. */
export interface Source {
  /** About as many bytes as there will be. */
  size: number;
  /** To be read once. */
  bytes: AsyncIterable<Uint8Array>;
  /** Ends it, and leaves the data folder to others. */
  close(): Promise<void>;
}

/**
 * Asks for a copy of the database in a data folder: of the server that runs on it, else in process.
 *
 * @throws CliError `not_found` when there is no database, `failed` when the server gives none
 * @throws StorageError when the folder cannot be used
 */
export async function openSource(folder: string): Promise<Source> {
  await checkDatabase(folder);
  return reach(folder, { atServer: () => askServer(folder), inProcess: () => openHere(folder) });
}

async function askServer(folder: string): Promise<Source | undefined> {
  const way = await throughSocket(folder);
  if (way === undefined) return undefined;
  const { status, bytes } = await way.getBytes(adminPrefix + backupPath);
  if (status !== 200) {
    await way.close();
    throw new CliError(
      "failed",
      `The server on ${folder} gives no copy of its database (status ${status}). It may be of another version: start it again.`,
    );
  }
  return { size: statSync(join(folder, "todo.db")).size, bytes: whole(bytes), close: way.close };
}

/** Says in words that the server broke off. */
async function* whole(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw new CliError(
      "failed",
      "The server broke off the copy of its database. Its log says why.",
      { cause: error },
    );
  }
}

async function openHere(folder: string): Promise<Source> {
  const { openDatabase } = await import("../../storage/database.ts");
  // A backup is of what is there, also after this program was upgraded.
  const db = await openDatabase({ folder, upgrade: false });
  try {
    const snapshot = db.snapshot();
    return {
      size: snapshot.size,
      bytes: snapshot.read(),
      async close() {
        snapshot.close();
        await db.close();
      },
    };
  } catch (error) {
    await db.close();
    throw error;
  }
}
