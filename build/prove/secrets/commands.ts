import type { Command } from "commander";
import { createProgram } from "../../../src/cli/program.ts";

/** A command as it is run, and what it gets on stdin. */
export interface Step {
  /** Its name as the program knows it, such as `keys add`. */
  command: string;
  args?: readonly string[];
  input?: string;
  env?: Record<string, string>;
  /** It must not succeed. */
  fails?: true;
  /** It is there to show a secret, on stdout, once. */
  shows?: true;
}

/** Whether the step deals with a secret itself: what a gate has time for. */
export function isAboutSecrets({ input, env, fails, shows, args = [] }: Step): boolean {
  return [input, env, fails, shows].some((one) => one !== undefined) || args.includes("--debug");
}

/** What the steps are about; `TODO`, `TASK` and `KEY` in them become what was made. */
export interface Stage {
  url: string;
  folder: string;
  email: string;
  password: string;
  key: string;
  /** A file with a theme, as an operator adds one. */
  theme: string;
}

/** Every command with all that is secret about it, at a server and in process. */
export function commandSteps({ url, folder, email, password, key, theme }: Stage): Step[] {
  const local = ["--profile", "local"];
  const data = ["--data", folder];
  // Not everything is run everywhere, so neither waits for the other to be removed.
  const addedEmail = "mallory@example.org";
  const register = [url, "--email", "eve@example.org", "--name", "Eve", "--password-stdin"];
  const login = [url, "--email", email, "--password-stdin"];
  return [
    { command: "login", args: login, input: password },
    { command: "login", args: login, input: `${password}x`, fails: true },
    { command: "login", args: [url, "--with-key", "--profile", "other"], input: key },
    { command: "login", args: [url, "--with-key"], input: `${key}x`, fails: true },
    { command: "profiles use", args: ["other"] },
    { command: "profiles list", args: ["--json"] },
    { command: "add", args: ["Pay rent", "+Home", "@bills", "--due", "tomorrow", "--json"] },
    { command: "list", args: ["--debug"] },
    { command: "list", env: { TODO_SERVER: url, TODO_API_KEY: key }, args: ["--debug"] },
    {
      command: "list",
      env: { TODO_SERVER: "http://127.0.0.1:1", TODO_API_KEY: key },
      args: ["--debug"],
      fails: true,
    },
    {
      command: "list",
      env: { TODO_SERVER: url, TODO_API_KEY: `${key}x` },
      args: ["--debug"],
      fails: true,
    },
    {
      command: "list",
      env: { TODO_SERVER: url, TODO_API_KEY: `${key} ${key}` },
      args: ["--debug"],
      fails: true,
    },
    { command: "show", args: ["TODO", "--json"] },
    { command: "edit", args: ["TODO", "--title", "Pay the rent"] },
    { command: "start", args: ["TODO"] },
    { command: "done", args: ["TODO"] },
    { command: "reopen", args: ["TODO"] },
    { command: "archive", args: ["TODO"] },
    { command: "remove", args: ["TODO", "-y"] },
    { command: "today" },
    { command: "agenda" },
    { command: "projects add", args: ["Garden"] },
    { command: "projects list" },
    { command: "projects show", args: ["Garden"] },
    { command: "projects edit", args: ["Garden", "--color", "teal"] },
    { command: "projects remove", args: ["Garden", "-y"] },
    { command: "categories add", args: ["quiet"] },
    { command: "categories list" },
    { command: "categories show", args: ["quiet"] },
    { command: "categories edit", args: ["quiet", "--favorite"] },
    { command: "categories remove", args: ["quiet", "-y"] },
    { command: "recurring add", args: ["Water", "--schedule", "daily", "--json"] },
    { command: "recurring list" },
    { command: "recurring show", args: ["TASK"] },
    { command: "recurring edit", args: ["TASK", "--favorite"] },
    { command: "recurring remove", args: ["TASK", "-y"] },
    { command: "themes list" },
    { command: "themes show", args: ["nord"] },
    { command: "themes install", args: ["nord"] },
    { command: "themes use", args: ["nord"] },
    { command: "themes set", args: ["nord", "font_size=12"] },
    { command: "themes remove", args: ["nord", "-y"] },
    { command: "whoami", args: ["--json", "--debug"] },
    { command: "profile show" },
    { command: "profile edit", args: ["--name", "Grace"] },
    { command: "keys add", args: ["--name", "backup", "--json"], shows: true },
    { command: "keys list", args: ["--json"] },
    { command: "keys revoke", args: ["KEY", "-y"] },
    { command: "log" },
    { command: "api", args: ["GET", "/user/profile"] },
    { command: "api", args: ["POST", "/auth/login", "--input", "-"], input: "{", fails: true },
    { command: "completion", args: ["bash"] },
    { command: "__complete", args: ["bash", "2", "todo show "] },
    { command: "help", args: ["security"] },
    { command: "version" },
    // In process, with an account that the program makes for itself.
    { command: "add", args: ["Local", ...local, "--json"] },
    { command: "whoami", args: [...local, "--debug"] },
    { command: "admin users list", args: data },
    {
      command: "admin users add",
      args: [addedEmail, "--password-stdin", ...data],
      input: password,
    },
    {
      command: "admin users passwd",
      args: [addedEmail, "--password-stdin", ...data],
      input: password,
    },
    { command: "admin users remove", args: [addedEmail, "-y", ...data] },
    { command: "admin keys list", args: data },
    { command: "admin keys revoke", args: [key.slice(0, 12), "-y", ...data] },
    { command: "admin service", args: data },
    { command: "admin themes list", args: data },
    { command: "admin themes add", args: [theme, ...data] },
    { command: "admin themes remove", args: ["sunrise", "-y", ...data] },
    { command: "backup", args: [`${folder}/../backup.db`, ...data] },
    {
      command: "restore",
      args: [`${folder}/../backup.db`, "-y", "--data", `${folder}/../restored`],
    },
    { command: "doctor", args: data },
    { command: "health", args: ["--server", url] },
    { command: "register", args: register, input: `${password}r` },
    { command: "register", args: register, input: `${password}r`, fails: true },
    { command: "logout", args: ["-y"] },
    { command: "profiles remove", args: ["other", "-y"] },
  ];
}

/** The commands of the program, and which of them no step runs (`serve` runs all the time). */
export function programCommands(steps: readonly Step[]): { all: string[]; missing: string[] } {
  const all = leaves(createProgram());
  const run = new Set(["serve", ...steps.map(({ command }) => command)]);
  return { all, missing: all.filter((command) => !run.has(command)) };
}

function leaves(command: Command, path: string[] = []): string[] {
  if (command.commands.length === 0) return [path.join(" ")];
  return command.commands.flatMap((child) => leaves(child, [...path, child.name()]));
}
