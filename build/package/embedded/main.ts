import { run } from "../../../src/cli/program.ts";

// As bin/todo.ts, without an await at the top level, which CommonJS lacks.
void run(process.argv.slice(2)).then((code) => {
  process.exitCode = code;
});
