import { NOMEM, OK, ROW, SqliteError } from "./result-codes.ts";
import { SCRATCH_BYTES, type Sqlite } from "./sqlite.ts";

/** A value of SQL. Integers beyond 2^53 are not used. */
export type SqlValue = string | number | null | Uint8Array;

/** A prepared statement. */
export interface Statement {
  /**
   * Executes it to its end, or to the given number of rows.
   *
   * @throws {SqliteError} when SQLite refuses it.
   * @throws TypeError when the parameters are not as many as the statement has, or of another type.
   */
  execute(params: readonly SqlValue[], maxRows: number): object[];
  finalize(): void;
}

/** SQLite makes a copy of the value during the call. */
const TRANSIENT = -1;

const MAX_UTF8_BYTES_PER_UNIT = 3;

// https://sqlite.org/c3ref/c_blob.html
const INTEGER = 1;
const FLOAT = 2;
const TEXT = 3;
const BLOB = 4;

type Row = Record<string, SqlValue>;

/**
 * Prepares one SQL statement.
 *
 * @throws {SqliteError} when SQLite refuses it.
 */
export function prepareStatement(sqlite: Sqlite, db: number, sql: string): Statement {
  const { heap } = sqlite;
  const statement = compile(sqlite, db, sql);
  const paramCount = countParams(sqlite, statement);
  let columns: readonly string[] | undefined;

  function bind(index: number, value: SqlValue): number {
    if (value === null) return OK;
    if (typeof value === "string") return bindText(index, value);
    if (typeof value === "number") {
      if (Number.isNaN(value)) throw new TypeError(`SQL parameter ${index} is not a number`);
      // Only `sqlite3_bind_int64` is missing; a column of integers makes whole numbers integers.
      return (value | 0) === value
        ? sqlite.sqlite3_bind_int(statement, index, value)
        : sqlite.sqlite3_bind_double(statement, index, value);
    }
    if (value instanceof Uint8Array) return bindBlob(index, value);
    throw new TypeError(`SQL parameter ${index} is neither text, number, null nor bytes`);
  }

  function bindText(index: number, text: string): number {
    return withMemory(sqlite, text.length * MAX_UTF8_BYTES_PER_UNIT, (pointer) => {
      const size = heap.bytes().write(text, pointer);
      return sqlite.sqlite3_bind_text(statement, index, pointer, size, TRANSIENT);
    });
  }

  function bindBlob(index: number, blob: Uint8Array): number {
    return withMemory(sqlite, blob.length, (pointer) => {
      heap.bytes().set(blob, pointer);
      return sqlite.sqlite3_bind_blob(statement, index, pointer, blob.length, TRANSIENT);
    });
  }

  function bindAll(params: readonly SqlValue[]): void {
    if (params.length !== paramCount) {
      throw new TypeError(`SQL takes ${paramCount} parameters, not ${params.length}: ${sql}`);
    }
    for (let index = 0; index < paramCount; index++) {
      const result = bind(index + 1, params[index]!);
      if (result !== OK) throw new SqliteError(result, `parameter ${index + 1}`);
    }
  }

  function readColumns(): string[] {
    return Array.from({ length: sqlite.sqlite3_column_count(statement) }, (_, column) =>
      heap.cString(sqlite.sqlite3_column_name(statement, column)),
    );
  }

  function readValue(column: number): SqlValue {
    switch (sqlite.sqlite3_column_type(statement, column)) {
      case INTEGER:
      case FLOAT:
        return sqlite.sqlite3_column_double(statement, column);
      case TEXT: {
        const pointer = sqlite.sqlite3_column_text(statement, column);
        const size = sqlite.sqlite3_column_bytes(statement, column);
        return heap.bytes().toString("utf8", pointer, pointer + size);
      }
      case BLOB: {
        const pointer = sqlite.sqlite3_column_blob(statement, column);
        const size = sqlite.sqlite3_column_bytes(statement, column);
        return new Uint8Array(heap.bytes().subarray(pointer, pointer + size));
      }
      default:
        return null;
    }
  }

  function readRow(names: readonly string[]): Row {
    const row: Row = {};
    for (let column = 0; column < names.length; column++) row[names[column]!] = readValue(column);
    return row;
  }

  function collect(maxRows: number): Row[] {
    const rows: Row[] = [];
    while (sqlite.sqlite3_step(statement) === ROW) {
      columns ??= readColumns();
      rows.push(readRow(columns));
      if (rows.length === maxRows) break;
    }
    return rows;
  }

  return {
    execute(params, maxRows) {
      // Parameters keep their values from one execution to the next, and those left out are NULL.
      sqlite.sqlite3_clear_bindings(statement);
      bindAll(params);
      const rows = collect(maxRows);
      // Also answers the error of a failed step, and that of a commit which only happens here.
      const result = sqlite.sqlite3_reset(statement);
      if (result !== OK) throw sqliteError(sqlite, db, result);
      return rows;
    },
    finalize() {
      sqlite.sqlite3_finalize(statement);
    },
  };
}

/**
 * Executes statements without parameters, each to its end.
 *
 * @throws {SqliteError} when SQLite refuses one; those before it stand.
 */
export function executeScript(sqlite: Sqlite, db: number, sql: string): void {
  const result = withCString(sqlite, sql, (text) => sqlite.sqlite3_exec(db, text, 0, 0, 0));
  if (result !== OK) throw sqliteError(sqlite, db, result);
}

/** The error of the call that failed last. */
export function sqliteError(sqlite: Sqlite, db: number, result: number): SqliteError {
  return new SqliteError(result, sqlite.heap.cString(sqlite.sqlite3_errmsg(db)));
}

/** Calls with the text as C knows it. */
export function withCString<T>(sqlite: Sqlite, text: string, call: (pointer: number) => T): T {
  return withMemory(sqlite, text.length * MAX_UTF8_BYTES_PER_UNIT + 1, (pointer) => {
    const bytes = sqlite.heap.bytes();
    bytes[pointer + bytes.write(text, pointer)] = 0;
    return call(pointer);
  });
}

function compile(sqlite: Sqlite, db: number, sql: string): number {
  const result = withCString(sqlite, sql, (text) =>
    sqlite.sqlite3_prepare_v2(db, text, -1, sqlite.cell, 0),
  );
  if (result !== OK) throw sqliteError(sqlite, db, result);
  const statement = sqlite.heap.view().getUint32(sqlite.cell, true);
  if (statement === 0) throw new TypeError("This SQL has no statement");
  return statement;
}

/** The build does not export `sqlite3_bind_parameter_count`, so ask for each until one is refused. */
function countParams(sqlite: Sqlite, statement: number): number {
  let count = 0;
  while (sqlite.sqlite3_bind_int(statement, count + 1, 0) === OK) count++;
  return count;
}

function withMemory<T>(sqlite: Sqlite, size: number, use: (pointer: number) => T): T {
  if (size <= SCRATCH_BYTES) return use(sqlite.scratch);
  const pointer = sqlite.malloc(size);
  if (pointer === 0) throw new SqliteError(NOMEM, `a value of ${size} bytes`);
  try {
    return use(pointer);
  } finally {
    sqlite.free(pointer);
  }
}
