// A process that takes the lock of a folder as soon as it can and holds it to its end: in argv the
// folder, the file for its testimony and its name. While it holds the lock it says so in that file,
// with the time of the system's monotonic clock, which all processes share.
import { appendFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

import { acquireLock } from "../../src/storage/lock.ts";

const BEAT_MS = 2;

const [folder = "", testimony = "", name = ""] = process.argv.slice(2);

async function acquire(): Promise<void> {
  for (;;) {
    try {
      await acquireLock(folder);
      return;
    } catch (error) {
      const { code } = error as { code?: string };
      if (code !== "locked") process.stdout.write(`error ${String(error)}\n`);
      await sleep(20 * Math.random());
    }
  }
}

function testify(): bigint {
  const now = process.hrtime.bigint();
  appendFileSync(testimony, `${name} ${now}\n`);
  return now;
}

process.stdin.on("end", () => process.exit()).resume();
await acquire();
process.stdout.write(`held ${testify()}\n`);
setInterval(testify, BEAT_MS);
