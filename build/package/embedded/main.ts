import { run } from "../../../src/cli/program.ts";

/** As bin/todo.ts, without an await at the top level, which CommonJS lacks. */
export async function main(args: readonly string[]): Promise<void> {
  process.exitCode = await run(args);
}
