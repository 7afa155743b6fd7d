import type { Examined } from "../../storage/examine.ts";
import { interruptible } from "../interruptible.ts";
import type { Output } from "../output/output.ts";
import { startProgress } from "../output/progress.ts";
import { writeDraft } from "./draft.ts";
import { openSource } from "./source.ts";

/** A copy that was made, and what it holds. */
export interface Copied extends Examined {
  bytes: number;
  /** How long it took, in milliseconds. */
  ms: number;
}

/**
 * Copies the database of a data folder, also of a running server, and checks the copy.
 *
 * @param draft the path of the copy
 * @param name how messages call it
 * @throws CliError when there is no database, the copy cannot be written, or Ctrl-C ends the check
 * @throws StorageError when the database cannot be read, or the copy is not sound
 */
export async function copyDatabase(
  output: Pick<Output, "quiet" | "json">,
  { folder, draft, name }: { folder: string; draft: string; name: string },
): Promise<Copied> {
  const started = performance.now();
  const source = await openSource(folder);
  let bytes = 0;
  try {
    using progress = startProgress(output, "Copying, in MB", inMB(source.size));
    await writeDraft(draft, {
      source,
      name,
      onBytes(done) {
        bytes = done;
        progress.report(inMB(done));
      },
    });
  } finally {
    // From here on the copy is by itself: others need not wait while it is checked.
    await source.close();
  }
  const { examineContents } = await import("../../storage/examine.ts");
  const contents = interruptible(() => examineContents(draft));
  return { ...contents, bytes, ms: Math.round(performance.now() - started) };
}

function inMB(bytes: number): number {
  return Math.ceil(bytes / 1e6);
}
