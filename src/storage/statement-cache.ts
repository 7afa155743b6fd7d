import type { Sqlite } from "./sqlite.ts";
import { prepareStatement, type Statement } from "./statement.ts";

/** More than the program has, so that only generated SQL is ever prepared twice. */
const MAX_STATEMENTS = 256;

/** The prepared statements of a connection, by their SQL; the least recently used one goes first. */
export interface StatementCache {
  get(sql: string): Statement;
  clear(): void;
}

/** An empty cache for a connection. */
export function createStatementCache(sqlite: Sqlite, db: number): StatementCache {
  // A map keeps the order of insertion, so its first entry is the one used least recently.
  const statements = new Map<string, Statement>();

  function remember(sql: string, statement: Statement): Statement {
    statements.delete(sql);
    statements.set(sql, statement);
    return statement;
  }

  function makeRoom(): void {
    if (statements.size < MAX_STATEMENTS) return;
    for (const [sql, statement] of statements) {
      statement.finalize();
      statements.delete(sql);
      return;
    }
  }

  return {
    get(sql) {
      const known = statements.get(sql);
      if (known) return remember(sql, known);
      const statement = prepareStatement(sqlite, db, sql);
      makeRoom();
      return remember(sql, statement);
    },
    clear() {
      for (const statement of statements.values()) statement.finalize();
      statements.clear();
    },
  };
}
