import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { createAccount } from "./account.ts";
import { runTodo } from "./command.ts";
import { temporaryFolder } from "./folder.ts";
import type { Part, Size } from "./part.ts";
import { type Step, commandSteps, isAboutSecrets, programCommands } from "./secrets/commands.ts";
import { findAll, processList } from "./secrets/files.ts";
import { callEverything } from "./secrets/requests.ts";
import { startServerProcess } from "./server-process.ts";

/** Files that hold a key for their owner: that is what they are for. */
const keepers = new Set(["config.json", "local-account.json"]);

/** After every command and every request, nobody finds a secret where none belongs. */
export const secrets: Part = {
  name: "secrets",
  title: "where secrets are after every command and every request",
  untimed: true,
  async run(size, tell) {
    // The worst that an account can be set up with: only what the program does itself counts.
    const umask = process.umask(0);
    try {
      return await search(size, tell);
    } finally {
      process.umask(umask);
    }
  },
};

async function search(size: Size, tell: (line: string) => void) {
  using home = temporaryFolder();
  const folder = join(home.path, "server");
  const env = {
    HOME: home.path,
    XDG_CONFIG_HOME: join(home.path, "config"),
    XDG_DATA_HOME: join(home.path, "data"),
    XDG_CACHE_HOME: join(home.path, "cache"),
  };
  const theme = join(home.path, "theme.json");
  writeFileSync(theme, '{"name":"sunrise","display_name":"Sunrise","version":"1.0.0"}');
  const jwtSecret = randomBytes(32).toString("base64url");
  const known = new Set([jwtSecret]);
  const places: Record<string, string> = {};
  let lists = "";
  const watching = setInterval(() => (lists += processList()), 100).unref();
  const failed: string[] = [];
  let steps: Step[] = [];
  let operations = 0;
  let run = 0;
  for (const format of ["json", "text"]) {
    const flags = ["--log-format", format, "--log-level", "info"];
    const serverEnv = { ...env, TODO_JWT_SECRET: jwtSecret };
    await using server = await startServerProcess({ folder, flags, env: serverEnv });
    const account = await createAccount(server.http);
    const called = await callEverything(server.http, account);
    operations = called.operations;
    for (const answer of called.answers) learn(known, answer);
    learn(known, `${account.key} ${account.token}`);
    known.add(account.password);
    if (format === "json") {
      const made: Record<string, string> = {};
      steps = commandSteps({ url: server.url, folder, theme, ...account });
      const { all } = programCommands(steps);
      const possible = steps.filter(({ command }) => all.includes(command));
      for (const step of size === "ci" ? possible.filter(isAboutSecrets) : possible) {
        run += 1;
        const args = (step.args ?? []).map((arg) => made[arg] ?? arg);
        const words = [...step.command.split(" "), ...args];
        const done = await runTodo(words, {
          env: { ...env, ...step.env },
          input: step.input ?? "",
        });
        if ((done.code !== 0) !== (step.fails === true)) {
          failed.push(step.command);
          tell(`${words.join(" ")} ended with ${done.code}: ${done.stderr}`);
        }
        learn(known, done.stdout);
        places[`errors of ${words.join(" ")}`] = done.stderr;
        if (step.shows !== true) places[`output of ${words.join(" ")}`] = done.stdout;
        const id = /"id": *"([^"]+)"/.exec(done.stdout)?.[1];
        const name = { add: "TODO", "recurring add": "TASK", "keys add": "KEY" }[step.command];
        if (name !== undefined && id !== undefined) made[name] = id;
      }
    }
    places[`log (${format})`] = server.output();
    // As it is while the server runs, with the latest writes.
    for (const { path, bytes } of findAll(folder))
      places[`running: ${path}`] = bytes.toString("latin1");
    await server.end("SIGTERM");
  }
  clearInterval(watching);
  places["process list"] = lists;
  const found = findAll(home.path).filter(({ path }) => path !== home.path && path !== theme);
  for (const { path, bytes } of found) {
    learn(known, keepers.has(basename(path)) ? bytes.toString() : "");
    if (!keepers.has(basename(path))) places[path] = bytes.toString("latin1");
  }
  return report({ places, known, found, failed, steps, run, operations }, tell);
}

/** Notes keys and tokens that somebody was shown. */
function learn(known: Set<string>, text: string): void {
  for (const [secret] of text.matchAll(/todo_[\dA-Za-z]{38}|eyJ[\w-]+\.[\w-]+\.[\w-]+/g)) {
    known.add(secret);
  }
}

interface Searched {
  places: Record<string, string>;
  known: ReadonlySet<string>;
  found: ReturnType<typeof findAll>;
  failed: readonly string[];
  steps: readonly Step[];
  /** How many commands were run. */
  run: number;
  operations: number;
}

function report(searched: Searched, tell: (line: string) => void) {
  const { places, known, found, failed, steps, run, operations } = searched;
  const leaks = Object.entries(places).filter(([, text]) =>
    [...known].some((secret) => text.includes(secret)),
  );
  for (const [place] of leaks) tell(`a secret in: ${place}`);
  const open = found.filter(({ isOpen }) => isOpen).map(({ path }) => path);
  for (const path of open) tell(`others may use: ${path}`);
  const { all, missing } = programCommands(steps);
  return [
    {
      what: "commands of the program that have a step here",
      value: [`${all.length - missing.length} of ${all.length}`, ...missing].join("; "),
      bar: "all",
      ok: missing.length === 0,
    },
    {
      what: "commands that ended otherwise than they should",
      value: [`${failed.length} of ${run}`, ...failed].join("; "),
      bar: "0",
      ok: failed.length === 0,
    },
    {
      what: `places with one of ${known.size} secrets, after these and ${operations} operations`,
      value: `${leaks.length} of ${Object.keys(places).length}`,
      bar: "0",
      ok: leaks.length === 0,
    },
    {
      what: "files and folders that others may use, under umask 000",
      value: `${open.length} of ${found.length}`,
      bar: "0",
      ok: open.length === 0,
    },
  ];
}
