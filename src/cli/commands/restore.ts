import { join } from "node:path";
import type { Command } from "commander";
import type { Restore, RestoreSource } from "../../storage/restore.ts";
import type { Contents } from "../../storage/verify.ts";
import { discardAtExit } from "../drafts.ts";
import { CliError } from "../errors.ts";
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { localFolder } from "../instance/local-folder.ts";
import { adviceForLocalKey, localAccount } from "../instance/local-account.ts";
import { interruptible } from "../interruptible.ts";
import type { Output } from "../output/output.ts";
import { startProgress } from "../output/progress.ts";
import { formatCount } from "../output/sizes.ts";
import { askConsent } from "../prompts.ts";
import { withFlags } from "../session.ts";

/** `todo restore`: a backup takes the place of the database. */
export function addRestoreCommand(program: Command): void {
  const command = program
    .command("restore")
    .description(
      "Put a backup in the place of the database of a data folder, after checking it. The replaced database is kept beside it. No server may run on the folder meanwhile.",
    )
    .summary("put a backup in the place of the database")
    .argument("<file>", "the backup; - for stdin")
    .action(withFlags(runRestore));
  addExamples(command, [
    ["todo restore /mnt/usb/todo.db", "from another disk; asks before it replaces"],
    ["ssh nas cat todo.db | todo restore - --yes", "from another machine"],
    ["todo restore --data /var/lib/todo todo.db", "into a server's data folder"],
  ]);
}

async function runRestore(flags: Flags, output: Output, file: string): Promise<void> {
  const folder = localFolder(flags, "restore");
  const source = sourceOf(file);
  const restore = await open(folder);
  const draft = discardAtExit(() => restore.discard());
  try {
    await take(output, restore, source);
    const contents = interruptible(() => restore.check());
    const name = file === "-" ? "stdin" : file;
    await confirm(flags, restore, `${describe(contents)} from ${name}`);
    const advice = adviceForAccount(restore, folder, await hashing());
    const replaced = restore.commit();
    const kept = replaced === undefined ? null : join(folder, replaced);
    await output.show({ folder, replaced: kept, ...contents }, () => {
      output.tell(`Restored ${describe(contents)} into ${folder}.`);
      if (kept !== null) output.tell(`The replaced database is kept as ${kept}.`);
    });
    if (advice !== undefined) output.tell(advice);
  } finally {
    draft[Symbol.dispose]();
    await restore.close();
  }
}

function sourceOf(file: string): RestoreSource {
  if (file !== "-") return { path: file };
  if (process.stdin.isTTY) {
    throw new CliError("usage", "A backup cannot be typed. Name a file, or use a pipe.");
  }
  return { name: "What came from stdin", bytes: process.stdin };
}

async function open(folder: string): Promise<Restore> {
  const { openRestore } = await import("../../storage/restore.ts");
  const { findHolder } = await import("../../storage/lock.ts");
  try {
    return await openRestore(folder);
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "locked")) throw error;
    const url = (await findHolder(folder).catch(() => undefined))?.url;
    const message =
      url === undefined
        ? `Another process is using the data folder ${folder}. Wait until it has finished, or stop it.`
        : `A server runs on the data folder ${folder}, at ${url}. Stop it first: with Ctrl-C where it was started, or as a service with \`systemctl stop\`.`;
    throw new CliError("failed", `${message} Nothing was changed.`, { cause: error });
  }
}

async function take(output: Output, restore: Restore, source: RestoreSource): Promise<void> {
  using progress = startProgress(output, "Copying, in MB");
  await restore.take(source, (bytes) => progress.report(Math.ceil(bytes / 1e6)));
}

async function confirm(flags: Flags, restore: Restore, what: string): Promise<void> {
  if (!restore.replaces) return;
  const question = `Replace the database in ${flags.data} by ${what}? It is kept beside the new one.`;
  if (await askConsent(flags, question)) return;
  throw new CliError("failed", "Nothing was changed.");
}

async function hashing(): Promise<(key: string) => string> {
  const { hashKey } = await import("../../services/api-key.ts");
  return hashKey;
}

/** The file of the local account is no part of the database. Undefined when there is nothing to say. */
function adviceForAccount(
  restore: Restore,
  folder: string,
  hash: (key: string) => string,
): string | undefined {
  try {
    const account = localAccount(folder);
    if (account === undefined) {
      return "Copy local-account.json from the old data folder, too, to go on with its local account; or log in with `todo login`.";
    }
    const now = new Date().toISOString().slice(0, 19).replace("T", " ");
    if (restore.knowsKey(hash(account.key), now)) return undefined;
    return `The local account is not in it. ${adviceForLocalKey(folder)}`;
  } catch {
    // Its file is broken, as the next command says; or the database is of an older form.
    return undefined;
  }
}

function describe({ todos, users }: Contents): string {
  return `${formatCount(todos, "todo")} of ${formatCount(users, "user")}`;
}
