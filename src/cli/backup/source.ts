import { existsSync } from "node:fs";
import { join } from "node:path";
import { CliError } from "../errors.ts";

/** A copy of the database as it was when the copy was asked for. */
export interface Source {
  /** All of it in bytes, when that is known. */
  size?: number;
  /** To be read once. */
  bytes: AsyncIterable<Uint8Array>;
  /** Ends it, and leaves the data folder to others. */
  close(): Promise<void>;
}

/**
 * Asks for a copy of the database in a data folder: of the server that runs on it, else in process.
 *
 * @throws CliError `not_found` when there is no database
 * @throws StorageError when the folder cannot be used
 */
export async function openSource(folder: string): Promise<Source> {
  if (!existsSync(join(folder, "todo.db"))) {
    throw new CliError(
      "not_found",
      `There is no database in the data folder ${folder}. Name the folder of your server with --data or TODO_DATA.`,
    );
  }
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
