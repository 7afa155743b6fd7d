import { createChanges } from "./changes.ts";
import { StorageError } from "./errors.ts";
import { OK, SqliteError } from "./result-codes.ts";
import type { Sqlite } from "./sqlite.ts";
import { createStatementCache } from "./statement-cache.ts";
import { executeScript, sqliteError, withCString, type SqlValue } from "./statement.ts";

export type { SqlValue } from "./statement.ts";

/**
 * SQL on the open database. Every function is synchronous.
 *
 * All throw {@link StorageError} when SQLite refuses (`constraint`, `full`, `io`, `corrupt`) or the
 * database is no longer in use (`failed`), and TypeError when the parameters do not fit the SQL.
 */
export interface Connection {
  /** Every row, as a plain object keyed by column name. */
  all<Row extends object>(sql: string, params?: readonly SqlValue[]): Row[];
  /** The first row. */
  // oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller knows its columns
  get<Row extends object>(sql: string, params?: readonly SqlValue[]): Row | undefined;
  /** Answers the number of rows that an INSERT, UPDATE or DELETE changed. */
  run(sql: string, params?: readonly SqlValue[]): number;
  /**
   * Does everything in the action, or nothing when it throws. Within another transaction, only this
   * part is undone. The action must be synchronous: a promise is refused, and undone.
   */
  transaction<T>(action: () => T): T;
  /** Rises whenever the table's rows may have become others, also those of an open transaction. */
  changes(table: string): number;
}

/** A connection as its owner sees it. */
export interface OwnedConnection extends Connection {
  /** Opens a transaction: those that follow are parts of it, until it ends. */
  begin(): void;
  /**
   * Ends it. When it cannot be committed, it is undone.
   *
   * @throws {StorageError} when nothing of it has happened.
   */
  commit(): void;
  /** Ends it, and undoes all of it. */
  rollback(): void;
  /** Why SQLite has given up the open transaction, when it has. */
  broken(): StorageError | undefined;
  /** Executes several statements, without parameters. */
  script(sql: string): void;
  /** Makes every later call throw this error. */
  refuse(error: StorageError): void;
  close(): void;
}

export interface ConnectionEvents {
  /** Called when a statement or transaction has ended, well or not. */
  onSettled?: () => void;
  /** Called when SQLite is no longer to be trusted. The connection is of no more use. */
  onCrash?: (error: StorageError) => void;
}

/**
 * Opens a database file.
 *
 * @param path in SQLite's own file system; see {@link virtualPath}.
 * @throws {StorageError} as SQLite answers. Most of what is wrong with a file only shows at the
 *   first statement.
 */
export function openConnection(
  sqlite: Sqlite,
  path: string,
  { onSettled, onCrash }: ConnectionEvents = {},
): OwnedConnection {
  const opened = withCString(sqlite, path, (name) => sqlite.sqlite3_open(name, sqlite.cell));
  const db = sqlite.heap.view().getUint32(sqlite.cell, true);
  if (opened !== OK) throw sqliteError(sqlite, db, opened);
  const statements = createStatementCache(sqlite, db);
  const changes = createChanges();
  let refused: StorageError | undefined;
  /** SQLite has ended the transaction by itself: what follows would not be part of any. */
  let broken: SqliteError | undefined;
  let depth = 0;

  function attempt<T>(work: () => T): T {
    if (refused) throw refused;
    if (broken) throw broken;
    try {
      return work();
    } catch (error) {
      if (error instanceof SqliteError) {
        if (depth > 0 && error.endsTransaction) broken = error;
        throw error;
      }
      if (error instanceof TypeError) throw error;
      throw crash(error);
    }
  }

  /** WebAssembly was left in the middle of its work, so its memory means nothing any more. */
  function crash(cause: unknown): StorageError {
    refused = new StorageError(
      "failed",
      "The database stopped working because of an error inside SQLite. Start the server again.",
      { cause },
    );
    onCrash?.(refused);
    return refused;
  }

  function execute(sql: string, params: readonly SqlValue[], maxRows: number): object[] {
    changes.statement(sql);
    return attempt(() => statements.get(sql).execute(params, maxRows));
  }

  function settled(): void {
    if (depth === 0 && !refused) onSettled?.();
  }

  /** Executes, and tells the end when no transaction does. */
  function executeAndSettle(sql: string, params: readonly SqlValue[], maxRows: number): object[] {
    try {
      return execute(sql, params, maxRows);
    } finally {
      settled();
    }
  }

  function undo(outermost: boolean): void {
    changes.undone();
    if (refused || (broken && !outermost)) return;
    const ended = broken;
    broken = undefined;
    try {
      for (const sql of outermost ? ["ROLLBACK"] : ["ROLLBACK TO nested", "RELEASE nested"]) {
        execute(sql, [], 0);
      }
    } catch (error) {
      // There is nothing to undo when SQLite already has.
      if (!ended) throw crash(error);
    }
  }

  function begin(): void {
    execute("BEGIN IMMEDIATE", [], 0);
    depth++;
  }

  /** Ends the outermost transaction, and undoes it when it cannot be committed. */
  function end(sql: "COMMIT" | "ROLLBACK"): void {
    try {
      if (sql === "COMMIT") execute(sql, [], 0);
      else undo(true);
    } catch (error) {
      undo(true);
      throw error;
    } finally {
      depth--;
      broken = undefined;
    }
  }

  function nest<T>(action: () => T): T {
    execute("SAVEPOINT nested", [], 0);
    depth++;
    try {
      const result = action();
      refusePromise(result);
      execute("RELEASE nested", [], 0);
      return result;
    } catch (error) {
      undo(false);
      throw error;
    } finally {
      depth--;
    }
  }

  function transact<T>(action: () => T): T {
    if (depth > 0) return nest(action);
    begin();
    let result: T;
    try {
      result = action();
      refusePromise(result);
    } catch (error) {
      end("ROLLBACK");
      throw error;
    }
    end("COMMIT");
    return result;
  }

  return {
    all: ((sql, params = []) => executeAndSettle(sql, params, Infinity)) as Connection["all"],
    get: ((sql, params = []) => executeAndSettle(sql, params, 1)[0]) as Connection["get"],
    run(sql, params = []) {
      executeAndSettle(sql, params, Infinity);
      return sqlite.sqlite3_changes(db);
    },
    transaction(action) {
      try {
        return transact(action);
      } finally {
        settled();
      }
    },
    changes: (table) => changes.of(table),
    begin,
    commit() {
      try {
        end("COMMIT");
      } finally {
        settled();
      }
    },
    rollback() {
      end("ROLLBACK");
    },
    broken: () => broken,
    script(sql) {
      attempt(() => executeScript(sqlite, db, sql));
    },
    refuse(error) {
      refused ??= error;
    },
    close() {
      attempt(() => {
        statements.clear();
        const result = sqlite.sqlite3_close_v2(db);
        if (result !== OK) throw new SqliteError(result, "close");
      });
    },
  };
}

function refusePromise(result: unknown): void {
  if (typeof result !== "object" || result === null || !("then" in result)) return;
  throw new TypeError("A transaction takes a synchronous function, not one that answers a promise");
}
