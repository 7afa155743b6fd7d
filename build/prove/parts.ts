import { crash } from "./crash.ts";
import { failedSync } from "./failed-sync.ts";
import { backups } from "./backups.ts";
import { faults } from "./faults.ts";
import { fullDisk } from "./full-disk.ts";
import type { Part } from "./part.ts";
import { recovery } from "./recovery.ts";

/** Everything that the proof consists of, in the order in which it runs. */
export const parts: readonly Part[] = [crash, recovery, failedSync, faults, fullDisk, backups];
