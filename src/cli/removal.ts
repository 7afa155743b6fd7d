import { runBatch } from "./batch.ts";
import { CliError } from "./errors.ts";
import { findById, type Listed } from "./ids.ts";
import { clip, harmless } from "./output/text.ts";
import { askConsent } from "./prompts.ts";
import type { Session } from "./session.ts";

interface Removal<T> {
  /** What the command was given: one argument has one answer, more or `-` have a list. */
  args: readonly string[];
  /** What the records are, such as "projects". */
  plural: string;
  /** What the user calls it. */
  nameOf: (record: T) => string;
  /** How a line shows it; harmless. */
  lineOf: (record: T) => string;
  remove: (record: T) => Promise<unknown>;
}

/** What was to be removed, but is not there. */
interface Missing {
  id: string;
  error: CliError;
}

/**
 * Removes records, one without a question, several after one, and shows which.
 *
 * @param missing fail each by itself, and do not keep the records
 * @throws CliError `usage` when nobody can be asked, `failed` when the answer is no
 */
export async function removeRecords<T>(
  { flags, output }: Session,
  records: readonly T[],
  { args, plural, nameOf, lineOf, remove }: Removal<T>,
  missing: readonly Missing[] = [],
): Promise<void> {
  if (records.length + missing.length === 0) output.tell("No ids on stdin: nothing to remove.");
  if (records.length > 1 && !(await askConsent(flags, question(plural, records.map(nameOf))))) {
    throw new CliError("failed", "Nothing was removed.");
  }
  const { results, failure } = await runBatch(output, {
    items: [
      ...missing.map(({ id, error }) => ({ name: id, act: () => Promise.reject(error) })),
      ...records.map((record) => ({
        name: nameOf(record),
        act: () => remove(record).then(() => record),
      })),
    ],
    doing: "Removing",
    name: ({ name }) => name,
    act: ({ act }): Promise<T> => act(),
  });
  const isSingle = args.length === 1 && args[0] !== "-";
  if (!isSingle || results.length > 0) {
    // The API's data about what is gone is null.
    await output.show(isSingle ? null : results.map(() => null), () => {
      if (output.quiet) return;
      for (const record of results) output.line(`Removed ${lineOf(record)}`);
    });
  }
  if (failure !== undefined) throw failure;
}

/**
 * The same for the records of these ids, each found first: the question is about all that will go.
 *
 * @throws CliError as `removeRecords`
 */
export async function removeByIds<R extends keyof Listed>(
  session: Session,
  resource: R,
  ids: readonly string[],
  removal: Removal<Listed[R]>,
): Promise<void> {
  const { results, failure } = await runBatch<string, Listed[R] | Missing>(session.output, {
    items: ids,
    doing: "Reading",
    name: (id) => id,
    async act(id) {
      try {
        return await findById(session.client, resource, id);
      } catch (error) {
        if (error instanceof CliError) return { id, error };
        throw error;
      }
    },
  });
  if (failure !== undefined) throw failure;
  const records = new Map<string, Listed[R]>();
  const missing: Missing[] = [];
  for (const found of results) {
    if ("error" in found) missing.push(found);
    else records.set(found.id, found);
  }
  await removeRecords(session, [...records.values()], removal, missing);
}

const shownInQuestion = 5;

function question(plural: string, names: readonly string[]): string {
  const shown = names.slice(0, shownInQuestion).map((name) => `"${clip(harmless(name), 30)}"`);
  const more = names.length > shownInQuestion ? ", …" : "";
  return `Remove ${names.length} ${plural}: ${shown.join(", ")}${more}?`;
}
