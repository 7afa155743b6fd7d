import { nodeFs, type HostFs } from "../../src/storage/host-fs.ts";

/** What a call answers instead of its result; `short`: it reads or writes only half. */
export const faultKinds = ["EIO", "ENOSPC", "EDQUOT", "EINTR", "short"] as const;

export interface Fault {
  kind: (typeof faultKinds)[number];
  /** The call that it befalls, counted from 0. */
  at: number;
  /** Whether it befalls all later calls too. */
  lasting: boolean;
}

/** A file system whose calls are counted, and befallen by a fault. */
export interface FaultyFs {
  fs: HostFs;
  /** How many calls there were. */
  calls: () => number;
  /** Whether a call was befallen: not by `short`, say, when nothing was read or written. */
  hasStruck: () => boolean;
}

type HostCall = (...args: unknown[]) => unknown;

/** The real file system, with a fault. */
export function createFaultyFs(fault?: Fault): FaultyFs {
  let calls = 0;
  let hasStruck = false;

  function befalling(name: string): Fault | undefined {
    const index = calls++;
    if (!fault || index < fault.at || (index > fault.at && !fault.lasting)) return undefined;
    if (fault.kind === "short" && name !== "readSync" && name !== "writeSync") return undefined;
    hasStruck = true;
    return fault;
  }

  const fs = new Proxy({} as HostFs, {
    get(_target, name: keyof HostFs) {
      const call = nodeFs[name] as HostCall;
      return (...args: unknown[]) => {
        const befallen = befalling(name);
        if (!befallen) return call(...args);
        if (befallen.kind === "short") return callShort(call, args);
        return callFailing(call, name, args, befallen);
      };
    },
  });
  return { fs, calls: () => calls, hasStruck: () => hasStruck };
}

/** Reads and writes have the length as their fourth argument. */
function callShort(call: HostCall, args: unknown[]): unknown {
  return call(...args.with(3, Math.ceil(Number(args[3]) / 2)));
}

function callFailing(call: HostCall, name: string, args: unknown[], { kind }: Fault): unknown {
  const error = Object.assign(new Error(`${kind}: injected, ${name}`), {
    code: kind,
    syscall: name.replace("Sync", ""),
  });
  if (name === "fdatasync") return setImmediate(args.at(-1) as (error: Error) => void, error);
  // A descriptor is gone, whatever closing it answers.
  if (name === "closeSync") call(...args);
  throw error;
}
