import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Home } from "./_cli.ts";

/** Where the configuration of that user is. */
export function configPath(home: Home): string {
  return join(home.path, "config", "todo", "config.json");
}

/** The configuration file. */
export interface Config {
  current?: string;
  profiles: Record<string, { server: string; key: string; keyId?: string; email: string }>;
}

/** What the configuration file holds. */
export function config(home: Home): Config {
  return JSON.parse(readFileSync(configPath(home), "utf8")) as Config;
}

/** Puts any text there. */
export function writeConfig(home: Home, text: string): void {
  mkdirSync(dirname(configPath(home)), { recursive: true });
  writeFileSync(configPath(home), text);
}
