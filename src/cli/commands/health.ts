import type { Command } from "commander";
import type { Fetch } from "../../client/client.ts";
import { requestRaw } from "../../client/raw-request.ts";
import { CliError } from "../errors.ts";
import { type Flags, localProfile } from "../flags.ts";
import { addExamples } from "../help/examples.ts";
import { normalizeServer } from "../instance/instance.ts";
import { ownServerFetch } from "../instance/own-server-fetch.ts";
import { findProfile, readProfiles } from "../instance/profiles.ts";
import type { Output } from "../output/output.ts";
import { harmless } from "../output/text.ts";
import { withFlags } from "../session.ts";

/** `todo health`: whether a server works. */
export function addHealthCommand(program: Command): void {
  const command = program
    .command("health")
    .description(
      "Ask a server whether it works. The exit code says it too: 0 it does, 1 it does not, 5 nothing answers. No key is needed or sent.",
    )
    .summary("ask a server whether it works")
    .argument("[url]", "the server; else the one that commands talk to")
    .action(withFlags(runHealth));
  addExamples(command, [
    ["todo health", "the server that commands talk to"],
    ["todo health https://todo.example.org", "another one"],
    ["todo health --quiet --timeout 3", "for a container's health check"],
  ]);
}

async function runHealth(flags: Flags, output: Output, url?: string): Promise<void> {
  const { server, ...connection } =
    url === undefined ? await usualServer(flags) : { server: normalizeServer(url) };
  const started = performance.now();
  const answer = await requestRaw(
    { server, ...connection, timeout: flags.timeout * 1000 },
    { method: "GET", path: "/health" },
  );
  const ms = Math.round(performance.now() - started);
  const { status, version } = parse(answer.text);
  if (answer.status !== 200 || status !== "ok") {
    throw new CliError(
      "failed",
      `${server} answers, but not that it is well (status ${answer.status}). The server's log says more.`,
    );
  }
  await output.show({ server, status, version, ms }, () => {
    if (!output.quiet) output.line(harmless(`${server}  ok  todo ${version}  ${ms} ms`));
  });
}

function parse(text: string): { status: string; version: string } {
  try {
    const { status, version } = JSON.parse(text) as { status?: unknown; version?: unknown };
    return { status: String(status), version: String(version) };
  } catch {
    return { status: "unknown", version: "unknown" };
  }
}

/** The server that commands talk to, and how. */
async function usualServer({
  server,
  profile,
  data,
}: Flags): Promise<{ server: string; fetch?: Fetch }> {
  if (server !== undefined) return { server: normalizeServer(server) };
  const profiles = readProfiles();
  const name = profile ?? profiles.current;
  if (name !== undefined && name !== localProfile) {
    return { server: findProfile(profiles, name).server };
  }
  const { findHolder } = await import("../../storage/lock.ts");
  const holder = await findHolder(data);
  const url = holder?.url;
  if (url !== undefined) return { server: url, fetch: await ownServerFetch(url, data) };
  throw new CliError(
    "unreachable",
    holder === undefined
      ? `No server runs on the data folder ${data}. Start it with \`todo serve\`, or name another.`
      : `A process holds the data folder ${data}, and no server in it answers: one that starts or hangs, or a command at work. Try again in a moment; end the process if it stays so.`,
  );
}
