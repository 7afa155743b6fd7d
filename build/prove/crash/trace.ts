/**
 * What reached the operating system, call by call, for one folder. Names are those of its entries;
 * the empty name is the folder itself. A sync is two calls, because much can happen until it ends.
 */
export type DiskCall =
  | { kind: "open"; fd: number; name: string; created: boolean }
  | { kind: "close"; fd: number }
  | { kind: "write"; fd: number; at: number; bytes: Buffer }
  | { kind: "truncate"; fd: number; size: number }
  | { kind: "sync begins"; fd: number; sync: number }
  | { kind: "sync ends"; fd: number; sync: number }
  | { kind: "rename"; from: string; to: string }
  | { kind: "unlink"; name: string }
  | { kind: "mkdir"; name: string }
  | { kind: "rmdir"; name: string };

/** What the program was asked to do, and what it promised, between those calls. */
export type Mark =
  /** A process starts; it brings the schema to this version. */
  | { kind: "starting"; version: number }
  /** It is ready. What it then shows may never vanish: everything up to this transaction. */
  | { kind: "ready"; version: number; transaction: number }
  | { kind: "begun"; transaction: number }
  | { kind: "acknowledged"; transaction: number };

export type TraceEvent = DiskCall | Mark;

/** A recorded run of the engine. */
export interface Trace {
  events: readonly TraceEvent[];
  /** The digest of the database's content after each transaction, by number; 0 is before any. */
  digests: readonly string[];
  /** What the backup may be that is taken before the schema is changed. */
  backups: readonly Buffer[];
}

/** The name of that backup. */
export const BACKUP = "todo.db.v1.bak";

/** What must hold after a power cut at a certain moment. */
export interface Promised {
  /** The version that the next process brings the schema to. */
  version: number;
  /** This transaction and all before it were acknowledged. */
  acknowledged: number;
  /** No later one was begun. */
  begun: number;
  /** The schema was changed, so a backup of what it was before must be there. */
  backup: boolean;
}

export const nothingPromised: Promised = { version: 1, acknowledged: 0, begun: 0, backup: false };

/** What is promised after an event. */
export function promisedAfter(promised: Promised, event: TraceEvent): Promised {
  const acknowledge = (transaction: number): Promised => ({
    ...promised,
    acknowledged: Math.max(promised.acknowledged, transaction),
  });
  switch (event.kind) {
    case "starting":
      return { ...promised, version: event.version };
    case "ready":
      return { ...acknowledge(event.transaction), backup: event.version > 1 };
    case "begun":
      return { ...promised, begun: event.transaction };
    case "acknowledged":
      return acknowledge(event.transaction);
    default:
      return promised;
  }
}
