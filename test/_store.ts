import { randomUUID } from "node:crypto";
import { type Database, openDatabase } from "../src/storage/database.ts";
import type { Owner } from "../src/storage/owner.ts";
import * as users from "../src/storage/users.ts";
import { temporaryFolder } from "./_server.ts";

/** A real database in a temporary folder, without a server. */
export interface TestStore extends AsyncDisposable {
  db: Database;
  /** Adds a user. */
  owner(): Owner;
}

/** Adds a user. */
export function addUser(db: Database): Owner {
  const id = randomUUID();
  users.insert(db, {
    id,
    email: `${id}@example.org`,
    name: "Ada",
    passwordHash: "",
    avatar_url: null,
    settings: null,
    now: "2026-11-20 12:00:00",
  });
  return { id, seq: users.find(db, id)!.seq };
}

export async function openStore(): Promise<TestStore> {
  const folder = temporaryFolder();
  const db = await openDatabase({ folder: folder.path });
  return {
    db,
    owner: () => addUser(db),
    async [Symbol.asyncDispose]() {
      await db.close();
      folder[Symbol.dispose]();
    },
  };
}
