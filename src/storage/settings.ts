import type { Connection } from "./connection.ts";

/** A setting of the installation (not of a user), as bytes. */
export function find(db: Connection, name: string): Uint8Array | undefined {
  return db.get<{ value: Uint8Array }>("SELECT value FROM settings WHERE name = ?", [name])?.value;
}

export function insert(db: Connection, name: string, value: Uint8Array): void {
  db.run("INSERT INTO settings (name, value) VALUES (?, ?)", [name, value]);
}
