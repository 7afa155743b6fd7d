import { randomUUID } from "node:crypto";
import { statSync } from "node:fs";
import { join } from "node:path";
import { openDatabase } from "../../src/storage/database.ts";
import * as todos from "../../src/storage/todos.ts";
import * as users from "../../src/storage/users.ts";

/** Todos of one transaction. */
const step = 1000;

/** Makes a database of at least so many bytes: the todos of one user. */
export async function fillDatabase(folder: string, bytes: number): Promise<void> {
  const db = await openDatabase({ folder });
  const now = "2026-11-20 12:00:00";
  const id = randomUUID();
  const email = `${id}@example.org`;
  users.insert(db, {
    id,
    email,
    name: "Filler",
    now,
    passwordHash: "",
    avatar_url: null,
    settings: null,
  });
  const owner = { id, seq: users.find(db, id)!.seq };
  const off = { sync_enabled: false, reminder_enabled: false, recurring_enabled: false };
  const description = "Something to be done, at length. ".repeat(8);
  while (statSync(join(folder, "todo.db")).size < bytes) {
    db.transaction(() => {
      for (let number = 0; number < step; number += 1) {
        const title = `Filling ${randomUUID()}`;
        const todo = { id: randomUUID(), title, description, status: "open" as const, now };
        todos.insert(db, owner, { ...todo, ...off });
      }
    });
    await db.durable();
  }
  await db.close();
}
