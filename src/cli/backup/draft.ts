import { randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { type FileHandle, open } from "node:fs/promises";
import { join } from "node:path";
import { discardAtExit } from "../drafts.ts";
import { CliError } from "../errors.ts";
import type { Source } from "./source.ts";

/** A file in a folder, under a name where nobody looks for a backup; it goes away with its scope. */
export function draftIn(folder: string): { path: string } & Disposable {
  const path = join(folder, `todo-backup-${randomUUID().slice(0, 8)}.part`);
  return { path, ...discardAtExit(() => rmSync(path, { force: true })) };
}

/**
 * Writes all of a copy to a new file, for its owner alone, and waits until it is on the disk.
 *
 * @param name how messages call what is written
 * @param onBytes is told how many bytes have been written
 * @throws CliError `failed` when it cannot be written
 */
export async function writeDraft(
  path: string,
  { source, name, onBytes }: { source: Source; name: string; onBytes: (bytes: number) => void },
): Promise<void> {
  const file = await opened(path, name);
  try {
    let total = 0;
    for await (const chunk of source.bytes) {
      await file.writeFile(chunk).catch(failWriting(name));
      total += chunk.length;
      onBytes(total);
    }
    await file.sync().catch(failWriting(name));
  } finally {
    await file.close();
  }
}

function opened(path: string, name: string): Promise<FileHandle> {
  return open(path, "wx", 0o600).catch(failWriting(name));
}

function failWriting(name: string): (error: NodeJS.ErrnoException) => never {
  return (error) => {
    const { code, message } = error;
    const isFull = code === "ENOSPC" || code === "EDQUOT" || code === "EFBIG";
    const reason = isFull
      ? "there is no space left. Free some, or choose another disk."
      : `${message}. Choose another place.`;
    throw new CliError("failed", `${name} cannot be written: ${reason} Nothing is left of it.`, {
      cause: error,
    });
  };
}
