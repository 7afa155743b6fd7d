import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { DATABASE, GUARD, JOURNAL, LOG } from "../../../src/storage/file-names.ts";
import { verdict, type NewState } from "./explore.ts";
import { DIGEST_SQL } from "./history.ts";
import type { Found } from "./judge.ts";

const READ = `SELECT 'found' || ' ' || (SELECT transactions FROM progress) || ' ' || ${DIGEST_SQL}
  || ' ' || (SELECT group_concat(integrity_check) FROM pragma_integrity_check);`;

/**
 * Has the sqlite3 command, which shares no code with the engine's files, recover states from real
 * files, with the log where it looks for one. States without a database are left out.
 *
 * @returns how many it opened, and what was wrong with them, in words
 * @throws Error when there is no such command
 */
export function judgeNatively(
  states: readonly NewState[],
  digests: readonly string[],
): { count: number; damages: string[] } {
  const opened = states.filter(({ snapshot }) => snapshot.has(DATABASE));
  const base = mkdtempSync(join(tmpdir(), "todo-prove-native-"));
  try {
    for (const [index, state] of opened.entries()) layOut(join(base, String(index)), state);
    const script = opened.map((_, index) => [
      `.print state ${index}`,
      `.open ${join(base, String(index), DATABASE)}`,
      // Only a copy is read: nothing of it needs to last.
      "PRAGMA synchronous = OFF;",
      READ,
    ]);
    const answers = ask(script.flat().join("\n"))
      .split(/^state \d+\n/m)
      .slice(1);
    const damages = opened.flatMap(({ promised }, index) => {
      return verdict(foundIn(answers[index] ?? ""), promised, digests) ?? [];
    });
    return { count: opened.length, damages };
  } finally {
    rmSync(base, { recursive: true });
  }
}

/** A folder as another program expects it: our log in place of the guard that keeps it out. */
function layOut(folder: string, { snapshot }: NewState): void {
  mkdirSync(folder);
  for (const [from, to] of [
    [DATABASE, DATABASE],
    [LOG, GUARD],
    [JOURNAL, JOURNAL],
  ] as const) {
    const content = snapshot.get(from);
    if (content !== undefined && content !== "folder") writeFileSync(join(folder, to), content);
  }
}

function ask(script: string): string {
  const { error, stdout, stderr } = spawnSync("sqlite3", ["-batch"], {
    input: `${script}\n`,
    encoding: "utf8",
    maxBuffer: 2 ** 28,
  });
  if (error) throw new Error("The sqlite3 command is needed (Debian: sqlite3)", { cause: error });
  // What it refuses is missing from its answer, so that state will count as bad.
  return stderr === "" ? stdout : `${stdout}${stderr}`;
}

function foundIn(answer: string): Found {
  const [, transaction = "", digest = "", integrity = ""] =
    /^found (\d+) (\w+) (.*)$/m.exec(answer) ?? [];
  if (integrity === "ok") return { transaction: Number(transaction), digest };
  return { damage: `sqlite3: ${integrity || answer.trim() || "no answer"}` };
}
