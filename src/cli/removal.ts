import { runBatch } from "./batch.ts";
import { CliError } from "./errors.ts";
import { clip, harmless } from "./output/text.ts";
import { askConsent } from "./prompts.ts";
import type { Session } from "./session.ts";

interface Removal<T> {
  /** What the records are, such as "projects". */
  plural: string;
  /** What the user calls it. */
  nameOf: (record: T) => string;
  /** How a line shows it; harmless. */
  lineOf: (record: T) => string;
  remove: (record: T) => Promise<unknown>;
}

/**
 * Removes records, one without a question, several after one, and shows which.
 *
 * @throws CliError `usage` when nobody can be asked, `failed` when the answer is no
 */
export async function removeRecords<T>(
  { flags, output }: Session,
  records: readonly T[],
  { plural, nameOf, lineOf, remove }: Removal<T>,
): Promise<void> {
  if (records.length === 0) output.tell("Nothing to remove.");
  const isSingle = records.length === 1;
  if (records.length > 1 && !(await askConsent(flags, question(plural, records.map(nameOf))))) {
    throw new CliError("failed", "Nothing was removed.");
  }
  const { results, failure } = await runBatch(output, {
    items: records,
    doing: "Removing",
    name: nameOf,
    async act(record) {
      await remove(record);
      return record;
    },
  });
  if (!isSingle || results.length > 0) {
    // The API's data about what is gone is null.
    await output.show(isSingle ? null : results.map(() => null), () => {
      if (output.quiet) return;
      for (const record of results) output.line(`Removed ${lineOf(record)}`);
    });
  }
  if (failure !== undefined) throw failure;
}

const shownInQuestion = 5;

function question(plural: string, names: readonly string[]): string {
  const shown = names.slice(0, shownInQuestion).map((name) => `"${clip(harmless(name), 30)}"`);
  const more = names.length > shownInQuestion ? ", …" : "";
  return `Remove ${names.length} ${plural}: ${shown.join(", ")}${more}?`;
}
