import type { Command } from "commander";
import { checkDatabase } from "../doctor/database.ts";
import type { Finding } from "../doctor/finding.ts";
import { checkCopies, checkDisk, checkFiles, checkFolder } from "../doctor/folder.ts";
import {
  checkAccount,
  checkClock,
  checkConfiguration,
  checkEnvironment,
  checkProgram,
  checkServer,
} from "../doctor/surroundings.ts";
import { CliError } from "../errors.ts";
import type { Flags } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { localFolder } from "../instance/local-folder.ts";
import type { Output } from "../output/output.ts";
import { formatCount } from "../output/sizes.ts";
import { harmless } from "../output/text.ts";
import { withFlags } from "../session.ts";

/** A server that is well answers sooner, in milliseconds. */
const patienceMs = 3000;

/** `todo doctor`: what is wrong with an installation, and what to do about it. */
export function addDoctorCommand(program: Command): void {
  const command = program
    .command("doctor")
    .description(
      "Check a data folder with its database, its server, the disk, the clock and the configuration, and say what to do. Changes nothing. The exit code is 1 when there is a problem.",
    )
    .summary("find out what is wrong, and what to do")
    .action(withFlags(runDoctor));
  addExamples(command, [
    ["todo doctor", "check everything"],
    ["todo doctor --quiet", "only what is not well"],
    ["todo doctor --data /var/lib/todo", "a server's data folder"],
  ]);
}

async function runDoctor(flags: Flags, output: Output): Promise<void> {
  const folder = localFolder(flags, "doctor");
  const findings = [
    ...(await checkProgram()),
    ...checkClock(),
    ...(await checkDataFolder(flags, output, folder)),
    ...(await checkConfiguration(Math.min(flags.timeout * 1000, patienceMs))),
    ...checkEnvironment(),
  ];
  await output.show(findings, () => {
    for (const finding of findings) print(output, finding);
  });
  const problems = findings.filter(({ status }) => status === "problem").length;
  if (problems > 0) throw new CliError("failed", `${formatCount(problems, "problem")} found.`);
}

async function checkDataFolder(flags: Flags, output: Output, folder: string): Promise<Finding[]> {
  const { findings, isThere } = checkFolder(folder);
  if (!isThere) return findings;
  const { findHolder } = await import("../../storage/lock.ts");
  const server = (await findHolder(folder).catch(() => undefined))?.url;
  const timeout = Math.min(flags.timeout * 1000, patienceMs);
  const database = await checkDatabase(output, folder, server);
  return [
    ...findings,
    ...checkFiles(folder),
    ...checkAccount(folder),
    ...(await checkServer(server, folder, timeout)),
    ...database.findings,
    ...checkCopies(folder),
    ...(await checkDisk(folder, database.size)),
  ];
}

const styles = { ok: "green", warning: "yellow", problem: "red" } as const;

function print(output: Output, { check, status, message, advice }: Finding): void {
  if (output.quiet && status === "ok") return;
  const mark = output.style(styles[status], status.padEnd(7));
  output.line(`${mark}  ${check.padEnd(13)}  ${harmless(message)}`);
  if (advice !== undefined) output.line(`${" ".repeat(24)}${harmless(advice)}`);
}
