/** One step of the schema. Once released it is never changed: later changes are later steps. */
export interface Migration {
  /** Kept in the file as `user_version`; each step's is greater than the one before. */
  readonly version: number;
  readonly name: string;
  /** SQL statements; the runner wraps them in one transaction. */
  readonly up: string;
}
