// The types of Node 20, which this program is checked with, do not know Node 24's SQLite yet.
declare module "node:sqlite" {
  type SqlValue = string | number | null | Uint8Array;
  class StatementSync {
    all(...params: readonly SqlValue[]): unknown[];
    get(...params: readonly SqlValue[]): unknown;
    run(...params: readonly SqlValue[]): { changes: number; lastInsertRowid: number };
  }
  class DatabaseSync {
    constructor(path: string);
    close(): void;
    exec(sql: string): void;
    prepare(sql: string): StatementSync;
  }
}
