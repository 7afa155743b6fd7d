import { createHash } from "node:crypto";
import { lstatSync, readdirSync, readFileSync, readlinkSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { setImmediate } from "node:timers/promises";
import { RESERVE_BYTES } from "../src/storage/reserve.ts";

/** What is at and below a path: by relative path the kind, permissions and content of each entry. */
export function snapshot(path: string): Record<string, string> {
  const entries: Record<string, string> = {};
  const visit = (entry: string): void => {
    const stats = lstatSync(entry);
    entries[relative(path, entry)] = `${stats.mode.toString(8)} ${contentOf(entry)}`;
    if (stats.isDirectory()) for (const name of readdirSync(entry)) visit(join(entry, name));
  };
  visit(path);
  return entries;
}

/** The same of a data folder whose server has just started: it makes its reserve a moment later. */
export async function snapshotOfServed(folder: string): Promise<Record<string, string>> {
  const reserve = join(folder, "todo.reserve");
  while (statSync(reserve, { throwIfNoEntry: false })?.size !== RESERVE_BYTES) await setImmediate();
  return snapshot(folder);
}

function contentOf(path: string): string {
  const stats = lstatSync(path);
  if (stats.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  if (!stats.isFile()) return "no file";
  return createHash("sha256").update(readFileSync(path)).digest("hex");
}
