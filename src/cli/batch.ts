import { ApiError } from "../contract/errors.ts";
import { CliError, type Failure } from "./errors.ts";
import { describeApiError, failureOf } from "./failures.ts";
import type { Output } from "./output/output.ts";
import { startProgress } from "./output/progress.ts";

/** Requests at a time: the server commits writes that come together as one. */
const concurrency = 8;

/** What became of a batch. */
export interface Finished<R> {
  /** Of the items that succeeded, in the order of the items. */
  results: R[];
  /** What the command is to throw when it has shown the results. */
  failure?: Error;
}

/** A task that is done for many items. */
export interface Batch<T, R> {
  items: readonly T[];
  /** What is being done, such as "Adding". */
  doing: string;
  /** How messages name the item. */
  name: (item: T, index: number) => string;
  act: (item: T) => Promise<R>;
}

/**
 * Does a task for each item, several at a time. An item that is refused does not keep the others
 * from being done; a failure that every other item would meet too stops the batch.
 */
export async function runBatch<T, R>(
  output: Pick<Output, "quiet" | "json" | "tell">,
  { items, doing, name, act }: Batch<T, R>,
): Promise<Finished<R>> {
  using progress = startProgress(output, doing, items.length);
  const results = new Map<number, R>();
  const refused = new Map<number, CliError>();
  let stopped: Error | undefined;

  async function work(queue: Iterator<[number, T]>): Promise<void> {
    for (let next = queue.next(); !next.done && stopped === undefined; next = queue.next()) {
      const [index, item] = next.value;
      try {
        results.set(index, await act(item));
      } catch (error) {
        const refusal = items.length > 1 ? toRefusal(error) : undefined;
        if (refusal === undefined) stopped ??= error as Error;
        else refused.set(index, refusal);
      }
      progress.report(results.size + refused.size);
    }
  }
  const queue = items.entries();
  await Promise.all(Array.from({ length: concurrency }, () => work(queue)));

  const inOrder = <V>(map: Map<number, V>) => [...map].toSorted(([a], [b]) => a - b);
  const failures = inOrder(refused).map(([index, { message }]) => {
    return `${name(items[index]!, index)}: ${message}`;
  });
  if (stopped !== undefined && items.length > 1 && !output.json) {
    output.tell(`Stopped after ${results.size} of ${items.length}.`);
  }
  const failure = stopped ?? summary(failures, [...refused.values()], items.length);
  return {
    results: inOrder(results).map(([, result]) => result),
    ...(failure !== undefined && { failure }),
  };
}

/** Why the item was refused; undefined when it is not about the item. */
function toRefusal(error: unknown): CliError | undefined {
  if (error instanceof CliError) return error;
  if (!(error instanceof ApiError)) return undefined;
  const failure = failureOf(error);
  const isAboutAll = failure === "not_allowed" || error.code === "storage_full";
  return isAboutAll ? undefined : new CliError(failure, describeApiError(error), { cause: error });
}

/** One failure for all that were refused: `not_found` if that is all there is. */
function summary(
  failures: readonly string[],
  refusals: readonly CliError[],
  total: number,
): CliError | undefined {
  if (failures.length === 0) return undefined;
  const isNotFound = refusals.every(({ failure }) => failure === "not_found");
  const failure: Failure = isNotFound ? "not_found" : "failed";
  const head = `${failures.length} of ${total} failed:`;
  return new CliError(failure, [head, ...failures.map((line) => `  ${line}`)].join("\n"));
}
