import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Finished, Home } from "./_cli.ts";
import { start } from "./_running.ts";

/** What the command says on stderr when the check has begun. */
const checking = "the check has begun";

/** By then a command that is to end at once has failed to. */
const patienceMs = 60_000;

/**
 * Runs a command whose check of a copied database would never come to its end, and types Ctrl-C.
 *
 * @param copy the end of the copy's name
 */
export async function interruptCheck(
  home: Home,
  args: readonly string[],
  copy: string,
): Promise<Pick<Finished, "code" | "stdout" | "stderr">> {
  const preload = join(home.path, "endless.mjs");
  writeFileSync(
    preload,
    `import fs from "node:fs";
     import { syncBuiltinESMExports } from "node:module";
     const { readSync, readlinkSync, writeSync } = fs;
     fs.readSync = (fd, ...args) => {
       if (!readlinkSync("/proc/self/fd/" + fd).endsWith("${copy}")) return readSync(fd, ...args);
       writeSync(2, "${checking}\\n");
       for (;;);
     };
     syncBuiltinESMExports();`,
  );
  const running = start(home, args, { NODE_OPTIONS: `--import ${preload}` });
  await running.shows(checking);
  const guard = setTimeout(() => running.child.kill("SIGKILL"), patienceMs);
  running.child.kill("SIGINT");
  const { code, stdout, stderr } = await running.finished;
  clearTimeout(guard);
  return { code, stdout, stderr: stderr.replace(`${checking}\n`, "") };
}
