import type { Connection } from "./connection.ts";

/**
 * Answers what was read before under that key, or reads it now.
 *
 * @param read what is undefined is not remembered
 */
export type Memory<Value> = <Read extends Value | undefined>(
  db: Connection,
  key: string,
  read: () => Read,
) => Read;

/**
 * Remembers what was read from tables until one of them changes. This is exact: nobody else can
 * write to the database, and every statement is seen; see changes.ts.
 *
 * @param tables every table that is read, besides those that only their triggers write to; `users`
 *   too where rows have an owner: they go with the owner, whose `seq` the next user gets
 * @param maxEntries when so many are remembered, all are forgotten
 */
export function createMemory<Value>(tables: readonly string[], maxEntries: number): Memory<Value> {
  const memories = new WeakMap<Connection, { version: number; values: Map<string, Value> }>();

  function valuesOf(db: Connection): Map<string, Value> {
    let version = 0;
    for (const table of tables) version += db.changes(table);
    let memory = memories.get(db);
    if (memory?.version !== version) {
      memory = { version, values: new Map() };
      memories.set(db, memory);
    }
    return memory.values;
  }

  return <Read extends Value | undefined>(db: Connection, key: string, read: () => Read): Read => {
    const values = valuesOf(db);
    const known = values.get(key);
    if (known !== undefined) return known as Read;
    const value = read();
    if (value === undefined) return value;
    if (values.size >= maxEntries) values.clear();
    values.set(key, value);
    return value;
  };
}
