import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { constants, copyFileSync, existsSync, mkdirSync, readFileSync, renameSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../migrations/index.ts";
import { cacheFolder } from "./folders.ts";
import { findRuntime } from "./runtime.ts";

/** What a database to begin with holds. */
export interface Content {
  users: number;
  todosPerUser: number;
  /** The length of descriptions, in characters. */
  description: number;
}

/** A user of such a database, and some of what is theirs. */
export interface FixtureUser {
  email: string;
  key: string;
  todos: string[];
  projects: string[];
  categories: string[];
}

export interface Fixture {
  database: string;
  users: FixtureUser[];
}

/** Everybody's. */
export const password = "correct horse battery";

/** The database of that content, always the same; made once, and kept. */
export function findFixture(content: Content): Fixture {
  const seed = join(import.meta.dirname, "seed.ts");
  const made = JSON.stringify([content, migrations, readFileSync(seed, "utf8")]);
  const name = createHash("sha256").update(made).digest("hex").slice(0, 16);
  const database = join(cacheFolder, `${name}.db`);
  if (!existsSync(database)) {
    mkdirSync(cacheFolder, { recursive: true });
    const draft = `${database}.new`;
    execFileSync(findRuntime(), [seed, draft, `${database}.json`, JSON.stringify(content)], {
      stdio: "inherit",
    });
    renameSync(draft, database);
  }
  const users = JSON.parse(readFileSync(`${database}.json`, "utf8")) as FixtureUser[];
  return { database, users };
}

/**
 * A data folder with a copy of that database.
 *
 * @returns the path of its database
 */
export function copyFixture({ database }: Fixture, folder: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const copy = join(folder, "todo.db");
  copyFileSync(database, copy, constants.COPYFILE_FICLONE);
  return copy;
}
