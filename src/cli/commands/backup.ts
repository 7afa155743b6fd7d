import { createReadStream, renameSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import type { Command } from "commander";
import { type Copied, copyDatabase } from "../backup/copy.ts";
import { draftIn } from "../backup/draft.ts";
import { checkTarget } from "../backup/target.ts";
import { CliError } from "../errors.ts";
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { localFolder } from "../instance/local-folder.ts";
import type { Output } from "../output/output.ts";
import { formatCount, formatSize } from "../output/sizes.ts";
import { withFlags } from "../session.ts";

/** `todo backup`: a checked copy of the database, also while a server runs on it. */
export function addBackupCommand(program: Command): void {
  const command = program
    .command("backup")
    .description(
      "Copy the database of a data folder of this machine, with all users and todos, into one plain SQLite file, and check the copy. A server that runs on the folder goes on meanwhile.",
    )
    .summary("copy the database, and check the copy")
    .argument("<file>", "the new file; - for stdout")
    .option("-f, --force", "replace the file if it exists", false)
    .action(withFlags(runBackup));
  addExamples(command, [
    ["todo backup /mnt/usb/todo.db", "to another disk"],
    ['todo backup "todo-$(date +%F).db"', "one for each day"],
    ["todo backup - | ssh nas 'cat > todo.db'", "to another machine"],
    ["todo backup --data /var/lib/todo todo.db", "of a server's data folder"],
  ]);
}

async function runBackup(
  flags: Flags,
  output: Output,
  file: string,
  { force }: { force: boolean },
): Promise<void> {
  const folder = localFolder(flags, "backup");
  if (file === "-") return toStdout(output, folder);
  const target = checkTarget(file, folder, force);
  using draft = draftIn(dirname(target));
  const made = await copyDatabase(output, { folder, draft: draft.path, name: file });
  // Somebody may have made one meanwhile.
  checkTarget(file, folder, force);
  renameSync(draft.path, target);
  const { nodeFs } = await import("../../storage/host-fs.ts");
  const { syncFolder } = await import("../../storage/safe-files.ts");
  syncFolder(nodeFs, dirname(target));
  await output.show({ file: target, ...made }, () => {
    output.tell(`Backed up ${folder} to ${file}: ${describe(made)}`);
  });
}

async function toStdout(output: Output, folder: string): Promise<void> {
  if (process.stdout.isTTY) {
    throw new CliError("usage", "A backup is no text for a terminal. Name a file, or use a pipe.");
  }
  using draft = draftIn(tmpdir());
  // Only what is complete and checked goes out.
  const made = await copyDatabase(output, {
    folder,
    draft: draft.path,
    name: `The copy in ${tmpdir()}`,
  });
  try {
    await pipeline(createReadStream(draft.path), process.stdout, { end: false });
  } catch (error) {
    const { message } = error as Error;
    throw new CliError("failed", `Not all of the backup could be written: ${message}.`, {
      cause: error,
    });
  }
  output.tell(`Backed up ${folder}: ${describe(made)}`);
}

function describe({ todos, users, bytes, ms }: Copied): string {
  const what = `${formatCount(todos, "todo")} of ${formatCount(users, "user")}`;
  return `${what}, ${formatSize(bytes)}, checked, in ${(ms / 1000).toFixed(1)} s.`;
}
