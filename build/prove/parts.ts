import { faults } from "./faults.ts";
import { foreign } from "./foreign.ts";
import { fullDisk } from "./full-disk.ts";
import { lock } from "./lock.ts";
import type { Part } from "./part.ts";

/** Everything that the proof consists of, in the order in which it runs. */
export const parts: readonly Part[] = [faults, fullDisk, foreign, lock];
