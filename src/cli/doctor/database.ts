import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Examined, Files } from "../../storage/examine.ts";
import { copyDatabase } from "../backup/copy.ts";
import { draftIn } from "../backup/draft.ts";
import { CliError } from "../errors.ts";
import { interruptible } from "../interruptible.ts";
import type { Output } from "../output/output.ts";
import { formatCount, formatSize } from "../output/sizes.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** Far more than the log grows to before it is taken over, in bytes. */
const largeLog = 64 * 1024 * 1024;

/** Records may come from machines whose clocks are a little ahead. */
const dayMs = 24 * 60 * 60 * 1000;

const { ok, warning, problem } = findingsOf("database");

/**
 * Checks the database of a folder, without changing anything: of a running server by a copy, else
 * on the files as they are.
 *
 * @param server the URL of the server that runs on the folder
 * @returns what was found, and the database's size in bytes
 */
export async function checkDatabase(
  output: Output,
  folder: string,
  server: string | undefined,
): Promise<{ findings: Finding[]; size: number }> {
  const { examineFiles, knownSchema } = await import("../../storage/examine.ts");
  let files: Files;
  try {
    files = examineFiles(folder);
  } catch (error) {
    return { findings: [toProblem(error)], size: 0 };
  }
  const { size } = files;
  if (files.isRestoring) {
    const text = "A restore was interrupted after its database was checked.";
    return { findings: [warning(text, "The next start goes through with it.")], size };
  }
  if (files.database === "none") {
    return { findings: [ok("There is none yet; the first use makes it.")], size };
  }
  const findings = checkState(files, server, knownSchema);
  findings.push(...(await checkContents(output, folder, { files, server })));
  return { findings, size };
}

function checkState(files: Files, server: string | undefined, known: number): Finding[] {
  const { schema, size, logSize } = files;
  const findings = [
    schema < known
      ? ok(`Schema ${schema} of ${known}: the next start upgrades it, and keeps a copy.`)
      : ok(`Schema ${schema}, ${formatSize(size)}, and ${formatSize(logSize)} in its log.`),
  ];
  if (server === undefined && files.isUnclean) {
    const text = "It was not closed when its process ended.";
    findings.push(warning(text, "The next start recovers it by itself."));
  }
  if (logSize > largeLog) {
    const text = `Its log has grown to ${formatSize(logSize)}.`;
    findings.push(
      warning(text, "See that there is space on the disk, then start the server again."),
    );
  }
  return findings;
}

async function checkContents(
  output: Output,
  folder: string,
  { files, server }: { files: Files; server: string | undefined },
): Promise<Finding[]> {
  if (files.hasJournal && server === undefined) {
    const text = "Its pages were not checked: a journal is to be rolled back first.";
    return [warning(text, "Start the server, which does that, then run this again.")];
  }
  try {
    const contents =
      server === undefined
        ? await examineAtRest(folder)
        : await examineCopy(output, folder, files.size + files.logSize);
    return describe(contents);
  } catch (error) {
    if (error instanceof CliError && error.failure === "interrupted") throw error;
    return [toProblem(error)];
  }
}

/** Nobody may write meanwhile; where no lock can be made, nobody can. */
async function examineAtRest(folder: string): Promise<Examined | undefined> {
  const { acquireLock } = await import("../../storage/lock.ts");
  const { examineContents } = await import("../../storage/examine.ts");
  const lock = await acquireLock(folder).catch((error: unknown) => {
    if (codeOf(error) === "not_writable") return undefined;
    throw error;
  });
  try {
    return interruptible(() => examineContents(join(folder, "todo.db")));
  } finally {
    await lock?.release();
  }
}

/** Undefined when there is no room for a copy. */
async function examineCopy(
  output: Output,
  folder: string,
  size: number,
): Promise<Examined | undefined> {
  const { bavail, bsize } = await statfs(tmpdir());
  if (bavail * bsize < 2 * size) return undefined;
  using draft = draftIn(tmpdir());
  const name = `A copy in ${tmpdir()}`;
  return await copyDatabase(output, { folder, draft: draft.path, name });
}

function describe(contents: Examined | undefined): Finding[] {
  if (contents === undefined) {
    const text = `Its pages were not checked: there is no room for a copy in ${tmpdir()}.`;
    return [warning(text, "Set TMPDIR to a folder with more space, or run `todo backup`.")];
  }
  const { todos, users, newest } = contents;
  const what = `${formatCount(todos, "todo")} of ${formatCount(users, "user")}`;
  const findings = [ok(`Every page, index and reference is sound: ${what}.`)];
  const time = newest === null ? 0 : Date.parse(`${newest.replace(" ", "T")}Z`);
  if (time > Date.now() + dayMs) {
    const text = `Its newest record is of ${newest}, in the future.`;
    findings.push(warning(text, "Check the clocks of this machine and of those that use it."));
  }
  return findings;
}

function toProblem(error: unknown): Finding {
  const { message } = error as Error;
  if (codeOf(error) === "locked") {
    return warning("Another process is using it.", "Run this again in a moment.");
  }
  if (["corrupt", "io"].includes(codeOf(error) ?? "")) {
    return problem(
      message,
      "Keep a copy of the data folder, then restore a backup with `todo restore`.",
    );
  }
  return problem(message, "`todo restore` puts a backup in its place, and keeps what is there.");
}

function codeOf(error: unknown): string | undefined {
  return (error as NodeJS.ErrnoException).code;
}
