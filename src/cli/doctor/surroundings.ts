import { statSync } from "node:fs";
import type { ClientOptions } from "../../client/client.ts";
import { requestRaw } from "../../client/raw-request.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { localProfile } from "../flags.ts";
import { localAccount } from "../instance/local-account.ts";
import { ownServerFetch } from "../instance/own-server-fetch.ts";
import { profilesPath, readProfiles } from "../instance/profiles.ts";
import { closest } from "../suggest.ts";
import { type Finding, findingsOf } from "./finding.ts";

/** No clock that is right shows less: this program is not older. */
const madeAt = Date.UTC(2026, 10, 20);

/** Says which program this is, with its parts. */
export async function checkProgram(): Promise<Finding[]> {
  const { ok } = findingsOf("program");
  const { knownSchema, sqliteVersion } = await import("../../storage/examine.ts");
  const parts = `schema ${knownSchema}, Node ${process.versions.node}, SQLite ${sqliteVersion()}`;
  return [ok(`todo ${packageJson.version}, ${parts}, ${process.platform} ${process.arch}`)];
}

/** Checks that the machine's clock can be right. */
export function checkClock(now = Date.now()): Finding[] {
  const { ok, problem } = findingsOf("clock");
  const text = `It is ${new Date(now).toISOString().slice(0, 19).replace("T", " ")} UTC.`;
  if (now >= madeAt) return [ok(text)];
  return [
    problem(`${text} That is before this program was made.`, "Set the clock of this machine."),
  ];
}

/** Checks the server that runs on a data folder. */
export async function checkServer(
  url: string | undefined,
  folder: string,
  timeout: number,
): Promise<Finding[]> {
  const { ok, warning, problem } = findingsOf("server");
  if (url === undefined) return [ok("None runs on this folder.")];
  const fetch = await ownServerFetch(url, folder);
  const version = await versionAt({ server: url, timeout, fetch });
  if (version === undefined) {
    return [
      problem(`The server at ${url} holds the folder and does not answer.`, "Look at its log."),
    ];
  }
  if (version !== packageJson.version) {
    const text = `${url} runs todo ${version}, and this is ${packageJson.version}.`;
    return [warning(text, "Start the server again to run this version.")];
  }
  return [ok(`${url} runs todo ${version}.`)];
}

async function versionAt(options: ClientOptions): Promise<string | undefined> {
  try {
    const { text } = await requestRaw(options, { method: "GET", path: "/health" });
    const { status, version } = JSON.parse(text) as { status?: unknown; version?: unknown };
    return status === "ok" ? String(version) : undefined;
  } catch {
    return undefined;
  }
}

/** Checks that the account which commands use on a data folder can be read, if there is one. */
export function checkAccount(folder: string): Finding[] {
  try {
    localAccount(folder);
    return [];
  } catch (error) {
    return [
      findingsOf("account").problem((error as Error).message, "See `todo help environment`."),
    ];
  }
}

/** Checks the configuration file, and whether its servers answer. */
export async function checkConfiguration(timeout: number): Promise<Finding[]> {
  const { ok, warning, problem } = findingsOf("configuration");
  const path = profilesPath();
  const stats = statSync(path, { throwIfNoEntry: false });
  if (stats === undefined) return [ok("There is none: commands use the data folder.")];
  try {
    const { current = localProfile, profiles } = readProfiles();
    const isMissing = current !== localProfile && !Object.hasOwn(profiles, current);
    const missing = isMissing
      ? [
          problem(
            `The profile in use, "${current}", is not there.`,
            "Run `todo profiles use NAME`.",
          ),
        ]
      : [];
    const answers = await Promise.all(
      Object.entries(profiles).map(async ([name, { server }]) => {
        const version = await versionAt({ server, timeout });
        if (version !== undefined) return ok(`Profile ${name}: ${server} runs todo ${version}.`);
        const text = `Profile ${name}: ${server} does not answer as it should.`;
        return warning(text, `Start it, or run \`todo health ${server}\` to see why.`);
      }),
    );
    // oxlint-disable-next-line no-bitwise -- a set of permissions
    const isOpen = process.platform !== "win32" && (stats.mode & 0o077) !== 0;
    const access = isOpen
      ? problem(`Other users may get at ${path}, which holds API keys.`, `chmod 600 '${path}'`)
      : ok(path);
    return [access, ...missing, ...answers];
  } catch (error) {
    return [problem((error as Error).message, "See `todo help environment`.")];
  }
}

const known = ["TODO_SERVER", "TODO_PROFILE", "TODO_API_KEY", "TODO_API_KEY_FILE"].concat(
  "TODO_DATA",
  "TODO_CONFIG",
  "TODO_HOST",
  "TODO_PORT",
  "TODO_TLS_CERT",
  "TODO_TLS_KEY",
  "TODO_JWT_SECRET",
);

/** Checks the environment variables that are meant for this program. */
export function checkEnvironment(env: NodeJS.ProcessEnv = process.env): Finding[] {
  const { ok, warning, problem } = findingsOf("environment");
  const names = Object.keys(env).filter((name) => name.startsWith("TODO_") && env[name] !== "");
  const findings = names
    .filter((name) => !known.includes(name))
    .map((name) => {
      const meant = closest(name, known);
      const advice = meant === undefined ? "See `todo help environment`." : `Is it ${meant}?`;
      return warning(`${name} means nothing to this program.`, advice);
    });
  if (env["TODO_API_KEY"] && !env["TODO_SERVER"]) {
    const advice = "Set TODO_SERVER to the server that the key is for.";
    findings.push(warning("TODO_API_KEY is only used with a server that is named.", advice));
  }
  if (env["TODO_API_KEY"] && env["TODO_API_KEY_FILE"]) {
    const advice = "Unset one of them.";
    findings.push(warning("TODO_API_KEY goes before TODO_API_KEY_FILE.", advice));
  }
  const secret = env["TODO_JWT_SECRET"];
  if (secret && Buffer.byteLength(secret) < 32) {
    const advice = "Set a longer one, or unset it.";
    findings.push(problem("TODO_JWT_SECRET is shorter than 32 bytes: no server starts.", advice));
  }
  if (findings.length > 0) return findings;
  return [ok(names.length === 0 ? "No variable of todo's is set." : `Set: ${names.join(", ")}.`)];
}
