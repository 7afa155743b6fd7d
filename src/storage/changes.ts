/** Counts what may have changed a table, so that what was read of it can be remembered until then. */
export interface Changes {
  /** Rises whenever the table's rows may have become others. */
  of: (table: string) => number;
  /** Counts a statement that is executed. */
  statement: (sql: string) => void;
  /** Counts the undoing of a transaction, which may concern every table. */
  undone: () => void;
}

const writing = /^\s*(?:INSERT\s+INTO|UPDATE|DELETE\s+FROM)\s+(\w+)/;

/** Counts from zero. What triggers and cascades do counts for the table that caused it. */
export function createChanges(): Changes {
  const counts = new Map<string, number>();
  let undone = 0;

  return {
    of: (table) => (counts.get(table) ?? 0) + undone,
    statement(sql) {
      const table = writing.exec(sql)?.[1];
      if (table !== undefined) counts.set(table, (counts.get(table) ?? 0) + 1);
    },
    undone() {
      undone += 1;
    },
  };
}
