import { backups } from "./backups.ts";
import { crash } from "./crash.ts";
import { failedSync } from "./failed-sync.ts";
import { faults } from "./faults.ts";
import { foreign } from "./foreign.ts";
import { fullDisk } from "./full-disk.ts";
import { fuzz } from "./fuzz.ts";
import { kill } from "./kill.ts";
import { linearizability } from "./linearizability.ts";
import { lock } from "./lock.ts";
import { login } from "./login.ts";
import { model } from "./model.ts";
import type { Part } from "./part.ts";
import { recovery } from "./recovery.ts";
import { secrets } from "./secrets.ts";
import { slowClients } from "./slow-clients.ts";
import { soak } from "./soak.ts";
import { tokens } from "./tokens.ts";

/** Everything that the proof consists of, in the order in which it runs. */
export const parts: readonly Part[] = [
  crash,
  recovery,
  failedSync,
  faults,
  fullDisk,
  kill,
  linearizability,
  soak,
  foreign,
  lock,
  backups,
  model,
  fuzz,
  slowClients,
  login,
  tokens,
  secrets,
];
