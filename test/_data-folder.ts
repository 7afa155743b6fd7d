import { randomUUID } from "node:crypto";
import { cpSync } from "node:fs";
import { basename } from "node:path";
import { type Database, openDatabase } from "../src/storage/database.ts";
import * as users from "../src/storage/users.ts";
import { temporaryFolder } from "./_server.ts";

/** Adds a user of that name. */
export function addUser(db: Database, name: string): void {
  const id = randomUUID();
  users.insert(db, {
    id,
    email: `${id}@example.org`,
    name,
    passwordHash: "",
    avatar_url: null,
    settings: null,
    now: "2026-11-20 12:00:00",
  });
}

/** Makes or opens a data folder's database, adds a user for each name, and closes it. */
export async function fillFolder(folder: string, names: readonly string[]): Promise<void> {
  const db = await openDatabase({ folder });
  for (const name of names) addUser(db, name);
  await db.close();
}

/** The names of the users in a data folder, which is opened as a server does. */
export async function usersIn(folder: string): Promise<string[]> {
  const db = await openDatabase({ folder });
  const rows = db.all<{ name: string }>("SELECT name FROM users ORDER BY seq");
  await db.close();
  return rows.map(({ name }) => name);
}

/** A data folder as `kill -9` leaves it: with a log that holds the last users, and the guard. */
export async function fillUncleanFolder(
  folder: string,
  { saved, logged }: { saved: readonly string[]; logged: readonly string[] },
): Promise<void> {
  using original = temporaryFolder();
  await fillFolder(original.path, saved);
  const db = await openDatabase({ folder: original.path });
  for (const name of logged) addUser(db, name);
  await db.durable();
  cpSync(original.path, folder, {
    recursive: true,
    filter: (path) => basename(path) !== ".lock",
  });
  await db.close();
}
