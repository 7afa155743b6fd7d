import { DATABASE } from "../../../src/storage/file-names.ts";
import type { Trace, TraceEvent } from "./trace.ts";

/** A rule of the design that is broken on purpose: the proof must notice. */
export interface Control {
  name: string;
  /** The same run of the engine, as if it did not keep the rule. */
  breakRule: (trace: Trace) => Trace;
}

export const controls: readonly Control[] = [
  {
    name: "acknowledged before the sync",
    breakRule: (trace) => acknowledging(trace, (_, isCommit) => isCommit),
  },
  {
    name: "acknowledged what was committed after the sync began",
    breakRule: (trace) => acknowledging(trace, ({ kind }) => kind === "sync ends"),
  },
  {
    name: "database never synced",
    breakRule: (trace) => withoutSyncs(trace, (name) => name === DATABASE),
  },
  { name: "folder never synced", breakRule: (trace) => withoutSyncs(trace, (name) => name === "") },
];

/** Acknowledges, at certain moments, everything that was committed until then. */
function acknowledging(
  trace: Trace,
  isMoment: (event: TraceEvent, isCommit: boolean) => boolean,
): Trace {
  let begun = 0;
  let committed = 0;
  let isCommitting = false;
  const events = trace.events.flatMap((event): TraceEvent[] => {
    if (event.kind === "begun") begun = event.transaction;
    const isCommit = event.kind === "write" && isCommitting;
    if (isCommit) committed = begun;
    isCommitting = isLastHeader(event);
    if (!isMoment(event, isCommit)) return [event];
    return [event, { kind: "acknowledged", transaction: committed }];
  });
  return { ...trace, events };
}

/**
 * Whether a write is the header of a transaction's last frame in the log, which its page follows:
 * https://sqlite.org/fileformat2.html#the_write_ahead_log
 */
function isLastHeader(event: TraceEvent): boolean {
  return event.kind === "write" && event.bytes.length === 24 && event.bytes.readUInt32BE(4) !== 0;
}

/** Leaves out the syncs of what was opened under certain names. */
function withoutSyncs(trace: Trace, isMeant: (name: string) => boolean): Trace {
  const names = new Map<number, string>();
  const events = trace.events.filter((event) => {
    if (event.kind === "open") names.set(event.fd, event.name);
    if (event.kind !== "sync begins" && event.kind !== "sync ends") return true;
    return !isMeant(names.get(event.fd)!);
  });
  return { ...trace, events };
}
